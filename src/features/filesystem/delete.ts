/** Deletes a file, a link, or a folder. */

import { dirname } from "node:path";
import type { Context } from "../context.ts";
import { checkNoMounts } from "./entry.ts";
import { fileError, systemCode, translating } from "./file_errors.ts";
import { isSame, resolvePath } from "./paths.ts";
import { trySyncFolder } from "./safe_write/temporary.ts";
import { Files } from "./files.ts";

interface DeleteInput {
  readonly path: string;
  readonly recursive: boolean;
}

export async function deletePath(
  { platform, session, config, signal }: Context,
  input: DeleteInput,
): Promise<void> {
  const path = resolvePath(input.path, config.home, "path");
  await translating({ action: "Cannot delete", path, field: "path" }, async () => {
    // work inside the folder ends first, and none begins meanwhile
    await session.use(Files).locks.runOnAll(
      [{ path, tree: true, shared: false }],
      signal,
      async () => {
        await checkNotPrecious("Cannot delete", path, config.home);
        await checkNoMounts("Cannot delete", path, platform.files);
        await remove(path, input);
      },
    );
    await trySyncFolder(dirname(path));
  });
}

async function remove(path: string, { recursive }: DeleteInput): Promise<void> {
  try {
    await Deno.remove(path, { recursive });
  } catch (error) {
    if (systemCode(error) !== "ENOTEMPTY") throw error;
    const state = 'the folder is not empty; "recursive": true deletes what is in it';
    throw fileError({ action: "Cannot delete", path }, "not_empty", state, error);
  }
}

// Refuses to delete or move the root, the home, and the folders above it, for every caller.

/** @throws ServiceError `forbidden` */
export async function checkNotPrecious(action: string, path: string, home: string): Promise<void> {
  const precious = [home, await Deno.realPath(home).catch(() => home)].flatMap(withParents);
  const info = await statIfThere(path);
  // a link is not its target: deleting the link does no harm
  const paths = info?.isDirectory ? [path, await Deno.realPath(path).catch(() => path)] : [path];
  if (!paths.some((each) => precious.includes(each)) && !await isOneOf(info, precious)) return;
  const state = "it is the root, the home of the service's user, or a folder above it";
  throw fileError({ action, path }, "forbidden", state);
}

/** The path and all folders above it, up to the root. */
function withParents(path: string): string[] {
  return dirname(path) === path ? [path] : [path, ...withParents(dirname(path))];
}

/** Compares inode numbers, because a mount gives a folder a second path. */
async function isOneOf(
  info: Deno.FileInfo | undefined,
  paths: readonly string[],
): Promise<boolean> {
  if (!info?.isDirectory) return false;
  const others = await Promise.all(paths.map(statIfThere));
  return others.some((other) => other !== undefined && isSame(info, other));
}

async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  return await Deno.lstat(path).catch(() => undefined);
}
