/** Orders names by code point, which is also the order of their UTF-8 bytes. */

/** Sorts in place. */
export function sortByName<T extends { readonly name: string }>(entries: T[]): T[] {
  return entries.sort((one, other) => compareText(one.name, other.name));
}

/** Folders first, then by `key`. */
export function foldersFirst<T extends { readonly type: string }>(key: (entry: T) => string) {
  return (one: T, other: T): number => {
    if (one.type !== other.type) return one.type === "directory" ? -1 : 1;
    return compareText(key(one), key(other));
  };
}

export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  // the engine compares code units, whose order differs from that of code points only with
  // surrogates
  if (hasSurrogate(one) || hasSurrogate(other)) return compareCodePoints(one, other);
  return one < other ? -1 : 1;
}

function hasSurrogate(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

function compareCodePoints(one: string, other: string): number {
  const [these, those] = [[...one], [...other]];
  const length = Math.min(these.length, those.length);
  for (let index = 0; index < length; index++) {
    const difference = these[index]!.codePointAt(0)! - those[index]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return these.length - those.length;
}
