/** What is never deleted or moved, whoever asks: the root, the home, and the folders above it. */

import { ServiceError } from "../../errors.ts";

/** @throws ServiceError `forbidden` */
export async function checkNotPrecious(action: string, path: string, home: string): Promise<void> {
  const precious = [home, await realPathOf(home)];
  const asked = [path, await realFolderOf(path)];
  if (!asked.some((each) => precious.some((one) => isOrHolds(each, one)))) return;
  const message = `${action} ${JSON.stringify(path)}: it is the root, the home of the service's ` +
    "user, or a folder above it";
  throw new ServiceError("forbidden", message);
}

function isOrHolds(folder: string, path: string): boolean {
  return folder === path || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`) ||
    folder === "/";
}

/** A link is not what it leads to: deleting it does no harm. */
async function realFolderOf(path: string): Promise<string> {
  const { isSymlink } = await Deno.lstat(path).catch(() => ({ isSymlink: true }));
  return isSymlink ? path : await realPathOf(path);
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch {
    return path;
  }
}
