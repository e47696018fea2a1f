/** Looks at one file or folder. */

import { type FileAction, translating } from "./file_errors.ts";
import type { Context } from "../context.ts";
import { type EntryFields, entryOf } from "./entry.ts";
import { resolvePath } from "./path.ts";

export async function getPathInfo(
  { config, platform: { files: { hiddenMark } } }: Context,
  input: { readonly path: string },
): Promise<EntryFields> {
  const path = resolvePath(input.path, config.home, "path");
  const tried: FileAction = { action: "Cannot look at", path, field: "path" };
  return await translating(tried, async () => {
    const own = await Deno.lstat(path);
    const { isDirectory, size, mtime } = own.isSymlink ? await targetOf(path) ?? own : own;
    const isMarkedHidden = hiddenMark.ready && await hiddenMark.use(path);
    return entryOf(path, { isDirectory, size, mtime, isMarkedHidden });
  });
}

/** `undefined` for a link that leads nowhere, or in a circle. */
async function targetOf(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch {
    return undefined;
  }
}
