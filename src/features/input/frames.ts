/** The pictures that were sent lately, so that coordinates in one of them can be mapped back to the screen. */

import { ValueFault } from "../../core/errors.ts";
import type { CursorState, Display, Point, Region, Size } from "../../platform/types/mod.ts";
import { inField } from "../fields.ts";
import type { Context } from "../operation.ts";

/** What a picture shows: `region` of the screen scaled to `size`, and of that the part `window`. */
export interface Frame {
  readonly id: string;
  readonly displayNum: number;
  /** On the screen, in pixels. */
  readonly region: Region;
  /** How large the display was, and the run of its server, where it tells one run from another. */
  readonly screen: Size;
  readonly serverRun: string | undefined;
  /** The size of the whole region in the picture's pixels. */
  readonly size: Size;
  /** The part of it that the picture holds; the whole of it unless the picture holds changes only. */
  readonly window: Region;
  /** The counter of changes when it was taken, and the run of that counter. */
  readonly run: string;
  readonly count: number;
  /** The cursor that the picture shows; its key is empty where it may be cut off or not be the one of `count`. */
  readonly cursor: CursorState | undefined;
  readonly tag: string;
}

export class Frames {
  /** In the order of use, the oldest first. */
  readonly #frames = new Map<string, Frame>();
  readonly #byTag = new Map<string, Frame>();
  readonly #start = crypto.randomUUID().slice(0, 8);
  #number = 0;

  /** @param max how many pictures are remembered */
  constructor(private readonly max: number) {}

  add(frame: Omit<Frame, "id">): Frame {
    const added = { ...frame, id: `${this.#start}-${++this.#number}` };
    this.#frames.set(added.id, added);
    this.#byTag.set(added.tag, added);
    if (this.#frames.size > this.max) this.#forget(this.#frames.values().next().value!);
    return added;
  }

  /** @throws ValueFault on `field` when the picture is not known any more. */
  get(id: string, field = "frame"): Frame {
    const frame = this.#frames.get(id);
    if (frame) return frame;
    throw new ValueFault(
      field,
      `There is no picture "${id}": the last ${this.max} are known, take a new one`,
    );
  }

  /** The newest picture with an entity tag; it counts as used again. */
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

/** Input with a point that may be one of a picture. */
interface PointInput {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly from?: Point | undefined;
  readonly path?: readonly Point[] | undefined;
  readonly frame?: string | undefined;
  readonly display_num: number;
}

export interface FramedOptions {
  /** What becomes of a point that is off the picture; without it the point is refused. */
  readonly outside: "nearest" | "refused";
}

/** An operation whose point may be given in the pixels of a picture: it runs with the point on the screen. */
export function framed<I extends PointInput, R>(
  run: (context: Context, input: I) => R | Promise<R>,
  { outside }: FramedOptions = { outside: "refused" },
): (context: Context, input: I) => R | Promise<R> {
  return (context, input) => {
    if (input.frame === undefined) return run(context, input);
    const frame = frameOf(context, input.frame, { displayNum: input.display_num });
    const point = { ...pick(input, "x"), ...pick(input, "y") };
    const { x = 0, y = 0 } = outside === "nearest" ? nearest(frame, point) : point;
    const mapped = toScreen(frame, { x, y });
    if (outside === "refused") checkInPicture(frame, point);
    const onScreen = {
      ...input,
      ...wayOnScreen(frame, input),
      ...(point.x === undefined ? {} : { x: mapped.x }),
      ...(point.y === undefined ? {} : { y: mapped.y }),
      display_num: frame.displayNum,
    };
    const checked = checkCurrent(context, frame);
    return checked === undefined
      ? run(context, onScreen)
      : checked.then(() => run(context, onScreen));
  };
}

/**
 * The picture of a request; it says which display is meant.
 * @throws ValueFault on `field` when it is not known, on `display_num` when that names another display.
 */
export function frameOf(
  { session }: Context,
  id: string,
  { displayNum, field = "frame" }: { displayNum: number; field?: string },
): Frame {
  const frame = session.frames.get(id, field);
  if (displayNum === frame.displayNum || displayNum === 1) return frame; // 1 is also what is said by saying nothing
  throw new ValueFault(
    "display_num",
    `Picture "${id}" shows display ${frame.displayNum}, not ${displayNum}: leave display_num out`,
  );
}

/**
 * Looks at once when the display is open.
 * @throws ValueFault on `frame` when the display has another size than in the picture, or its server was started again
 */
export function checkCurrent({ platform }: Context, frame: Frame): void | Promise<void> {
  const display = platform.displays.open(frame.displayNum);
  return display instanceof Promise
    ? display.then((opened) => checkShown(frame, opened))
    : checkShown(frame, display);
}

/** @throws ValueFault as {@link checkCurrent} does. */
export function checkShown(
  { id, displayNum, screen, serverRun }: Frame,
  display: Pick<Display, "size" | "serverRun">,
): void {
  const { width, height } = display.size;
  const refuse = (what: string) => {
    throw new ValueFault(
      "frame",
      `Picture "${id}" shows display ${displayNum} ${what}: take a new one`,
    );
  };
  if (width !== screen.width || height !== screen.height) {
    refuse(`when it was ${screen.width}x${screen.height} pixels, not ${width}x${height} as now`);
  }
  if (serverRun !== display.serverRun) refuse("before its X server was started again");
}

/** The pixel of the screen in the middle of a pixel of the picture. */
export function toScreen({ region, size, window }: Frame, { x, y }: Point): Point {
  return {
    x: region.x + Math.floor((x + window.x + 0.5) * region.width / size.width),
    y: region.y + Math.floor((y + window.y + 0.5) * region.height / size.height),
  };
}

/** Everything on the screen that a part of the picture shows, if only a bit of it. */
export function areaOnScreen({ region, size, window }: Frame, part: Region): Region {
  const left = Math.floor((part.x + window.x) * region.width / size.width);
  const top = Math.floor((part.y + window.y) * region.height / size.height);
  const right = Math.ceil((part.x + window.x + part.width) * region.width / size.width);
  const bottom = Math.ceil((part.y + window.y + part.height) * region.height / size.height);
  return { x: region.x + left, y: region.y + top, width: right - left, height: bottom - top };
}

/** @throws ValueFault on the coordinate that is off the picture. */
export function checkInPicture({ id, window }: Frame, { x, y }: Partial<Point>): void {
  const refuse = (field: "x" | "y", value: number) => {
    const size = `${window.width}x${window.height} pixels`;
    throw new ValueFault(field, `${field} ${value} is off picture "${id}", which is ${size}`);
  };
  if (x !== undefined && (x < 0 || x >= window.width)) refuse("x", x);
  if (y !== undefined && (y < 0 || y >= window.height)) refuse("y", y);
}

/** The other points of a drag. */
function wayOnScreen(frame: Frame, { from, path }: PointInput): Pick<PointInput, "from" | "path"> {
  const map = (point: Point, place: readonly (string | number)[]) => {
    inField(place, () => checkInPicture(frame, point));
    return toScreen(frame, point);
  };
  return {
    ...(from === undefined ? {} : { from: map(from, ["from"]) }),
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
