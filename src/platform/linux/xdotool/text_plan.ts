/** Splits a text into strokes that xdotool types in runs. */

import { splitIntoStrokes } from "../../strokes.ts";
import type { TextPlan } from "../../types/mod.ts";
import type { XdotoolProcess } from "./process.ts";
import type { CommandQueue } from "./queue.ts";

/**
 * Milliseconds per stroke in a run of characters beyond ASCII. xdotool maps a missing character,
 * presses it and removes the mapping again; a program that reads the map later does not find the
 * character.
 */
const BEYOND_ASCII_DELAY_MS = 100;
/**
 * The most strokes per process, which cannot be stopped midway: well under a second for either
 * kind.
 */
const STROKES_PER_PROCESS = { ascii: 200, beyondAscii: 5 } as const;

/** @throws ValueFault on `text` for control characters and lone surrogates. */
export function planText(queue: CommandQueue, text: string): TextPlan {
  const strokes = splitIntoStrokes(text);
  return {
    length: strokes.length,
    sliceSize: strokes.some(isBeyondAscii)
      ? STROKES_PER_PROCESS.beyondAscii
      : STROKES_PER_PROCESS.ascii,
    async send(from, to) {
      await queue.run(...groupIntoRuns(strokes.slice(from, to)).map(describeProcess));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function isBeyondAscii(stroke: string): boolean {
  return stroke.codePointAt(0)! > 0x7e;
}

interface Run {
  readonly kind: keyof typeof STROKES_PER_PROCESS;
  readonly strokes: string[];
}

/** Adjacent strokes of the same kind go into one process, up to its limit. */
function groupIntoRuns(strokes: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const stroke of strokes) {
    const kind = isBeyondAscii(stroke) ? "beyondAscii" : "ascii";
    const last = runs.at(-1);
    if (last?.kind === kind && last.strokes.length < STROKES_PER_PROCESS[kind]) {
      last.strokes.push(stroke);
    } else {
      runs.push({ kind, strokes: [stroke] });
    }
  }
  return runs;
}

function describeProcess({ kind, strokes }: Run): XdotoolProcess {
  const delay = String(kind === "beyondAscii" ? BEYOND_ASCII_DELAY_MS : 0);
  // Modifiers that are held down are released for the run and pressed again; Caps Lock stays off.
  const args = ["type", "--clearmodifiers", "--delay", delay, "--file", "-"];
  return { args, stdin: strokes.join("") };
}
