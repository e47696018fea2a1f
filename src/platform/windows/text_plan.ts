/** A text as keystrokes: line breaks and tabs are keys, everything else is sent as it is. */

import { ValueFault } from "../../errors.ts";
import { isControl } from "../keys.ts";
import type { TextPlan } from "../types.ts";
import { unitsOf } from "./key_strokes.ts";
import { type VirtualKey, VK } from "./virtual_keys.ts";

/** Strokes of one call, for a text to be stopped soon. */
const SLICE_SIZE = 50;
/** Faults that an error names. */
const MAX_NAMED = 5;

/** Sends one stroke: a key, or the UTF-16 units of a character. */
export type SendStroke = (key: VirtualKey | undefined, units: readonly number[]) => void;

/** @throws ValueFault on `text` for control characters and lone surrogates. */
export async function planText(text: string, send: SendStroke): Promise<TextPlan> {
  const characters = await Promise.resolve(strokesOf(text));
  return {
    length: characters.length,
    sliceSize: SLICE_SIZE,
    send(from, to) {
      for (const character of characters.slice(from, to)) {
        const vk = KEYS.get(character);
        if (vk === undefined) send(undefined, unitsOf(character));
        else send({ vk, extended: false }, []);
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const KEYS: ReadonlyMap<string, number> = new Map([["\n", VK.RETURN], ["\t", VK.TAB]]);

/** One stroke per code point; a line break of any kind is one `\n`. */
function strokesOf(text: string): string[] {
  const strokes: string[] = [];
  const faults: string[] = [];
  let previous = "";
  [...text].forEach((character, position) => {
    const codePoint = character.codePointAt(0)!;
    const secondHalf = character === "\n" && previous === "\r";
    previous = character;
    if (secondHalf) return;
    if (!isTyped(codePoint)) {
      faults.push(`U+${codePoint.toString(16).toUpperCase().padStart(4, "0")} at ${position}`);
    } else strokes.push(character === "\r" ? "\n" : character);
  });
  if (faults.length === 0) return strokes;
  const more = faults.length > MAX_NAMED ? ` and ${faults.length - MAX_NAMED} more` : "";
  throw new ValueFault(
    "text",
    `Characters that cannot be typed: ${faults.slice(0, MAX_NAMED).join(", ")}${more}`,
  );
}

function isTyped(codePoint: number): boolean {
  if (codePoint === 0x09 || codePoint === 0x0a || codePoint === 0x0d) return true;
  return !isControl(codePoint) && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
}
