/** A text as strokes, typed by xdotool in runs. */

import { splitIntoStrokes } from "../../strokes.ts";
import type { TextPlan } from "../../types/mod.ts";
import type { XdotoolProcess } from "./process.ts";
import type { CommandQueue } from "./queue.ts";

/**
 * Milliseconds per stroke of a run with other characters than ASCII. xdotool maps a missing
 * character, presses it and takes the mapping back; a program that reads the map later sees nothing.
 */
const BEYOND_ASCII_DELAY_MS = 100;
/** Strokes of one process, which cannot be stopped in between: well under a second of either kind. */
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

/** Neighbours of the same kind go into one process, up to its bound. */
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
  // Modifiers that somebody holds are taken away for the run and given back; Caps Lock stays off.
  const args = ["type", "--clearmodifiers", "--delay", delay, "--file", "-"];
  return { args, stdin: strokes.join("") };
}
