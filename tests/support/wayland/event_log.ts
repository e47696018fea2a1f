/** A terminal that fills the output of sway, and what the compositor tells it of mouse and keyboard. */

import type { RealProcess } from "../../real_programs/support/processes.ts";
import { waitFor } from "../wait.ts";
import { START_MS } from "./compositors.ts";
import type { WaylandDesktop } from "./desktop.ts";
import { giveToDesktopUser } from "./user.ts";

/** A line of sway's configuration without which a window is smaller than the output. */
export const FILLS_OUTPUT = "default_border none";

/** Linux's numbers for buttons (input-event-codes.h). */
const BUTTONS: Readonly<Record<string, string>> = {
  "272": "left",
  "273": "right",
  "274": "middle",
};

export interface PointerEvent {
  readonly type: "motion" | "press" | "release";
  /** For motions: where, in the coordinates of the window, which are those of the output. */
  readonly x?: number;
  readonly y?: number;
  readonly button?: string;
}

export interface KeyEvent {
  /** Its keycode (evdev). */
  readonly key: number;
  readonly isPress: boolean;
}

export interface EventLog extends AsyncDisposable {
  readonly program: RealProcess;
  /** What the mouse did since the last {@link clear}; entering counts as a motion. */
  pointer(): Promise<PointerEvent[]>;
  keys(): Promise<KeyEvent[]>;
  /** The text that it got, once it has `length` letters. */
  text(length: number): Promise<string>;
  clear(): Promise<void>;
}

const POINTER = /wl_pointer@\d+\.(enter|motion|button)\(([^)]*)\)/g;
const KEY = /wl_keyboard@\d+\.key\((\d+), (\d+), (\d+), (\d+)\)/g;

/** Resolves when it has the focus. */
export async function openEventLog(
  desktop: Pick<WaylandDesktop, "home" | "start">,
): Promise<EventLog> {
  const file = `${desktop.home}/events-${crypto.randomUUID()}`;
  await Deno.writeTextFile(file, "");
  await giveToDesktopUser(file);
  const script =
    `stty -echo -icanon -isig -ixon -icrnl min 1; echo ready >&2; exec cat > '${file}'`;
  const program = desktop.start("foot", ["sh", "-c", script], {
    env: { WAYLAND_DEBUG: "client" },
  });
  await waitFor(async () => {
    if (!program.running()) throw new Error(`foot has ended: ${await program.errors()}`);
    return /wl_surface@\d+\.enter\(wl_output/.test(await program.errors());
  }, { what: "the terminal", timeoutMs: START_MS });
  let seen = 0;
  const log = async () => (await program.errors()).slice(seen);
  return {
    program,
    pointer: async () => [...(await log()).matchAll(POINTER)].map(readPointer),
    keys: async () =>
      [...(await log()).matchAll(KEY)].map(([, , , key, state]) => ({
        key: Number(key),
        isPress: state === "1",
      })),
    async text(length) {
      const read = async () => (await Deno.readTextFile(file)).replaceAll("\r", "\n");
      await waitFor(async () => (await read()).length >= length).catch(() => {});
      return await read();
    },
    async clear() {
      seen = (await program.errors()).length;
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

function readPointer([, name, list]: RegExpMatchArray): PointerEvent {
  const values = list!.split(", ");
  if (name === "button") {
    const type = values[3] === "1" ? "press" : "release";
    return { type, button: BUTTONS[values[2]!] ?? values[2]! };
  }
  const [x, y] = values.slice(-2).map(Number);
  return { type: "motion", x: x!, y: y! };
}
