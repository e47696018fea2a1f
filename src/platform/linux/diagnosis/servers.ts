/** Finds the X server that would be display 1, as the start does, without changing anything. */

import type { Config } from "../../../config/config.ts";
import { DEFAULT_VIRTUAL_SCREEN } from "../../../config/options.ts";
import { failed, note, ok, sinceText, type Verdict } from "../../diagnosis.ts";
import type { Host } from "../../host.ts";
import { keysymOfCodePoint } from "../../keys.ts";
import { installCommand } from "../setup/programs.ts";
import type { Xkb, XTest } from "../x11/client.ts";
import { requireExtension, X11Connection } from "../x11/connection.ts";
import { candidatesFor, checkGuess, startOnFreeNumber } from "../displays/find_display.ts";
import { Layout } from "../x11/layout.ts";
import { describeOpenFailure, isRefused } from "../x11/setup.ts";
import { internAtom, readWords } from "../x11/window_queries.ts";
import { startXvfb } from "../virtual/x_display.ts";

/** How long a server for the test may take to start, on a busy computer too. */
const START_TIMEOUT_MS = 8_000;
/** The time limit of {@link findServer} where that may start a server. */
export const FIND_MS = 10_000;
/** The time limit for a server that is named: the connection has 5 s itself, and says less at their end. */
export const NAMED_MS = 4_500;

interface DisplayServer {
  readonly verdict: Verdict;
  readonly connection?: X11Connection;
  /** Whether it is a server that was started for the test. */
  readonly isOwn?: boolean;
}

export interface Session {
  readonly host: Host;
  readonly config: Config;
  /** Why this version cannot serve the session. */
  readonly refusal: string | undefined;
}

/** @param atEnd ends a server that was started for the test */
export async function findServer(
  { host, config, refusal }: Session,
  atEnd: AsyncDisposableStack,
): Promise<DisplayServer> {
  const named = config.displays.get(1);
  if (named !== undefined) return await openNamed(named, "given by --display");
  if (config.virtualDisplay !== undefined) {
    return await startVirtual(host, config, atEnd, "as requested by --virtual-display");
  }
  const [candidate] = candidatesFor(host, config, { refusal });
  if (host.env["DISPLAY"]) return await openNamed(host.env["DISPLAY"], "it is $DISPLAY");
  if (candidate === undefined) return { verdict: failed(refusal!, ELSEWHERE) };
  try {
    await checkGuess(candidate, host.uid);
    return await openNamed(candidate, "an X server of this user answers there");
  } catch (error) {
    if (isRefused(error)) return { verdict: openingFailed(candidate, error) };
    return await startVirtual(host, config, atEnd, "because this computer has no display");
  }
}

/** Whether a display that is not number 1 can be opened. */
export async function checkOther(xDisplay: string): Promise<Verdict> {
  const { verdict, connection } = await openNamed(xDisplay, "given by --display");
  connection?.[Symbol.dispose]();
  return verdict;
}

/** What mends a server that accepts a connection and says nothing. */
export function hangingServer(xDisplay: string | undefined) {
  const which = xDisplay === undefined ? "the X server" : `the X server at "${xDisplay}"`;
  return {
    detail: `${which} accepts the connection and does not respond: it hangs, or was stopped`,
    mend: "--virtual-display, or restart that server",
  };
}

async function openNamed(xDisplay: string, how: string): Promise<DisplayServer> {
  const start = performance.now();
  try {
    const connection = await X11Connection.open(xDisplay);
    const { size, screen } = connection;
    const about = `${size.width}x${size.height}, ${screen.root_depth} bits deep`;
    const verdict = ok(`"${xDisplay}" (${how}): ${about}, opened in ${sinceText(start)}`);
    return { connection, verdict };
  } catch (error) {
    return { verdict: openingFailed(xDisplay, error) };
  }
}

const ELSEWHERE = "--display <one of the X servers in /tmp/.X11-unix>, or --virtual-display";

