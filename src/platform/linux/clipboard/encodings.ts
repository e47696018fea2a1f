/** Converts what programs put on clipboards to UTF-8, part by part. */

import { Turns } from "../../../core/turns.ts";
import type { Parts } from "../../types/mod.ts";
import type { Encoding } from "./formats.ts";

const BOM_UTF16LE = 0xfffe;
const BOM_UTF16BE = 0xfeff;

/**
 * The text as UTF-8. Where the encoding is not known, a byte order mark decides (Firefox puts HTML
 * there as UTF-16), else it is UTF-8.
 */
export async function toUtf8(parts: Parts, encoding: Encoding): Promise<Parts> {
  const label = encoding === "latin-1" ? "latin1" : encoding === "unknown" && markedAs(parts);
  if (!label) return parts;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder(label);
  const turns = new Turns();
  const converted: Uint8Array<ArrayBuffer>[] = [];
  for (const part of parts) {
    converted.push(encoder.encode(decoder.decode(part, { stream: true })));
    await turns.pass();
  }
  return [...converted, encoder.encode(decoder.decode())];
}

function markedAs(parts: Parts): "utf-16le" | "utf-16be" | undefined {
  const [first, second] = startOf(parts, 2);
  const mark = first! << 8 | second!;
  return mark === BOM_UTF16LE ? "utf-16le" : mark === BOM_UTF16BE ? "utf-16be" : undefined;
}

/** The first bytes. */
export function startOf(parts: Parts, length: number): Uint8Array<ArrayBuffer> {
  const start = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    if (at === length) break;
    const piece = part.subarray(0, length - at);
    start.set(piece, at);
    at += piece.length;
  }
  return start.subarray(0, at);
}

/** Without the first `length` bytes. */
export function dropStart(parts: Parts, length: number): Parts {
  let rest = length;
  return parts.flatMap((part) => {
    const kept = part.subarray(rest);
    rest = Math.max(0, rest - part.length);
    return kept.length === 0 ? [] : [kept];
  });
}
