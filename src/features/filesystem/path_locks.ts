/** Who may change which path: edits of one file wait for each other, and for what is done with a folder above it. */

import { isAbsolute, sep } from "node:path";
import { realEntryPath } from "./real_entry_path.ts";

/** What some work needs for itself. */
export interface Claim {
  readonly path: string;
  /** With everything below it. */
  readonly tree: boolean;
  /** Only read: together with others that only read. */
  readonly shared: boolean;
}

interface Held {
  readonly claims: readonly Claim[];
  readonly ended: Promise<void>;
}

export class PathLocks {
  readonly #held = new Set<Held>();

  /** Runs `work` when all earlier work under the same key (a path in any spelling, or another text) has ended, well or not. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return await this.runOnAll([{ path: key, tree: false, shared: false }], work);
  }

  /** All at once, so that nobody waits with half of what it needs in hand. */
  async runOnAll<T>(claims: readonly Claim[], work: () => Promise<T>): Promise<T> {
    const real = await Promise.all(claims.map(withRealPath));
    const before = [...this.#held].filter((other) => areInTheWay(other.claims, real));
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const held = { claims: real, ended };
    this.#held.add(held);
    await Promise.all(before.map((other) => other.ended));
    try {
      return await work();
    } finally {
      this.#held.delete(held);
      resolve();
    }
  }

  /** Runs `work` on an existing file that nobody else of us changes meanwhile, under this name or another one. */
  async runOnFile<T>(path: string, work: () => Promise<T>): Promise<T> {
    return await this.run(path, async () => {
      const { dev, ino } = await Deno.stat(path);
      return await this.run(`${dev}:${ino}`, work);
    });
  }
}

async function withRealPath(claim: Claim): Promise<Claim> {
  if (!isAbsolute(claim.path)) return claim;
  return { ...claim, path: await realEntryPath(claim.path) };
}

function areInTheWay(held: readonly Claim[], wanted: readonly Claim[]): boolean {
  return held.some((one) =>
    wanted.some((other) => !(one.shared && other.shared) && overlap(one, other))
  );
}

function overlap(one: Claim, other: Claim): boolean {
  return one.path === other.path || one.tree && isBelow(other.path, one.path) ||
    other.tree && isBelow(one.path, other.path);
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
