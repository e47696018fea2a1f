/** Reads the `Range` header (RFC 9110, 14.2). */

import type { ByteRange } from "../features/context.ts";

/** One range; several, and other units, are ignored, which the standard permits. */
const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** `undefined` when the whole file is to be sent: also where the range lies beyond its end. */
export function readByteRange(header: string | null, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = ONE_RANGE.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const range = first === ""
    ? { start: Math.max(0, size - Number(last)), end: size }
    : { start: Number(first), end: last === "" ? size : Math.min(size, Number(last) + 1) };
  return range.start < range.end ? range : undefined;
}
