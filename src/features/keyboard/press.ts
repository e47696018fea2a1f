/**
 * Presses a key or a combination: down in order, up in reverse order, even after a failure in
 * between.
 */

import type { Key } from "../../platform/types/mod.ts";
import type { Turn } from "../input/input_turn.ts";
import type { Context } from "../context.ts";
import type { DisplaySession } from "../session.ts";
import type { Effect } from "../input/effect.ts";
import { type InputTarget, sendKeys } from "../input/observed_input.ts";
import { chordKeys, pressAll, releaseAll, splitCombination } from "./chord.ts";
import { awaitOthers } from "./held_by_others.ts";

/**
 * Pause between two presses of one key, in milliseconds: programs treat presses with the same time
 * stamp as auto-repeat.
 */
const REPEAT_PAUSE_MS = 12;

export interface KeyInput extends InputTarget {
  readonly key: string;
  readonly duration_ms: number;
  readonly repeat: number;
}

/** Presses one key, or a combination written `ctrl+shift+t`. Answers with JSON `null`, or the effect. */
export function pressKey(context: Context, input: KeyInput): Promise<Effect | null> {
  const keys = chordKeys(splitCombination(input.key), "key");
  return pressChord(context, keys, input);
}

export interface HotkeyInput extends InputTarget {
  readonly keys: readonly string[];
  readonly repeat: number;
}

export function pressHotkey(context: Context, input: HotkeyInput): Promise<Effect | null> {
  const keys = chordKeys(input.keys, "keys");
  return pressChord(context, keys, { ...input, duration_ms: 0 });
}

async function pressChord(
  context: Context,
  keys: readonly Key[],
  how: Omit<KeyInput, "key">,
): Promise<Effect | null> {
  const effect = await sendKeys(context, how, (displaySession, turn) => {
    const ready = awaitOthers(displaySession, turn, context.config.limits) ??
      displaySession.keyboard.prepare(keys);
    if (!ready && how.duration_ms === 0 && how.repeat === 1) return sendChord(displaySession, keys);
    return sendChords(displaySession, keys, { ...how, ready, turn });
  });
  return effect ?? null;
}

function sendChord(displaySession: DisplaySession, keys: readonly Key[]): void {
  const pressed: Key[] = [];
  try {
    pressAll(displaySession, keys, pressed);
  } finally {
    releaseAll(displaySession, pressed);
  }
}

/**
 * Presses and releases the whole combination `repeat` times, holding it for `duration_ms` each
 * time.
 */
async function sendChords(
  displaySession: DisplaySession,
  keys: readonly Key[],
  { ready, duration_ms, repeat, turn }: Pick<KeyInput, "duration_ms" | "repeat"> & {
    readonly ready: void | Promise<void>;
    readonly turn: Turn;
  },
): Promise<void> {
  await ready;
  for (let time = 1;; time++) {
    await displaySession.keyboard.prepare(keys);
    await holdChord(displaySession, keys, { durationMs: duration_ms, turn });
    if (time === repeat) return;
    await displaySession.input.confirm();
    await turn.pause(REPEAT_PAUSE_MS);
  }
}

async function holdChord(
  displaySession: DisplaySession,
  keys: readonly Key[],
  { durationMs, turn }: { readonly durationMs: number; readonly turn: Turn },
): Promise<void> {
  const pressed: Key[] = [];
  try {
    pressAll(displaySession, keys, pressed);
    if (durationMs > 0) await turn.pause(durationMs);
  } finally {
    releaseAll(displaySession, pressed);
  }
}
