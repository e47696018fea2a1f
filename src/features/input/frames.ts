/**
 * The pictures that were sent recently, so that coordinates in them can be mapped back to the
 * screen.
 */

import { FieldError } from "../../core/errors.ts";
import type { CursorState, Display, Point, Region, Size } from "../../platform/types/mod.ts";
import type { Session } from "../session.ts";
import type { Context } from "../context.ts";
import { inField } from "../fields.ts";
import type { PositionFields } from "./targets/refs.ts";

/**
 * What a picture shows: `region` of the screen scaled to `size`, and of the result the part
 * `window`.
 */
export interface Frame {
  readonly id: string;
  readonly displayNum: number;
  /** On the screen, in pixels. */
  readonly region: Region;
  /** The size of the display, and the id of its server's run if the system provides one. */
  readonly screen: Size;
  readonly serverRun: string | undefined;
  /** The size of the whole region in pixels of the picture. */
  readonly size: Size;
  /**
   * The part of it that the picture contains: everything, unless the picture shows changes only.
   */
  readonly window: Region;
  /** The change counter when the picture was taken, and the run that the counter belongs to. */
  readonly run: string;
  readonly count: number;
  /**
   * The cursor that the picture shows; its key is empty if the cursor may be cut off or may differ
   * from the one at `count`.
   */
  readonly cursor: CursorState | undefined;
  readonly tag: string;
}

export class Frames {
  /** In order of use, least recent first. */
  readonly #frames = new Map<string, Frame>();
  readonly #byTag = new Map<string, Frame>();
  readonly #start = crypto.randomUUID().slice(0, 8);
  #number = 0;

  /** @param max the number of pictures to remember */
  constructor(private readonly max: number) {}

  static openIn({ limits }: Session): Frames {
    return new Frames(limits.maxFrames);
  }

