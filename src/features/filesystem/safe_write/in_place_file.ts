/** Writes a file in place; what other programs append meanwhile is kept, after what we write. */

import { countBytes } from "../../../core/bytes.ts";
import { pause } from "../../../core/deadline.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import type { FileSystem } from "../../../platform/types/mod.ts";
import { beginsWith, type Content, writeContent } from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import { changed, fileState, type OldFile, readSize } from "./exchange.ts";

/** How long to wait for other programs to close the file, in milliseconds. */
const LEASE_MS = 250;
const POLL_INTERVAL_MS = 2;
/**
 * A file that another program keeps open is shortened only after this long without new bytes, in
 * milliseconds.
 */
const QUIET_MS = 30;
/** How long to wait for such a pause, in milliseconds. */
const MAX_BUSY_MS = 1_000;
/** How many times bytes appended at the last moment are copied before giving up on truncating. */
const MAX_CUTS = 50;

type Files = Pick<FileSystem, "fileLease" | "descriptorPath">;

export class InPlaceFile implements AsyncDisposable {
  readonly #oldSize: number;
  /** Up to this offset it is known which program wrote what. */
  #seen: number;
  /** What other programs have appended, in order. */
  readonly #others: Uint8Array[] = [];
  /** Ranges that we appended. */
  readonly #own: Stretch[] = [];
  #overwritten = false;

  private constructor(
    private readonly old: OldFile,
    private readonly files: Files,
    private readonly file: Descriptor,
    /** Keeps other programs from opening the file. */
    private readonly lease: Disposable | undefined,
  ) {
    this.#oldSize = this.#seen = readSize({ bytes: undefined, ...old });
  }

