/** Pressing a key or a combination: down in order, up in reverse, whatever happens in between. */

import type { Key } from "../../platform/types.ts";
import type { Turn } from "../input_turn.ts";
import type { Context } from "../operation.ts";
import type { Desk } from "../session.ts";
import { withInput } from "../with_input.ts";
import { chordKeys, pressAll, releaseAll, splitCombination } from "./chord.ts";
import { awaitForeignModifiers } from "./foreign_modifiers.ts";

export interface KeyInput {
  readonly key: string;
  readonly duration_ms: number;
  readonly display_num: number;
}

/** One key, or a combination written `ctrl+shift+t`. Answers JSON `null`. */
export function pressKey(context: Context, input: KeyInput): Promise<null> {
  const keys = chordKeys(splitCombination(input.key), "key");
  return pressChord(context, keys, input);
}

export interface HotkeyInput {
  readonly keys: readonly string[];
  readonly display_num: number;
}

export function pressHotkey(context: Context, input: HotkeyInput): Promise<null> {
  const keys = chordKeys(input.keys, "keys");
  return pressChord(context, keys, { duration_ms: 0, display_num: input.display_num });
}

async function pressChord(
  context: Context,
  keys: readonly Key[],
  how: { duration_ms: number; display_num: number },
): Promise<null> {
  await withInput(context, how.display_num, (desk, turn) => {
    const ready = awaitForeignModifiers(desk, turn, context.config.limits) ??
      desk.input.keyboard.prepare(keys);
    if (!ready && how.duration_ms === 0) return sendChord(desk, keys);
    return sendLongChord(desk, keys, { ready, durationMs: how.duration_ms, turn });
  });
  return null;
}

function sendChord(desk: Desk, keys: readonly Key[]): void {
  const pressed: Key[] = [];
  try {
    pressAll(desk, keys, pressed);
  } finally {
    releaseAll(desk, pressed);
  }
}

async function sendLongChord(
  desk: Desk,
  keys: readonly Key[],
  how: { ready: void | Promise<void>; durationMs: number; turn: Turn },
): Promise<void> {
  await how.ready;
  await desk.input.keyboard.prepare(keys);
  const pressed: Key[] = [];
  try {
    pressAll(desk, keys, pressed);
    if (how.durationMs > 0) await how.turn.pause(how.durationMs);
  } finally {
    releaseAll(desk, pressed);
  }
}
