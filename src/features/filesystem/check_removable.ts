/** Checks that a whole tree can be removed, before any step that would have to be undone. */

import { dirname, join } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import type { FileSystem, Removability } from "../../platform/types/mod.ts";

/** @throws ServiceError `permission_denied` that names the first entry which cannot be removed. */
export async function checkRemovable(
  { removability }: Pick<FileSystem, "removability">,
  { action, path, signal }: {
    readonly action: string;
    readonly path: string;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  if (!removability.ready) return; // only the attempt can show it
  const refuse = (entry: string, reason: string): never => {
    const at = entry === path ? "it" : JSON.stringify(entry);
    const message = `${action} ${
      JSON.stringify(path)
    }: ${at} cannot be removed: ${reason}; nothing was changed`;
    throw new ServiceError("permission_denied", message);
  };
  if (!await removability.use.mayChange(dirname(path))) refuse(path, READ_ONLY);
  const look = new Look(removability.use, refuse, signal);
  await look.at(path, await Deno.lstat(path));
}

const READ_ONLY = "its folder may not be changed by this user, or its file system is read-only";
const MARKED = "it is marked as immutable or append-only";

class Look {
  constructor(
    private readonly removability: Removability,
    private readonly refuse: (entry: string, reason: string) => never,
    private readonly signal: AbortSignal,
  ) {}

  async at(path: string, { isDirectory }: { readonly isDirectory: boolean }): Promise<void> {
    this.signal.throwIfAborted();
    if (await this.removability.isMarked(path)) this.refuse(path, MARKED);
    if (!isDirectory) return;
    let isEmpty = true;
    for await (const entry of Deno.readDir(path)) {
      if (isEmpty && !await this.removability.mayChange(path)) {
        this.refuse(join(path, entry.name), READ_ONLY);
      }
      isEmpty = false;
      await this.at(join(path, entry.name), entry);
    }
  }
}
