/** An item as the keychain stores it: named values in one text. */

import { joinBytes } from "../../core/bytes.ts";
import { tryParseJson } from "../../core/texts.ts";

/** The values of one service by field name. */
export type Item = ReadonlyMap<string, string>;

export function itemToText(item: Item): string {
  return JSON.stringify([...item]);
}

/** @throws an error that does not contain the text, when this service did not write the text. */
export function itemOfText(text: string): Item {
  const entries = tryParseJson(text);
  if (Array.isArray(entries) && entries.every(isEntry)) return new Map(entries);
  throw new TypeError("A keychain item does not have the format of this service");
}

function isEntry(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && entry.length === 2 &&
    entry.every((part) => typeof part === "string");
}

// Joins the pieces of a stream.

export const NOTHING = new Uint8Array(0);

/** The pieces as one array; not copied if only one is non-empty. */
export function joinPieces(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.byteLength > 0);
  return filled.length === 1 ? filled[0]! : joinBytes(filled);
}
