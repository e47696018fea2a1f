/** Lets operations accept a point in pixels of a picture that was sent earlier. */

import { FieldError } from "../../core/errors.ts";
import type { Point } from "../../core/geometry.ts";
import type { Context } from "../context.ts";
import { inField } from "../fields.ts";
import { checkInPicture, checkVisible, type Frame, Frames, toScreen } from "./frames.ts";
import type { PositionFields } from "./targets/refs.ts";

/** Input whose point may refer to a picture. */
interface PointInput extends Omit<PositionFields, "ref"> {
  readonly from?: Point | { readonly ref: string } | undefined;
  readonly path?: readonly Point[] | undefined;
  readonly display_num: number;
}

export interface FramedOptions {
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
