/**
 * Tells when keys go where was clicked. A window manager holds a click back until it has given the
 * window the focus; keys that are sent before that arrive in another window.
 */

import type { X11Connection } from "./connection.ts";

/** The left button in a mask of keys and buttons. */
const BUTTON_1 = 1 << 8;
/** The window that is no window, and the focus that follows the pointer. */
const NONE = 0;
const POINTER_ROOT = 1;
const MAX_DEPTH = 16;

export async function keysFollowClick(connection: X11Connection): Promise<boolean> {
  const { client, root } = connection;
  const pointer = await connection.call<{ child: number; keyMask: number }>((done) =>
    client.QueryPointer(root, done)
  );
  // a click that is held back is not yet in the state of the pointer: its press is, its release is not
  if ((pointer.keyMask & BUTTON_1) !== 0) return false;
  const { focus } = await connection.call<{ focus: number }>((done) => client.GetInputFocus(done));
  if (focus === NONE) return false;
  if (focus === POINTER_ROOT || focus === root || pointer.child === NONE) return true;
  try {
    return await isInside(connection, focus, pointer.child) ||
      await isUnmanaged(connection, pointer.child);
  } catch (error) {
    if (!connection.connected) throw error;
    return false; // one of the windows has gone meanwhile
  }
}

async function isInside(
  connection: X11Connection,
  window: number,
  ancestor: number,
): Promise<boolean> {
  const { client, root } = connection;
  let current = window;
  for (let depth = 0; depth < MAX_DEPTH && current !== root; depth++) {
    if (current === ancestor) return true;
    const child = current;
    const tree = await connection.call<{ parent: number }>((done) => client.QueryTree(child, done));
    current = tree.parent;
  }
  return false;
}

/** Windows that no window manager touches (menus, locks) take the keyboard in their own ways. */
async function isUnmanaged(connection: X11Connection, window: number): Promise<boolean> {
  const { overrideRedirect } = await connection.call<{ overrideRedirect: number }>((done) =>
    connection.client.GetWindowAttributes(window, done)
  );
  return overrideRedirect !== 0;
}
