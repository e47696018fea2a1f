/** Reads a part of a file, as text or as base64. */

import { constants, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { pause } from "../../core/deadline.ts";
import { NO_WAIT } from "../../core/files.ts";
import { countUnfinished, isContinuation, LONGEST_CHARACTER } from "../../core/texts.ts";
import type { Context } from "../context.ts";
import { Streamed } from "../streamed.ts";
import { type FileAction, systemCode, translating } from "./file_errors.ts";
import { checkIsFile, openAtOnce } from "./safe_write/descriptor.ts";
import { resolvePath } from "./paths.ts";

interface ReadInput {
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

export async function readFile(
  { config }: Context,
  input: ReadInput,
): Promise<ReadOutput | Streamed> {
  const path = resolvePath(input.path, config.home, "path");
  const attempt: FileAction = { action: "Cannot read", path, field: "path" };
  await using reader = await openReader(attempt);
  const { encoding, offset, length } = input;
  const { size } = reader;
  const wanted = encoding === "text" ? length + LONGEST_CHARACTER - 1 : length;
  const bytes = await translating(attempt, () => readAt(reader, offset, wanted));
  const part = encoding === "text" ? bytes.subarray(0, completeCharacters(bytes, length)) : bytes;
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
  reader: Reader,
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
function completeCharacters(bytes: Uint8Array, length: number): number {
  if (bytes.length <= length) return bytes.length;
  let end = length - countUnfinished(bytes.subarray(0, length));
  if (end > 0) return end;
  for (end = length; end < bytes.length && isContinuation(bytes[end]!);) end++;
  return end;
}

// Reads a file from any offset, and never waits for bytes that may not arrive.

/**
 * @throws ServiceError for a folder, a FIFO, a socket, a device, and a file that may not be opened.
 */
export async function openReader(attempt: FileAction): Promise<Reader> {
  const { file, info } = await openFile(attempt);
  return new Reader(file, info.size);
}

/** As {@link openReader}; the caller closes the file. */
export async function openFile(
  attempt: FileAction,
): Promise<{ readonly file: FileHandle; readonly info: Stats }> {
  return await translating(attempt, async () => {
    // devices must not be opened, which can have effects; whatever takes the place of the file after
    // this check is found by the second one
    checkIsFile(attempt, await Deno.stat(attempt.path));
    const file = await openAtOnce(attempt.path, constants.O_RDONLY | NO_WAIT);
    try {
      const info = await file.stat();
      checkIsFile(attempt, { isFile: info.isFile(), isDirectory: info.isDirectory() });
      return { file, info };
    } catch (error) {
      await file.close();
      throw error;
    }
  });
}

class Reader implements AsyncDisposable {
  /** `null` is where the last read ended: some files of the kernel cannot be read elsewhere. */
  #position: number | null = null;

  /** @param size in bytes; 0 for files that the kernel generates on read */
  constructor(private readonly file: FileHandle, readonly size: number) {}

  /** The next read begins at this offset, in bytes. */
  seek(offset: number): void {
    if (offset > 0) this.#position = offset;
  }

  /**
   * The number of bytes read; `null` at the end. Reading the log of the kernel would block until its
   * next line, if opening did not forbid it.
   */
  async read(into: Uint8Array): Promise<number | null> {
    try {
      const { bytesRead } = await this.file.read(into, 0, into.length, this.#position);
      if (this.#position !== null) this.#position += bytesRead;
      return bytesRead === 0 ? null : bytesRead;
    } catch (error) {
      const isBeyond = this.#position !== null && systemCode(error) === "EINVAL";
      if (isBeyond) return null; // of what any file can have
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.file.close();
  }
}

// Sends long texts as JSON while encoding them, so that no answer delays other requests.

/** Up to this size, in bytes of the file, an answer is encoded in one go. */
export const SHORT_BYTES = 256 * 1024;

/** Bytes encoded in one go; divisible by three, as base64 requires. */
const PIECE = 96 * 1024;

/** Encoded text, piece by piece, without the JSON quotes. */
export type Pieces = Iterable<string>;

/** UTF-8 as the inside of a JSON string; invalid UTF-8 becomes U+FFFD. */
export function* jsonText(parts: Iterable<Uint8Array<ArrayBuffer>>): Pieces {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE) {
      yield inner(decoder.decode(part.subarray(at, at + PIECE), { stream: true }));
    }
  }
  yield inner(decoder.decode());
}

/** Base64, which needs no escapes in JSON. */
export function* base64Text(bytes: Uint8Array<ArrayBuffer>): Pieces {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE).toBase64();
}

/** Pieces sent before it yields to other tasks. */
const PIECES_AT_ONCE = 4;

/** An answer that consists of `before`, the text in quotes, and `after`. */
export function streamText(before: string, pieces: Pieces, after: string): Streamed {
  return streamJson(makeChunks(before, pieces, after));
}

/** An answer whose JSON consists of these pieces. */
export function streamJson(json: Pieces): Streamed {
  const ended = Promise.withResolvers<void>();
  const encoder = new TextEncoder();
  const chunks = json[Symbol.iterator]();
  let sent = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (++sent % PIECES_AT_ONCE === 0) await pause(0);
      const { done, value } = chunks.next();
      if (!done) return controller.enqueue(encoder.encode(value));
      controller.close();
      ended.resolve();
    },
    cancel: () => ended.resolve(),
  });
  return new Streamed(stream, ended.promise);
}

function* makeChunks(before: string, pieces: Pieces, after: string): Generator<string, void> {
  yield `${before}"`;
  for (const piece of pieces) if (piece !== "") yield piece;
  yield `"${after}`;
}

function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
