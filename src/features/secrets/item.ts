/** An item as the keychain stores it: named values in one text. */

/** The values of one service by field name. */
export type Item = ReadonlyMap<string, string>;

export function itemToText(item: Item): string {
  return JSON.stringify([...item]);
}

/** @throws an error that does not contain the text, when this service did not write the text. */
export function itemOfText(text: string): Item {
  const entries = parse(text);
  if (Array.isArray(entries) && entries.every(isEntry)) return new Map(entries);
  throw new TypeError("A keychain item has another form than this service writes");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the engine's message quotes the text
  }
}

function isEntry(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && entry.length === 2 &&
    entry.every((part) => typeof part === "string");
}

// Joins the pieces of a stream.

export const NOTHING = new Uint8Array(0);

/** The pieces as one array; not copied if only one is non-empty. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.byteLength > 0);
  if (filled.length === 1) return filled[0]!;
  const all = new Uint8Array(filled.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of filled) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}
