/**
 * Tracks which buttons and keys this service holds down, and plans the processes that release them.
 */

import type { Button } from "../types/mod.ts";
import type { MacEvent } from "./event_script.ts";
import { type Modifier, MODIFIERS } from "./mac_keys.ts";

/** The input of one process. */
export type Job =
  | { readonly program: "cliclick"; readonly lines: readonly string[] }
  | { readonly program: "osascript"; readonly events: readonly MacEvent[] };

export interface Pressed {
  readonly buttons: ReadonlySet<Button>;
  /** Key codes. */
  readonly codes: ReadonlySet<number>;
  readonly modifiers: ReadonlySet<Modifier>;
}

export const NOTHING_PRESSED: Pressed = {
  buttons: new Set(),
  codes: new Set(),
  modifiers: new Set(),
};

/** CGMouseButton. */
export const BUTTON_NUMBERS = {
  left: 0,
  right: 1,
  middle: 2,
  back: 3,
  forward: 4,
} satisfies Readonly<Record<Button, number>>;

const BUTTONS = Object.keys(BUTTON_NUMBERS) as Button[];

/** The pressed keys and buttons without the released ones. */
export function without(pressed: Pressed, released: Pressed): Pressed {
  return {
    buttons: pressed.buttons.difference(released.buttons),
    codes: pressed.codes.difference(released.codes),
    modifiers: pressed.modifiers.difference(released.modifiers),
  };
}

/** The union of two sets of pressed keys and buttons. */
export function both(one: Pressed, other: Pressed): Pressed {
  return {
    buttons: one.buttons.union(other.buttons),
    codes: one.codes.union(other.codes),
    modifiers: one.modifiers.union(other.modifiers),
  };
}

/** The modifiers that `t:` presses for a character, and leaves down if it is killed. */
export function typedBy(jobs: readonly Job[]): Pressed {
  const types = jobs.some((job) =>
    job.program === "cliclick" && job.lines.some((line) => line.startsWith("t:"))
  );
  return { ...NOTHING_PRESSED, modifiers: new Set(types ? ["alt", "shift"] : []) };
}

/** Everything that jobs may have left down when they did not complete. */
export function touchedBy(jobs: readonly Job[]): Pressed {
  const lines = jobs.flatMap((job) => job.program === "cliclick" ? job.lines : []);
  const events = jobs.flatMap((job) => job.program === "osascript" ? job.events : []);
  const numbers = new Set(events.flatMap((event) => "button" in event ? event.button : []));
  const keys = lines.filter((line) => /^k[du]:/.test(line))
    .flatMap((line) => line.slice(3).split(","));
  return {
    buttons: new Set(BUTTONS.filter((button) =>
      numbers.has(BUTTON_NUMBERS[button]) ||
      (button === "left" && lines.some((line) => /^d[dmu]:/.test(line)))
    )),
    codes: new Set(events.flatMap((event) => event.type === "key" ? event.code : [])),
    modifiers: new Set(MODIFIERS.filter((modifier) => keys.includes(modifier))),
  };
}

/** Plans the processes that release these keys and buttons. */
export function planReleases({ buttons, codes, modifiers }: Pressed): Job[] {
  const lines = [
    ...(modifiers.size > 0 ? [`ku:${[...modifiers].join()}`] : []),
    ...(buttons.has("left") ? ["du:."] : []),
  ];
  const others = [...buttons].filter((button) => button !== "left");
  const events: MacEvent[] = [
    ...[...codes].map((code) => ({ type: "key", code, down: false }) as const),
    ...others.map((button) =>
      ({ type: "button", button: BUTTON_NUMBERS[button], down: false }) as const
    ),
  ];
  return [
    ...(lines.length > 0 ? [{ program: "cliclick", lines } as const] : []),
    ...(events.length > 0 ? [{ program: "osascript", events } as const] : []),
  ];
}
