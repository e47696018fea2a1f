/**
 * The property on the root window by which every instance recognizes a virtual display of this
 * service.
 */

import type { X11Connection } from "./connection.ts";

/** Its value is the id of the process that owns the display. */
export const MARK = "_COMPUTER_CONTROL_VIRTUAL_DISPLAY";
export const CARDINAL = 6;
export const REPLACE = 0;

export async function isVirtualDisplay(connection: X11Connection): Promise<boolean> {
  const { client, root } = connection;
  const atom = await connection.call<number>((done) => client.InternAtom(true, MARK, done));
  if (atom === 0) return false;
  const { type } = await connection.call<{ type: number }>((done) =>
    client.GetProperty(0, root, atom, CARDINAL, 0, 1, done as never)
  );
  return type === CARDINAL;
}
