/**
 * Waits until a file exists, is gone, or holds a text. It polls, because change
 * events do not reach every file system (network, FUSE, a parent folder that is not there yet).
 */

import { abortAfter, pause, unlessAborted } from "../../core/deadline.ts";
import { hasCode } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { ByteSearch } from "../../core/search.ts";
import type { Context } from "../context.ts";
import {
  type FileAction,
  fileError,
  fromDenoError,
  systemCode,
} from "../filesystem/file_errors.ts";
import { openReader } from "../filesystem/read_file.ts";
import { resolvePath } from "../filesystem/paths.ts";

interface FileCondition {
  readonly path: string;
  readonly state: "exists" | "gone";
  readonly contains?: string | undefined;
}

/** Interval between checks, in milliseconds. */
const POLL_INTERVAL_MS = 25;
/** The first check has at least this long, in milliseconds. */
const MIN_FIRST_POLL_MS = 1_000;
/** A search is followed by a pause of this many times its length: it takes a tenth of a core. */
const BACKOFF_FACTOR = 9;
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** Two changes within this time can leave the same time of modification, in milliseconds. */
const CLOCK_MS = 1_000;

/** The error codes of a path that leads nowhere. */
const ABSENT = ["ENOENT", "ENOTDIR"];

interface FileWait {
  /** Where the condition is in the request, for the locations of errors. */
  readonly at: readonly string[];
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export async function waitForFile(
  context: Pick<Context, "config" | "signal">,
  { path, state, contains }: FileCondition,
  { at, signal, timeoutMs }: FileWait,
): Promise<{ readonly status: "found" | "gone" }> {
  const { config } = context;
  const field = [...at, "file", "path"];
  const file = resolvePath(path, config.home, field);
  const attempt = { action: "Cannot wait for", path: file, field };
  const search = contains === undefined ? undefined : new Search(attempt, contains);
  const isThere = async (signal: AbortSignal) =>
    await find(attempt) && (search === undefined || await search.holds(signal));
  const wanted = state === "exists";
  const check = async (signal: AbortSignal) => await isThere(signal) === wanted;
  if (!await pollOnce(check, context.signal, timeoutMs)) await pollUntil(check, signal);
  return { status: wanted ? "found" : "gone" };
}

type Poll = (signal: AbortSignal) => Promise<boolean>;

/** The first check has some time even where none is to be waited. */
async function pollOnce(check: Poll, client: AbortSignal, timeoutMs: number): Promise<boolean> {
  using first = abortAfter(Math.max(timeoutMs, MIN_FIRST_POLL_MS), client);
  return await unlessAborted(check(first.signal), first.signal);
}

/** Nothing that a check still waits for, such as a hung file system, outlasts the signal. */
async function pollUntil(check: Poll, signal: AbortSignal): Promise<void> {
  for (let lengthMs = 0;;) {
    await pause(Math.max(POLL_INTERVAL_MS, BACKOFF_FACTOR * lengthMs), signal);
    const start = performance.now();
    if (await unlessAborted(check(signal), signal)) return;
    lengthMs = performance.now() - start;
  }
}

/** Whether something has this path: a file, a folder, or a link, wherever that leads. */
async function find(attempt: FileAction): Promise<boolean> {
  try {
    await Deno.lstat(attempt.path);
    return true;
  } catch (error) {
    if (ABSENT.includes(systemCode(error))) return false;
    throw fromDenoError(error, attempt);
  }
}

/**
 * Searches one piece at a time, and lets other work go on after it, however many wait: all of them
 * share the main thread.
 */
const PIECES = new Semaphore({ capacity: 1 });

/** Searches a file for a text, again only after it has possibly changed. */
class Search {
  readonly #text: ByteSearch;
  /** What the file was when it did not hold the text. */
  #searched = "";

  constructor(private readonly attempt: FileAction, text: string) {
    this.#text = new ByteSearch(new TextEncoder().encode(text));
  }

  /**
   * `false` also for a file that is removed meanwhile.
   * @throws ServiceError for what is no regular file, may not be read or is too large.
   */
  async holds(signal: AbortSignal): Promise<boolean> {
    try {
      const before = await this.#describe();
      if (before !== undefined && before === this.#searched) return false;
      if (await this.#search(signal)) return true;
      this.#searched = before ?? "";
      return false;
    } catch (error) {
      if (hasCode(error, "not_found")) return false;
      if (ABSENT.includes(systemCode(error))) return false;
      throw fromDenoError(error, this.attempt);
    }
  }

  /**
   * Changes whenever the file does; `undefined` while that is not certain: soon after a change, and
   * for files without a size, whose content the kernel makes.
   */
  async #describe(): Promise<string | undefined> {
    const { dev, ino, size, mtime } = await Deno.stat(this.attempt.path);
    if (size === 0 || mtime === null || Date.now() - mtime.getTime() < CLOCK_MS) return undefined;
    return [dev, ino, size, mtime.getTime()].join();
  }

  async #search(signal: AbortSignal): Promise<boolean> {
    await using reader = await openReader(this.attempt);
    const bytes = new Uint8Array(PIECE_BYTES);
    this.#text.restart();
    for (let read = 0; read <= MAX_SEARCHED_BYTES;) {
      signal.throwIfAborted();
      const count = await reader.read(bytes);
      if (count === null) return false;
      const isFound = await PIECES.run(async () => {
        const found = this.#text.findEnd(bytes, 0, count) >= 0;
        await pause(0);
        return found;
      }, signal);
      if (isFound) return true;
      read += count;
    }
    const state = `it has more than ${MAX_SEARCHED_BYTES} bytes`;
    throw fileError({ action: "Cannot search", path: this.attempt.path }, "too_large", state);
  }
}
