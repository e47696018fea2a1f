/** What tests on Windows need: the service's own backend, and a window of another program that tells what arrives. */

import { expect } from "expect";
import { openGdi32 } from "../../../ffi/windows/graphics.ts";
import { openUser32 } from "../../../ffi/windows/user32.ts";
import { findKey } from "../../../src/platform/keys.ts";
import type { Key } from "../../../src/platform/types/mod.ts";
import {
  type WindowsDisplay,
  WindowsDisplays,
  type WindowsInput,
} from "../../../src/platform/windows/displays.ts";
import { lineReader } from "../lines.ts";
import { waitFor } from "../wait.ts";

export interface WindowsDesktop extends AsyncDisposable {
  readonly displays: WindowsDisplays;
  readonly display: WindowsDisplay;
  readonly input: WindowsInput;
}

/** The first monitor, as the service opens it. */
export function openDesktop(): WindowsDesktop {
  const user32 = openUser32();
  const gdi32 = openGdi32();
  const displays = new WindowsDisplays({ user32: user32.symbols, gdi32: gdi32.symbols });
  const display = displays.open(1);
  const input = display.input.use;
  return {
    displays,
    display,
    input,
    async [Symbol.asyncDispose]() {
      await input.releaseAll();
      displays[Symbol.dispose]();
      user32.close();
      gdi32.close();
    },
  };
}

/** Presses in order and releases in reverse, as a chord does. */
export async function chord({ input }: WindowsDesktop, ...names: readonly string[]): Promise<void> {
  const keys = names.map(keyNamed);
  await input.keyboard.use.prepare(keys);
  for (const key of keys) input.keyboard.use.press(key);
  for (const key of keys.toReversed()) input.keyboard.use.release(key);
  await input.confirm();
}

export async function type({ input }: WindowsDesktop, text: string): Promise<void> {
  await using plan = await input.keyboard.use.plan(text);
  await plan.send(0, plan.length);
  await input.confirm();
}

export function keyNamed(name: string): Key {
  const key = findKey(name);
  expect(key).toBeDefined();
  return key!;
}

/** A message that the window has got. */
export interface WindowMessage {
  readonly name: string;
  /** The virtual key, or the UTF-16 unit of `char`. */
  readonly code?: number;
  readonly scan?: number;
  readonly extended?: boolean;
  /** The turn of the wheel, or the number of an X button. */
  readonly data?: number;
  /** In the window; of the wheel: on the screen. */
  readonly x?: number;
  readonly y?: number;
}

export interface EditWindow extends AsyncDisposable {
  /** A point in it, on the screen. */
  readonly inside: { readonly x: number; readonly y: number };
  /** Everything that has come so far. */
  readonly messages: readonly WindowMessage[];
  /** Resolves when the window holds exactly this text. */
  holds(text: string): Promise<void>;
  /** Resolves with the messages of these names when there are so many of them since the last call. */
  received(names: readonly string[], count: number): Promise<readonly WindowMessage[]>;
}

/** Starts it as another program, in front of all others. */
export async function openEditWindow(): Promise<EditWindow> {
  const script = new URL("./edit_window.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--no-config",
      "--no-lock",
      script,
      "100",
      "100",
      "600",
      "400",
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = lineReader(child.stdout);
  await lines.until(/"ready"/);
  const messages: WindowMessage[] = [];
  let text = "";
  let seen = 0;
  const reading = (async () => {
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
      const value = JSON.parse(line);
      if ("text" in value) text = value.text;
      else messages.push(value);
    }
  })();
  return {
    inside: { x: 300, y: 300 },
    messages,
    holds: async (wanted) => {
      await waitFor(() => text.replaceAll("\r\n", "\n") === wanted, {
        what: JSON.stringify(wanted),
      })
        .catch(() => expect(text.replaceAll("\r\n", "\n")).toBe(wanted));
    },
    async received(names, count) {
      const fitting = () => messages.slice(seen).filter(({ name }) => names.includes(name));
      await waitFor(() => fitting().length >= count, { what: `${count} of ${names.join()}` })
        .catch(() => expect(messages.slice(seen)).toHaveLength(count));
      const found = fitting();
      seen = messages.length;
      return found;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
      await reading;
    },
  };
}
