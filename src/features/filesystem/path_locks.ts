/** Who may change which path: edits of one file wait for each other, and for what is done with a folder above it. */

import { isAbsolute, sep } from "node:path";
import { KeyedLock } from "../../core/keyed_lock.ts";
import { realEntryPath } from "./real_entry_path.ts";

/** What some work needs for itself. */
export interface Claim {
  readonly path: string;
  /** With everything below it. */
  readonly tree: boolean;
  /** Only read: together with others that only read. */
  readonly shared: boolean;
}

export class PathLocks {
  readonly #lock = new KeyedLock<Claim>(overlap);

  /**
   * Runs `work` when all earlier work under the same key (a path in any spelling, or another text) has ended, well or not.
   * @throws the signal's reason when it aborts before that: `work` is not begun then.
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return await this.runOnAll([{ path: key, tree: false, shared: false }], signal, work);
  }

  /** All at once, so that nobody waits with half of what it needs in hand. */
  async runOnAll<T>(
    claims: readonly Claim[],
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const real = await Promise.all(claims.map(withRealPath));
    return await this.#lock.run(real, work, signal);
  }

  /** Runs `work` on an existing file that nobody else of us changes meanwhile, under this name or another one. */
  async runOnFile<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return await this.run(path, signal, async () => {
      const { dev, ino } = await Deno.stat(path);
      return await this.run(`${dev}:${ino}`, signal, work);
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
