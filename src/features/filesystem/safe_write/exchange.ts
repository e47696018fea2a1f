/** Puts a new file in place of the old one by exchanging both, so that nothing which another program writes meanwhile is lost. */

import { pause } from "../../../core/deadline.ts";
import { lstat } from "node:fs/promises";
import type { FileSystem, HeldForWriting, Port, Rename } from "../../../platform/types/mod.ts";
import { log } from "../../../core/log.ts";
import { appendRest, beginsWith } from "./appended.ts";
import { appear } from "./create_file.ts";
import { Descriptor } from "./descriptor.ts";
import { besides } from "./names.ts";
import { changed, fileState, readSize } from "./replacing.ts";

/** Programs that have the old file open for writing when it is exchanged are waited for so long, in milliseconds. */
const RELEASE_MS = 1_000;
const LOOK_MS = 2;
/** Looks, so far apart, without anything new, after which nobody is thought to append to the old file. */
const QUIET_LOOKS = 4;
const QUIET_MS = 25;
/** A change so soon before the file was read may have left its time as it is, in milliseconds. */
const RECENT_MS = 2_000;
/** How often a version that appears while another is put back is put in front of it. */
const MAX_BACK = 10;

export interface Exchanging {
  /** The name, under which the old file is. */
  readonly path: string;
  /** As it was when it was read. */
  readonly info: Deno.FileInfo;
  /** What it held; without them a change of any kind is a conflict. */
  readonly bytes: Uint8Array | undefined;
  /** Where the new file is, and later the old one. */
  readonly temporary: string;
  readonly made: Descriptor;
}

/** The old file after the exchange. */
export interface Exchanged extends AsyncDisposable {
  /** Once more, when its name is gone: a program may have opened it just before. */
  takeRest(): Promise<void>;
}

/**
 * Exchanges and waits until no program writes to the old file; what was appended to it is in the new one then.
 * Gives nothing where the system cannot exchange; then nothing has changed.
 * @throws ServiceError `conflict` when another program has changed the file otherwise: its version is back in place.
 */
export async function exchange(
  { exchange, heldForWriting }: Pick<FileSystem, "exchange" | "heldForWriting">,
  files: Exchanging,
): Promise<Exchanged | undefined> {
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

class Exchange implements Exchanged {
  #old: Descriptor | undefined;
  /** Up to where the old file is in the new one. */
  #taken: number;
  #checked = false;

  constructor(
    private readonly files: Exchanging,
    private readonly swap: Rename,
    private readonly heldForWriting: Port<HeldForWriting>,
  ) {
    this.#taken = readSize(files);
  }

  async settle(): Promise<void> {
    const old = this.#old = await Descriptor.open(this.files.temporary, "read");
    await old.checkIs(this.files.info);
    const deadline = performance.now() + RELEASE_MS;
    let isActive = false;
    while (this.#isHeld(old) && performance.now() < deadline) {
      isActive = true;
      await pause(LOOK_MS);
    }
    await this.takeRest();
    if (isActive || this.#taken > readSize(this.files)) await this.#untilQuiet(old, deadline);
  }

  /** A program that appends again and again may have looked the old file up just before, and open it only now. */
  async #untilQuiet(old: Descriptor, deadline: number): Promise<void> {
    for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < deadline; quiet++) {
      await pause(QUIET_MS);
      const before = this.#taken;
      if (!this.#isHeld(old)) await this.takeRest();
      else quiet = -1;
      if (this.#taken > before) quiet = -1;
    }
  }

  /** Where the system does not tell, only what comes to the file does. */
  #isHeld({ fd }: Descriptor): boolean {
    return this.heldForWriting.ready && this.heldForWriting.use(fd);
  }

  async takeRest(): Promise<void> {
    const { path, info, bytes, made } = this.files;
    const old = this.#old!;
    const now = await old.stat();
    if (now.size === this.#taken && (this.#checked || this.#isSurelyAsRead(now))) return;
    if (!this.#checked) {
      if (bytes === undefined) {
        if (fileState(now) !== fileState(info)) throw changed(path);
      } else if (now.size < bytes.length || !await beginsWith(old, bytes)) throw changed(path);
      this.#checked = true;
    }
    if (now.size <= this.#taken) return;
    await using fresh = await Descriptor.open(path, "append");
    const { dev, ino } = await made.stat();
    await fresh.checkIs({ dev, ino }); // another program's newer file holds what its author wants
    this.#taken = await appendRest(old, fresh, this.#taken);
  }

  /** What came out is put back; where that fails, it stays beside under a name that nobody tidies up. */
  async putBack(): Promise<void> {
    const { temporary, path } = this.files;
    try {
      await this.#swapBack();
    } catch (error) {
      const saved = besides(path);
      await Deno.rename(temporary, saved).catch(() => {});
      log.error("a file cannot be put back and stays aside", { path, saved, error: String(error) });
    }
  }

  /** A version that has appeared meanwhile is newer, and comes before it. */
  async #swapBack(): Promise<void> {
    const { temporary, path, made } = this.files;
    let expected = await made.stat();
    for (let round = 0; round < MAX_BACK; round++) {
      const back = await lstat(temporary);
      if (!await this.swap(temporary, path)) return await appear(temporary, path);
      const out = await lstat(temporary);
      if (out.dev === expected.dev && out.ino === expected.ino) return;
      expected = back;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#old?.[Symbol.asyncDispose]();
  }

  /** By its time alone, where that had gone by when it was read. */
  #isSurelyAsRead(now: { readonly size: number; readonly mtime: Date }): boolean {
    const { info } = this.files;
    return fileState(now) === fileState(info) && Date.now() - now.mtime.getTime() > RECENT_MS;
  }
}