  add(frame: Omit<Frame, "id">): Frame {
    const added = { ...frame, id: `${this.#start}-${++this.#number}` };
    this.#frames.set(added.id, added);
    this.#byTag.set(added.tag, added);
    if (this.#frames.size > this.max) this.#forget(this.#frames.values().next().value!);
    return added;
  }

  /** @throws FieldError on `field` when the picture is no longer known. */
  get(id: string, field = "frame"): Frame {
    const frame = this.#frames.get(id);
    if (frame) return frame;
    throw new FieldError(
      field,
      `There is no picture "${id}": only the last ${this.max} are kept, take a new one`,
    );
  }

  /** The newest picture with an entity tag; marks it as recently used. */
  withTag(tag: string): Frame | undefined {
    const frame = this.#byTag.get(tag);
    if (!frame) return undefined;
    this.#frames.delete(frame.id);
    this.#frames.set(frame.id, frame);
    return frame;
  }

  #forget(frame: Frame): void {
    this.#frames.delete(frame.id);
    if (this.#byTag.get(frame.tag) === frame) this.#byTag.delete(frame.tag);
  }
}

/**
 * @throws FieldError on `frame` when the size of the display differs from the picture's, or its
 * server was restarted.
 */
export function checkVisible(
  { id, displayNum, screen, serverRun }: Frame,
  display: Pick<Display, "size" | "serverRun">,
): void {
  const { width, height } = display.size;
  const refuse = (what: string) => {
    throw new FieldError(
      "frame",
      `Picture "${id}" is of display ${displayNum} ${what}: take a new one`,
    );
  };
  if (width !== screen.width || height !== screen.height) {
    refuse(`when it was ${screen.width}x${screen.height} pixels, not ${width}x${height} as now`);
  }
  if (serverRun !== display.serverRun) refuse("before its X server was restarted");
}

/** Where the pixels of a picture are on the screen. */
export type FrameGeometry = Pick<Frame, "region" | "size" | "window">;

/** The pixel of the screen at the centre of a pixel of the picture. */
export function toScreen({ region, size, window }: FrameGeometry, { x, y }: Point): Point {
  return {
    x: region.x + Math.floor((x + window.x + 0.5) * region.width / size.width),
    y: region.y + Math.floor((y + window.y + 0.5) * region.height / size.height),
  };
}

/** The area of the screen that a part of the picture shows, including partly covered pixels. */
export function areaOnScreen({ region, size, window }: FrameGeometry, part: Region): Region {
  const left = Math.floor((part.x + window.x) * region.width / size.width);
  const top = Math.floor((part.y + window.y) * region.height / size.height);
  const right = Math.ceil((part.x + window.x + part.width) * region.width / size.width);
  const bottom = Math.ceil((part.y + window.y + part.height) * region.height / size.height);
  return { x: region.x + left, y: region.y + top, width: right - left, height: bottom - top };
}

/** @throws FieldError on the coordinate that is outside the picture. */
export function checkInPicture({ id, window }: Frame, { x, y }: Partial<Point>): void {
  const refuse = (field: "x" | "y", value: number) => {
    const size = `${window.width}x${window.height} pixels`;
    throw new FieldError(field, `${field} ${value} is outside picture "${id}", which is ${size}`);
  };
  if (x !== undefined && (x < 0 || x >= window.width)) refuse("x", x);
  if (y !== undefined && (y < 0 || y >= window.height)) refuse("y", y);
}

// Lets operations accept a point in pixels of a picture that was sent earlier.

/** Input whose point may refer to a picture. */
interface PointInput extends Omit<PositionFields, "ref"> {
  readonly from?: Point | { readonly ref: string } | undefined;
  readonly path?: readonly Point[] | undefined;
  readonly display_num: number;
}

interface FramedOptions {
  /** How to handle a point outside the picture; without it, the point is rejected. */
  readonly outside: "nearest" | "refused";
}

/**
 * Wraps an operation so that its point may be given in pixels of a picture; it runs with the point
 * on the screen.
 */
export function framed<I extends PointInput, R>(
  run: (context: Context, input: I) => R | Promise<R>,
  { outside }: FramedOptions = { outside: "refused" },
): (context: Context, input: I) => R | Promise<R> {
  return (context, input) =>
    input.frame === undefined
      ? run(context, input)
      : mapToScreen(context, input, outside).then((mapped) => run(context, mapped));
}

async function mapToScreen<I extends PointInput>(
  context: Context,
  input: I,
  outside: FramedOptions["outside"],
): Promise<I> {
  const frame = findFrame(context, input.frame!, { displayNum: input.display_num });
  const point = { ...pick(input, "x"), ...pick(input, "y") };
  const { x = 0, y = 0 } = outside === "nearest" ? nearest(frame, point) : point;
  const mapped = toScreen(frame, { x, y });
  if (outside === "refused") checkInPicture(frame, point);
  const onScreen = {
    ...input,
    ...pathOnScreen(frame, input),
    ...(point.x === undefined ? {} : { x: mapped.x }),
    ...(point.y === undefined ? {} : { y: mapped.y }),
    display_num: frame.displayNum,
  };
  await checkCurrent(context, frame);
  return onScreen;
}

/**
 * The picture that a request names, which also determines the display.
 * @throws FieldError on `field` when the picture is unknown, on `display_num` when that names
 * another display.
 */
export function findFrame(
  { session }: Context,
  id: string,
  { displayNum, field = "frame" }: { displayNum: number; field?: string },
): Frame {
  const frame = session.use(Frames).get(id, field);
  if (displayNum === frame.displayNum || displayNum === 1) return frame; // 1 is also the default
  throw new FieldError(
    "display_num",
    `Picture "${id}" is of display ${frame.displayNum}, not ${displayNum}: omit display_num`,
  );
}

/**
 * @throws FieldError on `frame` when the size of the display differs from the picture's, or its
 * server was restarted.
 */
export async function checkCurrent({ platform }: Context, frame: Frame): Promise<void> {
  checkVisible(frame, await platform.displays.open(frame.displayNum));
}

/** Converts the other points of a drag. */
function pathOnScreen(frame: Frame, { from, path }: PointInput): Pick<PointInput, "from" | "path"> {
  const map = (point: Point, field: readonly (string | number)[]) => {
    inField(field, () => checkInPicture(frame, point));
    return toScreen(frame, point);
  };
  return {
    ...(from === undefined || "ref" in from ? {} : { from: map(from, ["from"]) }),
    ...(path === undefined ? {} : { path: path.map((point, i) => map(point, ["path", i])) }),
  };
}

function nearest({ window }: Frame, { x, y }: Partial<Point>): Partial<Point> {
  return {
    ...(x === undefined ? {} : { x: Math.max(0, Math.min(window.width - 1, x)) }),
    ...(y === undefined ? {} : { y: Math.max(0, Math.min(window.height - 1, y)) }),
  };
}

function pick(input: PointInput, name: "x" | "y"): Partial<Point> {
  return input[name] === undefined ? {} : { [name]: input[name] };
}
