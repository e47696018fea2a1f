/** Refuses to delete or move the root, the home, and the folders above it, for every caller. */

import { dirname } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import { isSame } from "./same_entry.ts";

/** @throws ServiceError `forbidden` */
export async function checkNotPrecious(action: string, path: string, home: string): Promise<void> {
  const precious = [home, await resolveExisting(home)].flatMap(withParents);
  const info = await statIfThere(path);
  // a link is not its target: deleting the link does no harm
  const asked = info?.isDirectory ? [path, await resolveExisting(path)] : [path];
  if (!asked.some((each) => precious.includes(each)) && !await isOneOf(info, precious)) return;
  const message = `${action} ${JSON.stringify(path)}: it is the root, the home of the service's ` +
    "user, or a folder above it";
  throw new ServiceError("forbidden", message);
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

async function resolveExisting(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch {
    return path;
  }
}
