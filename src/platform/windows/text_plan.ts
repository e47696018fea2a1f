/** Plans a text as keystrokes: line breaks and tabs as keys, all other characters as Unicode. */

import { splitIntoStrokes } from "../strokes.ts";
import type { TextPlan } from "../types/mod.ts";
import { toUtf16Units } from "./key_strokes.ts";
import { type VirtualKey, VK } from "./virtual_keys.ts";

/** Most strokes of one call, so that typing can stop quickly. */
const SLICE_SIZE = 50;

/** Sends one stroke: a key, or the UTF-16 units of a character. */
export type SendStroke = (key: VirtualKey | undefined, units: readonly number[]) => void;

/** @throws ValueFault on `text` for control characters and lone surrogates. */
export function planText(text: string, send: SendStroke): TextPlan {
  const characters = splitIntoStrokes(text);
  return {
    length: characters.length,
    sliceSize: SLICE_SIZE,
    send(from, to) {
      for (const character of characters.slice(from, to)) {
        const vk = KEYS.get(character);
        if (vk === undefined) send(undefined, toUtf16Units(character));
        else send({ vk, extended: false }, []);
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const KEYS: ReadonlyMap<string, number> = new Map([["\n", VK.RETURN], ["\t", VK.TAB]]);
