/** Writes tar archives (POSIX ustar): the same files always give the same bytes. */

import { gzipSync } from "node:zlib";

const BLOCK = 512;

/** A packed archive of plain files, each with mode 600 and no time. */
export function tarGzip(files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const parts = [...files].flatMap(([name, bytes]) => [
    header(name, bytes.length),
    bytes,
    new Uint8Array(-bytes.length & (BLOCK - 1)),
  ]);
  return new Uint8Array(gzipSync(joined([...parts, new Uint8Array(2 * BLOCK)]), { level: 9 }));
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Field -> where it begins and what it holds; the checksum counts itself as eight spaces. */
function header(name: string, size: number): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => block.set(new TextEncoder().encode(text), at);
  if (new TextEncoder().encode(name).length > 100) throw new Error(`"${name}" is too long for tar`);
  put(0, name);
  put(100, "0000600\0");
  put(108, "0000000\0"); // user
  put(116, "0000000\0"); // group
  put(124, `${octal(size, 11)}\0`);
  put(136, `${octal(0, 11)}\0`); // time
  put(148, " ".repeat(8));
  put(156, "0"); // a plain file
  put(257, "ustar\x0000");
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, `${octal(sum, 6)}\0 `);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
