/** Takes large texts out of a parsed body and puts them back: between threads they go as bytes, which cost the one that gets them nothing at once. */

import type { Turns } from "../../core/turns.ts";

/** From this length on, in UTF-16 code units. */
const LARGE = 128 * 1024;
/** Decoded at once, in bytes: a fraction of a millisecond. */
const PIECE = 128 * 1024;

/** The value that all others are in. */
export interface Holder {
  value: unknown;
}

/** A text that was taken out. */
export interface LargeText {
  /** From the holder down. */
  readonly path: readonly string[];
  /** As UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Inside = Record<string, unknown>;

interface Place {
  readonly inside: Inside;
  readonly path: readonly string[];
}

/** Leaves empty texts; one that no UTF-8 can hold stays where it is. */
export function takeOutLargeTexts(holder: Holder): LargeText[] {
  const texts: LargeText[] = [];
  const encoder = new TextEncoder();
  const waiting: Place[] = [{ inside: holder as unknown as Inside, path: [] }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { inside, path } = place;
    for (const key of Object.keys(inside)) {
      const value = inside[key];
      if (typeof value === "object" && value !== null) {
        waiting.push({ inside: value as Inside, path: [...path, key] });
      } else if (typeof value === "string" && value.length > LARGE && value.isWellFormed()) {
        texts.push({ path: [...path, key], bytes: encoder.encode(value) });
        put(inside, key, "");
      }
    }
  }
  return texts;
}

/** Puts them back, and lets others have their turns in between. */
export async function putBackLargeTexts(
  holder: Holder,
  texts: readonly LargeText[],
  turns: Turns,
): Promise<void> {
  for (const { path, bytes } of texts) {
    let inside = holder as unknown as Inside;
    for (const key of path.slice(0, -1)) inside = inside[key] as Inside;
    put(inside, path.at(-1)!, await decode(bytes, turns));
  }
}

async function decode(bytes: Uint8Array, turns: Turns): Promise<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
    await turns.pass();
  }
  return text + decoder.decode();
}

/** Also under the name "__proto__". */
function put(inside: Inside, key: string, value: unknown): void {
  Object.defineProperty(inside, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
