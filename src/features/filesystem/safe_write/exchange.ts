/**
 * Replaces a file by exchanging it with the new one, so that nothing that another program writes
 * meanwhile is lost.
 */

import { lstat } from "node:fs/promises";
import { pause } from "../../../core/deadline.ts";
import type { ServiceError } from "../../../core/errors.ts";
import { log } from "../../../core/log.ts";
import type {
  Capability,
  FileSystem,
  HeldForWriting,
  Rename,
} from "../../../platform/types/mod.ts";
import { fileError } from "../file_errors.ts";
import { appendRemainder, type Content, hashBytes, hashOfStart } from "./content.ts";
import { Descriptor, type Identity } from "./descriptor.ts";
import type { Journal } from "./journal.ts";
import { appear, temporaryName } from "./temporary.ts";

/**
 * How long to wait for programs that have the old file open for writing at the exchange, in
 * milliseconds.
 */
const RELEASE_TIMEOUT_MS = 1_000;
/**
 * Once a program was seen to write to the old file: how many checks without any sign of it, this
 * many milliseconds apart, show that it has stopped. It may have looked up the old file just before
 * the exchange, and open it only afterwards.
 */
const QUIET_CHECKS = 4;
const QUIET_CHECK_INTERVAL_MS = 25;
/**
 * A change this shortly before the file was read may not have altered its time stamp, in
 * milliseconds.
 */
const RECENT_MS = 2_000;
/** Attempts to put the newest version back while newer ones keep appearing. */
const MAX_BACK = 10;

interface Exchanging extends Pick<OldFile, "path" | "info" | "bytes"> {
  /** Hash of the old file's bytes, if these are known. */
  readonly hash: string;
  /** Where the new file is before the exchange, and the old file after it. */
  readonly temporary: string;
  readonly made: Descriptor;
}

/**
 * Exchanges the files and waits until no program writes to the old one; what was appended to it is
 * then in the new file. Returns `undefined`, with nothing changed, if the system cannot exchange
 * files.
 * @throws ServiceError `conflict` when another program has changed the file in any other way; its
 * version is then back in place.
 */
export async function exchange(
  { exchange, heldForWriting }: Pick<FileSystem, "exchange" | "heldForWriting">,
  files: Exchanging,
): Promise<Exchange | undefined> {
  if (!exchange.ready || !await exchange.use(files.temporary, files.path)) return undefined;
  const exchanged = new Exchange(files, exchange.use, heldForWriting);
  try {
    await exchanged.settle();
    return exchanged;
  } catch (error) {
    await exchanged.putBack();
    await exchanged[Symbol.asyncDispose]();
    throw error;
  }
}

/** The old file after the exchange. */
export class Exchange implements AsyncDisposable {
  #old: Descriptor | undefined;
  /** The new file, which may be closed by the time that more is taken. */
  #made: Identity | undefined;
  /** Up to this offset the old file has been copied into the new one. */
  #taken: number;
  #checked = false;

  constructor(
    private readonly files: Exchanging,
    private readonly swap: Rename,
    private readonly heldForWriting: Capability<HeldForWriting>,
  ) {
    this.#taken = readSize(files);
  }

  async settle(): Promise<void> {
    this.#made = await this.files.made.stat();
    this.#old = await Descriptor.open(this.files.temporary, "read");
    await this.#old.checkIs(this.files.info);
    const deadline = performance.now() + RELEASE_TIMEOUT_MS;
    let quiet = await this.#isWritten(this.#old) ? 0 : QUIET_CHECKS;
    while (quiet < QUIET_CHECKS && performance.now() < deadline) {
      await pause(QUIET_CHECK_INTERVAL_MS);
      quiet = await this.#isWritten(this.#old) ? 0 : quiet + 1;
    }
    await this.takeRemainder();
  }

