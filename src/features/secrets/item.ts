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
