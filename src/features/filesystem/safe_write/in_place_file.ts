/** A file that is written in place: what other programs append to it meanwhile stays, behind what we write. */

import { pause } from "../../../core/deadline.ts";
import type { FileSystem } from "../../../platform/types/mod.ts";
import { Turns } from "../../../core/turns.ts";
import { beginsWith } from "./appended.ts";
import { Appender, type Stretch } from "./appender.ts";
import { type Content, writeContent } from "./content.ts";
import { Descriptor } from "./descriptor.ts";
import { changed, fileState, type OldFile, readSize } from "./replacing.ts";

/** How long to wait until no other program has the file open, in milliseconds. */
const LEASE_MS = 250;
const LOOK_MS = 2;
/** A file that another program keeps open is made shorter only when nothing was appended for so long, in milliseconds. */
const QUIET_MS = 30;
/** How long to wait for such a moment, in milliseconds. */
const MAX_BUSY_MS = 1_000;
/** How often what was appended in the last moment is taken along before the file is cut. */
const MAX_CUTS = 50;

type Files = Pick<FileSystem, "fileLease" | "descriptorPath">;

export class InPlaceFile implements AsyncDisposable {
  readonly #oldSize: number;
  /** Up to where it is known who has written what. */
  #seen: number;
  /** What other programs have appended, in order. */
  readonly #others: Uint8Array[] = [];
  /** Stretches that we appended. */
  readonly #own: Stretch[] = [];
  #overwritten = false;

  private constructor(
    private readonly old: OldFile,
    private readonly files: Files,
    private readonly file: Descriptor,
    /** Keeps other programs from opening it. */
    private readonly lease: Disposable | undefined,
  ) {
    this.#oldSize = this.#seen = readSize({ bytes: undefined, ...old });
  }

  /** @throws ServiceError `conflict` when it is not the file that was read any more. */
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
   * Gives the hash of the new bytes.
   * @throws ServiceError `conflict` when another program has changed the file, or does not stop to append to it; nothing
   * has been written then, or {@link putBack} takes it back.
   */
  async write(content: Content): Promise<string> {
    await this.#checkUnchanged();
    if (this.lease === undefined) {
      if (content.size > this.#oldSize) await this.#appendRestOf(content);
      else if (content.size < this.#oldSize) await this.#untilQuiet();
    }
    return await this.#writeBefore(content);
  }

  /** After a failure: the old bytes, followed by what others have appended. */
  async putBack(content: Content): Promise<void> {
    if (this.#overwritten || this.#own.length > 0) await this.#writeBefore(content);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.lease?.[Symbol.dispose]();
    await this.file[Symbol.asyncDispose]();
  }

  /** That it has grown is no conflict, where its bytes are known. */
  async #checkUnchanged(): Promise<void> {
    const { path, info, bytes } = this.old;
    const now = await this.file.stat();
    if (bytes === undefined && fileState(now) !== fileState(info)) throw changed(path);
    if (now.size < this.#oldSize) throw changed(path);
    if (bytes !== undefined && !await beginsWith(this.file, bytes)) throw changed(path);
  }

  /** So that the file never has to be cut: what others append meanwhile lies before, between or behind, and is known. */
  async #appendRestOf(content: Content): Promise<void> {
    await using appender = await Appender.open(this.file, this.files);
    const turns = new Turns();
    let at = 0;
    for (const piece of content.pieces()) {
      const rest = piece.subarray(Math.max(0, this.#oldSize - at));
      at += piece.length;
      if (rest.length > 0) await appender.append(rest, this.#own);
      await turns.pass();
    }
  }

  /** @throws ServiceError `conflict` when another program appends all the time. */
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

  /** The content, then what others have appended, and nothing else. */
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
      if (await this.#endsAt(content.size + totalLength(this.#others))) {
        await this.file.sync();
        return hash;
      }
      await this.#seeAll();
    }
    throw changed(this.old.path);
  }

  /** Cuts the file there, unless it is so long already, or another program has appended something in this moment. */
  async #endsAt(length: number): Promise<boolean> {
    if (this.lease === undefined) {
      return length >= this.#seen || this.file.truncateIfStill(this.#seen, length);
    }
    await this.file.truncate(length);
    return true;
  }

  /** Reads what others have appended; what comes while we keep them away is ours. */
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

/** Nothing where it cannot be had, or where another program does not close the file. */
async function takeLease(
  file: Descriptor,
  { fileLease }: Files,
): Promise<Disposable | undefined> {
  if (!fileLease.ready) return undefined;
  const deadline = performance.now() + LEASE_MS;
  let lease = fileLease.use(file.fd);
  while (lease === "held" && performance.now() < deadline) {
    await pause(LOOK_MS);
    lease = fileLease.use(file.fd);
  }
  return typeof lease === "string" ? undefined : lease;
}

function totalLength(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
