/** A new file or folder beside its final place, which is removed again unless it gets there. */

import { basename, dirname } from "node:path";
import { log } from "../../../core/log.ts";
import { Descriptor } from "./descriptor.ts";
import type { Journaling } from "./journal.ts";
import { besides } from "./names.ts";

/**
 * Runs `work` with the path of a temporary file in the folder of `path`, and its number in the journal. The journal knows it before it is made;
 * afterwards, whether it was renamed away or not, nothing of it is left.
 */
export async function withTemporary<T>(
  journal: Journaling,
  path: string,
  work: (temporary: string, id: number) => Promise<T>,
): Promise<T> {
  const temporary = besides(path);
  await using folder = await HeldFolder.open(dirname(path));
  const id = await journal.begin({ kind: "temporary", path: temporary, target: path });
  try {
    return await work(temporary, id);
  } finally {
    // what was done is done, whether this succeeds or not: what is left now, the journal remembers
    if (await removed(temporary, folder)) journal.end(id);
  }
}

/** A folder that is reached whatever happens to its name: another program may rename it, or put another one there. */
class HeldFolder implements AsyncDisposable {
  private constructor(private readonly open: Descriptor | undefined) {}

  /** Where the system cannot do that, the name must do. */
  static async open(path: string): Promise<HeldFolder> {
    return new HeldFolder(await Descriptor.openFolder(path).catch(() => undefined));
  }

  /** Another path of what lies in it under this name, as Linux has it. */
  at(name: string): string | undefined {
    return this.open && `/proc/self/fd/${this.open.fd}/${name}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.open?.[Symbol.asyncDispose]();
  }
}

async function removed(temporary: string, folder: HeldFolder): Promise<boolean> {
  try {
    await removeIfThere(temporary);
    const held = folder.at(basename(temporary));
    if (held !== undefined) await removeIfThere(held);
    return true;
  } catch (error) {
    log.warn("cannot remove a temporary file, the next start tries again", {
      path: temporary,
      error: String(error),
    });
    return false;
  }
}

/** Makes what is in the folder last through a power failure, where the system can do that. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    using handle = await Deno.open(folder);
    await handle.sync();
  } catch {
    // the change is made; a folder that may not be read, or a system without this call, is no failure of it
  }
}

/** Removes a file or a whole folder. */
export async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