  /** @throws ServiceError `conflict` when it is no longer the file that was read. */
  static async open(
    old: OldFile,
    files: Files,
  ): Promise<InPlaceFile> {
    const file = await Descriptor.open(old.path, "both");
    try {
      await file.checkIs(old.info);
      return new InPlaceFile(old, files, file, await takeLease(file, files));
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Returns the hash of the new bytes.
   * @throws ServiceError `conflict` when another program has changed the file, or keeps appending
   * to it; nothing has been written then, or {@link putBack} reverts it.
   */
  async write(content: Content): Promise<string> {
    await this.#checkUnchanged();
    if (this.lease === undefined) {
      if (content.size > this.#oldSize) await this.#appendRestOf(content);
      else if (content.size < this.#oldSize) await this.#untilQuiet();
    }
    return await this.#writeBefore(content);
  }

  /** After a failure: writes the old bytes, followed by what other programs have appended. */
  async putBack(content: Content): Promise<void> {
    if (this.#overwritten || this.#own.length > 0) await this.#writeBefore(content);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.lease?.[Symbol.dispose]();
    await this.file[Symbol.asyncDispose]();
  }

  /** Growth is no conflict if the file's old bytes are known. */
  async #checkUnchanged(): Promise<void> {
    const { path, info, bytes } = this.old;
    const now = await this.file.stat();
    if (bytes === undefined && fileState(now) !== fileState(info)) throw changed(path);
    if (now.size < this.#oldSize) throw changed(path);
    if (bytes !== undefined && !await beginsWith(this.file, bytes)) throw changed(path);
  }

  /**
   * Appends, so that the file never has to be shortened: what other programs append meanwhile lies
   * before, between or after our ranges, and is known.
   */
  async #appendRestOf(content: Content): Promise<void> {
    await using appender = await Appender.open(this.file, this.files);
    const yielder = new EventLoopYielder();
    let at = 0;
    for (const piece of content.pieces()) {
      const rest = piece.subarray(Math.max(0, this.#oldSize - at));
      at += piece.length;
      if (rest.length > 0) await appender.append(rest, this.#own);
      await yielder.yieldIfDue();
    }
  }

  /** @throws ServiceError `conflict` when another program never stops appending. */
  async #untilQuiet(): Promise<void> {
    const deadline = performance.now() + MAX_BUSY_MS;
    let size = await this.file.size();
    while (true) {
      await pause(QUIET_MS);
      const now = await this.file.size();
      if (now === size) return;
      if (performance.now() > deadline) throw changed(this.old.path);
      size = now;
    }
  }

  /** Writes the content, then what other programs have appended, and nothing else. */
  async #writeBefore(content: Content): Promise<string> {
    await this.#seeAll();
    this.#overwritten = true;
    this.file.rewind();
    const hash = await writeContent(this.file, content);
    let written = 0;
    for (let cuts = 0; cuts < MAX_CUTS; cuts++) {
      for (const bytes of this.#others.slice(written)) {
        await writeContent(this.file, { size: bytes.length, pieces: () => [bytes] });
      }
      written = this.#others.length;
      if (await this.#endsAt(content.size + countBytes(this.#others))) {
        await this.file.sync();
        return hash;
      }
      await this.#seeAll();
    }
    throw changed(this.old.path);
  }

  /**
   * Truncates the file to `length` if it is longer; returns `false` if another program has just
   * appended.
   */
  async #endsAt(length: number): Promise<boolean> {
    if (this.lease === undefined) {
      return length >= this.#seen || this.file.truncateIfStill(this.#seen, length);
    }
    await this.file.truncate(length);
    return true;
  }

  /**
   * Reads what other programs have appended; while the lease keeps them away, all new bytes are
   * ours.
   */
  async #seeAll(): Promise<void> {
    if (this.lease !== undefined && this.#overwritten) return;
    const size = await this.file.size();
    for (const { start, end } of this.#own) {
      if (end <= this.#seen) continue;
      await this.#readTo(start);
      this.#seen = end;
    }
    await this.#readTo(size);
  }

  async #readTo(end: number): Promise<void> {
    if (end <= this.#seen) return;
    const bytes = new Uint8Array(end - this.#seen);
    const position = this.file.position;
    this.file.seek(this.#seen);
    const read = await this.file.read(bytes);
    this.file.seek(position);
    this.#others.push(bytes.subarray(0, read));
    this.#seen = end;
  }
}

/**
 * Returns `undefined` if a lease is not available, or if another program does not close the file.
 */
async function takeLease(
  file: Descriptor,
  { fileLease }: Files,
): Promise<Disposable | undefined> {
  if (!fileLease.ready) return undefined;
  const deadline = performance.now() + LEASE_MS;
  let lease = fileLease.use(file.fd);
  while (lease === "held" && performance.now() < deadline) {
    await pause(POLL_INTERVAL_MS);
    lease = fileLease.use(file.fd);
  }
  return typeof lease === "string" ? undefined : lease;
}

// Appends to an open file and reports where the bytes were written: another program may append at
// the same moment.

/** A range of a file, in bytes. */
interface Stretch {
  readonly start: number;
  /** Offset after the last byte. */
  readonly end: number;
}

type Descriptors = Pick<FileSystem, "descriptorPath">;

class Appender implements AsyncDisposable {
  private constructor(private readonly file: Deno.FsFile) {}

  /** Opens the same file again, regardless of what its name refers to now. */
  static async open(open: Descriptor, files: Descriptors): Promise<Appender> {
    return new Appender(await openAgain(open, files));
  }

  /** Appends all of `bytes`, possibly in several ranges, and adds each range to `own`. */
  async append(bytes: Uint8Array, own: Stretch[]): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const written = await this.file.write(bytes.subarray(done));
      done += written;
      // the system sets the position to the end of what was appended
      const end = await this.file.seek(0, Deno.SeekMode.Current);
      own.push({ start: end - written, end });
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.file.close();
    return Promise.resolve();
  }
}

async function openAgain(
  open: Descriptor,
  { descriptorPath }: Descriptors,
): Promise<Deno.FsFile> {
  const options = { append: true };
  try {
    if (descriptorPath.ready) return await Deno.open(descriptorPath.use(open.fd), options);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // a container without /proc
  }
  const file = await Deno.open(open.path, options);
  try {
    await open.checkIs(await file.stat());
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}
