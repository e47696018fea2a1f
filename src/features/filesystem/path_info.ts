/** Describes one file or folder. */

import { type FileAction, translating } from "./file_errors.ts";
import type { Context } from "../context.ts";
import { type EntryFields, toEntry } from "./entry.ts";
import { resolvePath } from "./path.ts";

export async function getPathInfo(
  { config, platform: { files: { hiddenMark } } }: Context,
  input: { readonly path: string },
): Promise<EntryFields> {
  const path = resolvePath(input.path, config.home, "path");
  const attempt: FileAction = { action: "Cannot look at", path, field: "path" };
  return await translating(attempt, async () => {
    const own = await Deno.lstat(path);
    const { isDirectory, size, mtime } = own.isSymlink ? await statLinkTarget(path) ?? own : own;
    const isMarkedHidden = hiddenMark.ready && await hiddenMark.use(path);
    return toEntry(path, { isDirectory, size, mtime, isMarkedHidden });
  });
}

/** `undefined` for a dangling link or a cycle of links. */
async function statLinkTarget(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch {
    return undefined;
  }
}
