/** Reads a part of a file, as text or as base64. */

import { type FileAction, translating } from "./file_errors.ts";
import type { Context } from "../context.ts";
import type { Streamed } from "../streamed.ts";
import { type FileReader, openReader } from "./file_reader.ts";
import { resolvePath } from "./path.ts";
import { base64Text, jsonText, SHORT_BYTES, streamText } from "./text_answer.ts";

export interface ReadInput {
  readonly path: string;
  readonly encoding: "text" | "base64";
  readonly offset: number;
  readonly length: number;
}

export interface ReadOutput {
  readonly content: string;
  readonly encoding: "text" | "base64";
  readonly size: number;
  readonly next_offset: number;
}

/** The longest UTF-8 sequence has three bytes after the first. */
const MAX_TAIL = 3;

export async function readFile(
  { config }: Context,
  input: ReadInput,
): Promise<ReadOutput | Streamed> {
  const path = resolvePath(input.path, config.home, "path");
  const attempt: FileAction = { action: "Cannot read", path, field: "path" };
  await using reader = await openReader(attempt);
  const { encoding, offset, length } = input;
  const { size } = reader;
  const wanted = encoding === "text" ? length + MAX_TAIL : length;
  const bytes = await translating(attempt, () => readAt(reader, offset, wanted));
  const part = encoding === "text" ? bytes.subarray(0, wholeCharacters(bytes, length)) : bytes;
  const rest = {
    encoding,
    size,
    // files that the kernel generates (in /proc) report size 0 but have content
    next_offset: part.length > 0 ? offset + part.length : Math.min(offset, size),
  };
  if (part.length > SHORT_BYTES) {
    const pieces = encoding === "text" ? jsonText([part]) : base64Text(part);
    return streamText(`{"content":`, pieces, `,${JSON.stringify(rest).slice(1)}`);
  }
  const content = encoding === "text"
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(part)
    : part.toBase64();
  return { content, ...rest };
}

async function readAt(
  reader: FileReader,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  reader.seek(offset);
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const read = await reader.read(bytes.subarray(filled));
    if (read === null) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

/**
 * The number of bytes to take so that no character is split: at most `length`, unless a single
 * character needs more.
 */
function wholeCharacters(bytes: Uint8Array, length: number): number {
  if (bytes.length <= length) return bytes.length;
  const start = startOfCharacter(bytes, length);
  return start > 0 ? start : endOfCharacter(bytes, length);
}

function startOfCharacter(bytes: Uint8Array, end: number): number {
  let start = end;
  while (start > 0 && end - start < MAX_TAIL && isContinuation(bytes[start]!)) start--;
  return isContinuation(bytes[start]!) ? end : start; // anything that is not UTF-8 may be split
}

function endOfCharacter(bytes: Uint8Array, start: number): number {
  let end = start;
  while (end < bytes.length && isContinuation(bytes[end]!)) end++;
  return end;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