  /**
   * Whether a program has the old file open for writing, or has appended to it. Where the system
   * cannot report the former, only new bytes show it.
   */
  async #isWritten({ fd }: Descriptor): Promise<boolean> {
    if (this.heldForWriting.ready && this.heldForWriting.use(fd)) return true;
    const before = this.#taken;
    await this.takeRemainder();
    return this.#taken > before;
  }

  /**
   * Adds what the old file has got since; once more after its name is removed: a program may have
   * opened it just before.
   */
  async takeRemainder(): Promise<void> {
    const { path } = this.files;
    const old = this.#old!;
    const now = await old.stat();
    if (!this.#checked && !this.#isSurelyAsRead(now)) {
      await checkContent(old, this.files);
      this.#checked = true;
    }
    if (now.size <= this.#taken) return;
    await using fresh = await Descriptor.open(path, "append");
    await fresh.checkIs(this.#made!); // the version that another program wrote takes precedence
    this.#taken = await appendRemainder(old, fresh, this.#taken);
  }

  /**
   * Puts the old file back; if that fails, it is kept beside, under a name that no cleanup removes.
   */
  async putBack(): Promise<void> {
    const { temporary, path } = this.files;
    try {
      await this.#swapBack();
    } catch (error) {
      const saved = temporaryName(path);
      await Deno.rename(temporary, saved).catch(() => {});
      log.error("a file cannot be put back; it keeps its temporary name", {
        path,
        saved,
        error: String(error),
      });
    }
  }

  /** A version that has appeared meanwhile is newer and takes precedence. */
  async #swapBack(): Promise<void> {
    const { temporary, path, made } = this.files;
    let expected = await made.stat();
    for (let round = 0; round < MAX_BACK; round++) {
      const back = await lstat(temporary);
      if (!await this.swap(temporary, path)) return void await appear(temporary, path);
      const out = await lstat(temporary);
      if (out.dev === expected.dev && out.ino === expected.ino) return;
      expected = back;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#old?.[Symbol.asyncDispose]();
  }

  /** Relies on the time stamp alone, provided that it was old enough when the file was read. */
  #isSurelyAsRead(now: { readonly size: number; readonly mtime: Date }): boolean {
    const { info } = this.files;
    return fileState(now) === fileState(info) && Date.now() - now.mtime.getTime() > RECENT_MS;
  }
}

// What all methods of replacing a file's bytes share: the file's earlier state, and how a change is
// detected.

/** A file as it was when opened: its real path, its state, and its content. */
export interface OldFile {
  readonly path: string;
  readonly info: Deno.FileInfo;
  /**
   * The bytes that were read, if known; bytes that another program appends meanwhile are then kept.
   */
  readonly bytes?: Uint8Array;
  /**
   * Called only if the file is written in place.
   * @throws ServiceError when the file is too large for that.
   */
  old(): Content;
}

export interface Writing {
  readonly journal: Journal;
  readonly files: FileSystem;
}

/**
 * If the file's bytes are known, growth is checked later.
 * @throws ServiceError `conflict`
 */
export async function checkUnchanged(
  { path, info, bytes }: Pick<OldFile, "path" | "info" | "bytes">,
): Promise<void> {
  const now = await Deno.stat(path);
  const isSame = now.ino === info.ino && now.dev === info.dev;
  if (isSame && fileState(now) === fileState(info)) return;
  if (isSame && bytes !== undefined && now.size > info.size) return;
  throw changed(path);
}

/**
 * Checks an open file; growth is no conflict if its earlier bytes are known.
 * @throws ServiceError `conflict` when another program has changed it since it was read.
 */
export async function checkContent(
  file: Descriptor,
  { path, info, bytes, hash }: Pick<OldFile, "path" | "info" | "bytes"> & {
    readonly hash?: string;
  },
): Promise<void> {
  const isUnchanged = bytes === undefined
    ? fileState(await file.stat()) === fileState(info)
    : await hashOfStart(file, bytes.length) === (hash ?? hashBytes(bytes));
  if (!isUnchanged) throw changed(path);
}

/** Size and time; a difference shows that the file has changed. */
export function fileState({ size, mtime }: { readonly size: number; readonly mtime: Date | null }) {
  return `${size} ${mtime?.getTime()}`;
}

/** The file may have grown between the check and the read. */
export function readSize(
  { info, bytes }: { readonly info: Deno.FileInfo; readonly bytes?: Uint8Array | undefined },
): number {
  return bytes?.length ?? info.size;
}

function changed(path: string): ServiceError {
  const state =
    "another program has changed it in the meantime, and nothing was written; read it again";
  return fileError({ action: "Cannot edit", path }, "conflict", state);
}
