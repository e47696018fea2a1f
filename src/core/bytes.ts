/** Bytes that come in parts: counted, joined, written completely and padded. */

/** How many bytes the parts have together. */
export function countBytes(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** A copy of all parts, one after the other. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(countBytes(parts));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** A file or a connection, which may take only a part of the bytes at a time. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<number>;
}

/** Writes until everything has been taken. */
export async function writeAll(to: ByteSink, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await to.write(bytes.subarray(done));
}

/** The next multiple of `unit`, such as the boundary to which a format pads its fields. */
export function roundUp(length: number, unit: number): number {
  return Math.ceil(length / unit) * unit;
}
