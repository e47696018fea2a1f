/** Keeps the field that a stored value is typed into out of the recordings of its display. */

import type { Point, Region } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { RefTarget } from "./refs.ts";
import { askProgram, type InTurn } from "./send_at.ts";

/**
 * Hides it until the value is typed and drawn; dispose of the result then.
 * @param field a point of it, or its element; `undefined`: whatever has the focus
 */
export async function hideField(
  { session: { recordings } }: Pick<Context, "session">,
  field: Point | RefTarget | undefined,
  inTurn: InTurn,
): Promise<Disposable> {
  const isElement = field !== undefined && "reveal" in field;
  const known = isElement && recordings.areRunning ? await findArea(field, inTurn) : undefined;
  return recordings.hideField(inTurn.displaySession.display, isElement ? known : field);
}

/** `undefined` where its program does not tell: it has the focus, so the value can be typed. */
async function findArea(target: RefTarget, { turn }: InTurn): Promise<Region | undefined> {
  try {
    return (await askProgram(target, turn, (signal) => target.reveal(signal))).area;
  } catch {
    turn.signal.throwIfAborted();
    return undefined;
  }
}
