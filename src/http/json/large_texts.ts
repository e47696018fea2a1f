/**
 * Takes large texts out of a parsed body and puts them back: threads exchange them as bytes, which
 * cost the receiver nothing on arrival.
 */

import type { Turns } from "../../core/turns.ts";

/** Minimum length of a large text, in UTF-16 code units. */
const LARGE = 128 * 1024;
/** Bytes decoded in one go: takes a fraction of a millisecond. */
const PIECE = 128 * 1024;

/** An object that wraps the whole value. */
export interface Holder {
  value: unknown;
}

/** A text that was taken out. */
export interface LargeText {
  /** The keys from the holder down. */
  readonly path: readonly string[];
  /** As UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Inside = Record<string, unknown>;

interface Place {
  readonly inside: Inside;
  readonly path: readonly string[];
}

/** Leaves empty texts behind; a text that UTF-8 cannot represent stays where it is. */
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

/** Puts the texts back, and lets other tasks run in between. */
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

/** Sets a property, even one named "__proto__". */
function put(inside: Inside, key: string, value: unknown): void {
  Object.defineProperty(inside, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
