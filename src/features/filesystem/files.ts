/** The state for files while the service runs: locks, journal, and the walk workers. */

import { isAbsolute, sep } from "node:path";
import { statIfThere } from "../../core/files.ts";
import { KeyedLock } from "../../core/locks.ts";
import { type Log, log } from "../../core/log.ts";
import type { Session } from "../session.ts";
import { realEntryPath } from "./paths.ts";
import { Journal } from "./safe_write/journal.ts";
import { recover } from "./safe_write/recovery.ts";
import type { Writing } from "./safe_write/exchange.ts";
import { Walkers } from "./walk/walkers.ts";

export class Files implements Disposable {
  static readonly ofService = true;
  readonly locks = new PathLocks();
  readonly walkers: Walkers;
  #journal: Promise<Journal> | undefined;

  constructor(private readonly options: Pick<Session, "platform" | "stateDir" | "limits">) {
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

  [Symbol.dispose](): void {
    this.walkers[Symbol.dispose]();
  }
}

// Locks paths while they change: edits of one file wait for each other and for work on any folder
// above it.

/** A path that some work locks. */
interface Claim {
  readonly path: string;
  /** Includes everything below the path. */
  readonly tree: boolean;
  /** Read access: compatible with other shared claims. */
  readonly shared: boolean;
}

export class PathLocks {
  readonly #lock = new KeyedLock<Claim>(overlap);

  /**
   * Runs `work` when all earlier work under the same key (a path in any spelling, or another text)
   * has ended, whether it succeeded or failed.
   * @throws the signal's reason if it aborts before that; `work` is then not started.
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return await this.runOnAll([{ path: key, tree: false, shared: false }], signal, work);
  }

  /** Takes all claims in one step, so that no work waits while it holds only some of them. */
  async runOnAll<T>(
    claims: readonly Claim[],
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const real = await Promise.all(claims.map(withRealPath));
    return await this.#lock.run(real, work, signal);
  }

  /**
   * Runs `work` on a file, which may be missing, while no other request of this service changes it,
   * under this name or another one.
   */
  async runOnFile<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return await this.run(path, signal, async () => {
      const there = await statIfThere(path);
      return await (there ? this.run(`${there.dev}:${there.ino}`, signal, work) : work());
    });
  }
}

async function withRealPath(claim: Claim): Promise<Claim> {
  if (!isAbsolute(claim.path)) return claim;
  return { ...claim, path: await realEntryPath(claim.path) };
}

function overlap(one: Claim, other: Claim): boolean {
  if (one.shared && other.shared) return false;
  return one.path === other.path || one.tree && isBelow(other.path, one.path) ||
    other.tree && isBelow(one.path, other.path);
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