function openingFailed(xDisplay: string, error: unknown): Verdict {
  // the advice at its end is the command that is shown on a line of its own
  const detail = describeOpenFailure(xDisplay, error).split(". Run ")[0]!;
  if (!isRefused(error)) return failed(detail, ELSEWHERE);
  const admit = `xhost "+si:localuser:$(id -un)" in a terminal of that session`;
  return failed(detail, `${admit}, or XAUTHORITY=<file with its cookie>`);
}

async function startVirtual(
  host: Host,
  config: Config,
  atEnd: AsyncDisposableStack,
  why: string,
): Promise<DisplayServer> {
  if (host.which("Xvfb") === undefined) return { verdict: withoutXvfb(host, config, why) };
  const { width, height } = config.virtualDisplay ?? DEFAULT_VIRTUAL_SCREEN;
  const start = performance.now();
  const options = { size: `${width}x${height}`, uid: host.uid ?? 0, startMs: START_TIMEOUT_MS };
  try {
    const server = await startOnFreeNumber(
      (display) => startXvfb({ ...options, display }),
      new Set(),
    );
    atEnd.defer(() => server.end());
    const took = sinceText(start);
    const connection = await X11Connection.open(server.display);
    const verdict = ok(`a virtual display of ${width}x${height}, ${why}, starts in ${took}`);
    return { connection, verdict, isOwn: true };
  } catch (error) {
    const detail = `the virtual display did not start: ${(error as Error).message}`;
    return { verdict: failed(detail, installCommand(host, ["xvfb"], "--reinstall ")) };
  }
}

function withoutXvfb(host: Host, { setup }: Config, why: string): Verdict {
  const detail = `a virtual display is needed, ${why}, and Xvfb is not installed`;
  const mend = installCommand(host, ["xvfb", "openbox", "dbus-daemon", "at-spi2-core"]);
  const isInstalledByStart = setup && host.uid === 0 && host.which("apt-get") !== undefined;
  return isInstalledByStart ? note(`${detail}: the start installs it`, mend) : failed(detail, mend);
}

// Checks what an X server must offer: input, a keyboard map, a window manager.

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
    return failed(`${name} has no Latin letters, and no unused keycode for them`, mend);
  }
  if (free.length === 0) {
    return note(`${name}, without an unused keycode: other characters cannot be typed`, mend);
  }
  return ok(`${name}; ${free.length} unused keycodes for characters that are not on it`);
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
  return note("none: windows have no frames, and do not get the keyboard focus by a click", mend);
}

async function windowManagerName(connection: X11Connection): Promise<string | undefined> {
  const [window] = readWords(
    await property(connection, connection.root, "_NET_SUPPORTING_WM_CHECK"),
  );
  if (window === undefined) return undefined;
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
  const { root } = connection;
  const before = await connection.request("QueryPointer", root);
  if ((before.keyMask & BUTTONS) !== 0) return ok("not tested: a button is held down");
  const step = before.rootX > 0 ? -1 : 1;
  const move = (x: number) => xtest.FakeInput(xtest.MotionNotify, RELATIVE, 0, 0, x, 0);
  const start = performance.now();
  move(step);
  const there = connection.requestPatiently("QueryPointer", root);
  move(-step);
  const [moved, after] = await Promise.all([there, connection.request("QueryPointer", root)]);
  const took = sinceText(start);
  if (moved.rootX === before.rootX + step) {
    return ok(`the cursor moved by a pixel and back in ${took}, nothing was clicked`);
  }
  if (moved.rootX !== before.rootX || after.rootX !== before.rootX) {
    return ok(`answered in ${took}, while a person moved the mouse`);
  }
  return failed(
    "the X server accepts input, but the cursor does not move: a program has locked it",
    "end the program that has locked the mouse (a game, a virtual machine), or use --virtual-display",
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
  const atom = await internAtom(connection, name);
  const asked = [0, window, atom, ANY_TYPE, 0, MAX_PROPERTY] as const;
  return (await connection.request("GetProperty", ...asked)).data;
}
