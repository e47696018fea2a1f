/** Which entries are viewed and edited: regular files only, by their real path. */

import { ServiceError } from "../../core/errors.ts";
import { type FileAction, translating } from "./file_errors.ts";

/** On Linux: an entry of an open folder, which stays that folder wherever its name leads by now. */
const IN_OPEN_FOLDER = /^\/proc\/self\/fd\/\d+\/[^/]+$/;

/**
 * The real path of an existing entry, with links followed; one in an open folder stays as it is.
 * @throws ServiceError `not_found` and similar.
 */
export function resolvePath(attempt: FileAction): Promise<string> {
  const { path } = attempt;
  return translating(attempt, async () => {
    if (IN_OPEN_FOLDER.test(path) && !(await Deno.lstat(path)).isSymlink) return path;
    return await Deno.realPath(path);
  });
}

/** @throws ServiceError `is_a_directory` or `not_a_file` */
export function checkIsFile(
  { action, path }: FileAction,
  info: Pick<Deno.FileInfo, "isFile" | "isDirectory">,
): void {
  if (info.isFile) return;
  if (info.isDirectory) {
    throw new ServiceError("is_a_directory", `${action} ${JSON.stringify(path)}: it is a folder`);
  }
  const message = `${action} ${JSON.stringify(path)}: it is a FIFO, a socket or a device`;
  throw new ServiceError("not_a_file", message);
}
