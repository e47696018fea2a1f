/** The state for files while the service runs: locks, journal, and the walk workers. */

import type { Limits } from "../../config/limits.ts";
import { type Log, log } from "../../core/log.ts";
import type { Platform } from "../../platform/types/mod.ts";
import { PathLocks } from "./path_locks.ts";
import { Journal } from "./safe_write/journal.ts";
import { recover } from "./safe_write/recovery.ts";
import type { Writing } from "./safe_write/replacing.ts";
import { Walkers } from "./walk/walkers.ts";

export interface FilesOptions {
  readonly platform: Pick<Platform, "system" | "files">;
  readonly stateDir: string;
  readonly limits: Limits;
}

export class Files implements AsyncDisposable {
  readonly locks = new PathLocks();
  readonly walkers: Walkers;
  #journal: Promise<Journal> | undefined;

  constructor(private readonly options: FilesOptions) {
    this.walkers = new Walkers(options.platform.system, options.limits);
  }

  /** Cleans up after crashed runs; call it once, before the first request. */
  async recover(to: Pick<Log, "info" | "warn"> = log): Promise<void> {
    await recover(this.options.stateDir, to);
  }

  /**
   * What writing needs; the first write opens the journal.
   * @throws ServiceError `unavailable` when the state folder cannot be used.
   */
  async writing(): Promise<Writing> {
    this.#journal ??= Journal.open(this.options.stateDir);
    try {
      return { journal: await this.#journal, files: this.options.platform.files };
    } catch (error) {
      this.#journal = undefined; // the next write tries again: there may be space by then
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.walkers[Symbol.dispose]();
    const journal = await this.#journal;
    await journal?.[Symbol.asyncDispose]();
    this.#journal = undefined;
  }
}
