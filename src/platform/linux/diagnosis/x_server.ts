/** Checks what an X server must offer: input, a keyboard map, a window manager. */

import { failed, note, ok, sinceText, type Verdict } from "../../diagnosis/verdict.ts";
import { keysymOfCodePoint } from "../../keys.ts";
import type { Xkb, XTest } from "../x11/client.ts";
import type { X11Connection } from "../x11/connection.ts";
import { requireExtension } from "../x11/extensions.ts";
import { Layout } from "../x11/layout.ts";

/** What every text contains. */
const USUAL = [..."abcxyzABCXYZ0189.,-/ "];
const ANY_TYPE = 0;
/** In units of 4 bytes. */
const MAX_PROPERTY = 256;
/** The bits of the five buttons in the state of the pointer (X protocol, SETofKEYBUTMASK). */
const BUTTONS = 0x1f00;
/** With this detail the coordinates of a motion are relative (XTEST, `XTestFakeInput`). */
const RELATIVE = 1;

export async function checkInputExtensions(connection: X11Connection): Promise<Verdict> {
  const lacking: string[] = [];
  for (const [extension, name] of [["xtest", "XTEST"], ["xkb", "XKEYBOARD"]] as const) {
    if (await requireExtension(connection, extension) === undefined) lacking.push(name);
  }
  if (lacking.length === 0) return ok("mouse and keyboard can be sent (XTEST, XKEYBOARD)");
  const detail = `the X server has no ${lacking.join(" and no ")}, which input needs`;
  const flags = lacking.map((name) => `+extension ${name}`).join(" ");
  return failed(detail, `start the X server with ${flags}, or use --virtual-display`);
}

export async function checkKeymap(connection: X11Connection): Promise<Verdict> {
  const xkb = await requireExtension<Xkb>(connection, "xkb");
  if (xkb === undefined) return failed("the X server has no keyboard map", "--virtual-display");
  const { keymap, free } = await Layout.open(connection, xkb);
  const lacking = USUAL.filter((each) =>
    keymap.find(keysymOfCodePoint(each.codePointAt(0)!)) === undefined
  );
  const rules = (await textProperty(connection, connection.root, "_XKB_RULES_NAMES")).split("\0");
  const name = rules[2] ? `layout "${rules[2]}"` : "a layout without a name";
  const mend = `DISPLAY=${connection.name} setxkbmap us`;
  if (lacking.length === USUAL.length && free.length === 0) {
    return failed(`${name} has no usual letters, and no spare keycode for them`, mend);
  }
  if (free.length === 0) {
    return note(`${name}, without a spare keycode: other characters cannot be typed`, mend);
  }
  return ok(`${name}; ${free.length} spare keycodes for characters that are not on it`);
}

export async function checkWindowManager(
  connection: X11Connection,
  start: { readonly isOwn: boolean; readonly hasOpenbox: boolean; readonly install: string },
): Promise<Verdict> {
  if (start.isOwn) {
    if (start.hasOpenbox) return ok("openbox is started with the virtual display");
    return note("windows on the virtual display have no frames and no focus", start.install);
  }
  const name = await windowManagerName(connection);
  if (name !== undefined) return ok(name === "" ? "there is one, without a name" : name);
  const mend = start.hasOpenbox ? `DISPLAY=${connection.name} openbox &` : start.install;
  return note("none: windows have no frames, and get no keyboard focus by a click", mend);
}

async function windowManagerName(connection: X11Connection): Promise<string | undefined> {
  const data = await property(connection, connection.root, "_NET_SUPPORTING_WM_CHECK");
  if (data.byteLength < 4) return undefined;
  const window = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  // the property outlives a window manager that was killed
  return await textProperty(connection, window, "_NET_WM_NAME").catch(() => undefined);
}

/**
 * Moves the cursor by one pixel and back, in one packet: relative, so that a person's own movement
 * is kept, and not while a button is down.
 */
export async function checkRoundTrip(connection: X11Connection): Promise<Verdict> {
  const xtest = await requireExtension<XTest>(connection, "xtest");
  if (xtest === undefined) return failed("not possible without XTEST", "--virtual-display");
  const before = await pointer(connection, { isPatient: false });
  if ((before.keyMask & BUTTONS) !== 0) return ok("not tried: a button is held down");
  const step = before.rootX > 0 ? -1 : 1;
  const move = (x: number) => xtest.FakeInput(xtest.MotionNotify, RELATIVE, 0, 0, x, 0);
  const start = performance.now();
  move(step);
  const there = pointer(connection, { isPatient: true });
  move(-step);
  const [moved, after] = await Promise.all([there, pointer(connection, { isPatient: false })]);
  const took = sinceText(start);
  if (moved.rootX === before.rootX + step) {
    return ok(`the cursor moved by a pixel and back in ${took}, nothing was clicked`);
  }
  if (moved.rootX !== before.rootX || after.rootX !== before.rootX) {
    return ok(`answered in ${took}, while somebody moved the mouse`);
  }
  return failed(
    "the X server takes input, and the cursor does not move: a program has locked it",
    "end the program that holds the mouse (a game, a virtual machine), or use --virtual-display",
  );
}

function pointer(connection: X11Connection, options: { readonly isPatient: boolean }) {
  return connection.call<{ rootX: number; keyMask: number }>(
    (done) => connection.client.QueryPointer(connection.root, done as never),
    options,
  );
}

async function textProperty(connection: X11Connection, window: number, name: string) {
  return new TextDecoder().decode(await property(connection, window, name));
}

async function property(
  connection: X11Connection,
  window: number,
  name: string,
): Promise<Uint8Array> {
  const { client } = connection;
  const atom = await connection.call<number>((done) => client.InternAtom(true, name, done));
  if (atom === 0) return new Uint8Array();
  const { data } = await connection.call<{ data: Uint8Array }>((done) =>
    client.GetProperty(0, window, atom, ANY_TYPE, 0, MAX_PROPERTY, done as never)
  );
  return data;
}
