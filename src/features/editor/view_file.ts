/** Reads a text file, or some of its lines, without reading more than necessary. */

import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import { FieldError, type ServiceError } from "../../core/errors.ts";
import { type FileAction, fileError, translating } from "../filesystem/file_errors.ts";
import { jsonText, openReader, SHORT_BYTES, streamText } from "../filesystem/read_file.ts";
import { resolvePath } from "../filesystem/paths.ts";
import type { Context } from "../context.ts";
import type { Streamed } from "../streamed.ts";
import { LINE_FEED } from "./find_matches.ts";

export interface View {
  readonly path: string;
  /** First and last line, from 1; a last line of -1 means the end. */
  readonly view_range?: readonly number[] | null | undefined;
}

/** Bytes read at a time. */
const CHUNK = 64 * 1024;

type ViewContext = Pick<Context, "config" | "signal">;

export async function viewFile(context: ViewContext, input: View): Promise<string | Streamed> {
  const { maxViewBytes } = context.config.limits;
  const reader = await readLines(context, input, { maxBytes: maxViewBytes, cuts: false });
  return reader.size > SHORT_BYTES ? streamText("", jsonText(reader.kept), "") : reader.text();
}

/** The text as far as it goes within `maxBytes`; `isComplete` says whether that is all of it. */
export async function viewStart(
  context: ViewContext,
  input: View,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isComplete: boolean }> {
  const reader = await readLines(context, input, { maxBytes, cuts: true });
  return { text: reader.text(), isComplete: !reader.isCut };
}

async function readLines(
  { config, signal }: ViewContext,
  input: View,
  bound: Bound,
): Promise<LineReader> {
  const range = readRange(input.view_range);
  const path = resolvePath(input.path, config.home, "path");
  const attempt: FileAction = { action: "Cannot view", path, field: "path" };
  await using file = await openReader(attempt);
  const reader = new LineReader(attempt, range, bound);
  const chunk = new Uint8Array(CHUNK);
  const yielder = new EventLoopYielder();
  while (!reader.done) {
    const read = await translating(attempt, () => file.read(chunk));
    if (read === null) break;
    reader.take(chunk.subarray(0, read));
    signal.throwIfAborted();
    await yielder.yieldIfDue();
  }
  reader.checkFound();
  return reader;
}

interface Bound {
  readonly maxBytes: number;
  /** Whether a longer text is cut, instead of refused. */
  readonly cuts: boolean;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** @throws FieldError */
function readRange(given: readonly number[] | null | undefined): Range {
  const [first = 1, end = -1] = given ?? [];
  if (first < 1) throw new FieldError(["view_range", 0], "The first line is 1");
  if (end !== -1 && end < first) {
    const message = `The last line must be ${first} or greater, or -1 for the end of the file`;
    throw new FieldError(["view_range", 1], message);
  }
  return { first, last: end === -1 ? Infinity : end };
}

/** Collects the bytes of the requested lines. */
class LineReader {
  #line = 1;
  size = 0;
  isCut = false;
  /**
   * Whether the next byte begins a line: the bytes so far end with a line break, or there are none.
   */
  #atStart = true;
  readonly kept: Uint8Array<ArrayBuffer>[] = [];

  constructor(
    private readonly attempt: FileAction,
    private readonly range: Range,
    private readonly bound: Bound,
  ) {}

  get done(): boolean {
    return this.isCut || this.#line > this.range.last;
  }

  take(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length > 0) this.#atStart = bytes.at(-1) === LINE_FEED;
    const start = this.#skipTo(bytes, 0, this.range.first);
    // up to the end of the file, lines need not be counted
    const toEnd = this.range.last === Infinity && this.#line >= this.range.first;
    const end = toEnd ? bytes.length : this.#skipTo(bytes, start, this.range.last + 1);
    if (end > start) this.#keep(bytes.slice(start, end));
  }

  #keep(bytes: Uint8Array<ArrayBuffer>): void {
    const { maxBytes, cuts } = this.bound;
    const room = maxBytes - this.size;
    this.isCut = bytes.length > room;
    if (this.isCut && !cuts) throw this.#tooLarge();
    this.kept.push(this.isCut ? bytes.subarray(0, room) : bytes);
    this.size += Math.min(bytes.length, room);
  }

  /** @throws FieldError when the file has too few lines. */
  checkFound(): void {
    const { first } = this.range;
    const count = this.#line - (this.#atStart ? 1 : 0);
    if (this.kept.length === 0 && first > Math.max(1, count)) {
      const lines = `${JSON.stringify(this.attempt.path)} has ${count} line${
        count === 1 ? "" : "s"
      }`;
      const message = `The first line ${first} is beyond the end: ${lines}`;
      throw new FieldError(["view_range", 0], message);
    }
  }

  /** A text that was cut has no half of a character at its end. */
  text(): string {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const text = this.kept.map((part) => decoder.decode(part, { stream: true })).join("");
    return this.isCut ? text : text + decoder.decode();
  }

  /** The offset where line `wanted` begins, or the end of the bytes. */
  #skipTo(bytes: Uint8Array, from: number, wanted: number): number {
    let offset = from;
    while (this.#line < wanted) {
      const end = bytes.indexOf(LINE_FEED, offset);
      if (end < 0) return bytes.length;
      offset = end + 1;
      this.#line++;
    }
    return offset;
  }

  #tooLarge(): ServiceError {
    const state = `the text is larger than ${this.bound.maxBytes} bytes: ` +
      "request fewer lines with view_range";
    return fileError(this.attempt, "too_large", state);
  }
}
