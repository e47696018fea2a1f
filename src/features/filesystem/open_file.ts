/** Opens a file for viewing or editing: regular files only, by their real path. */

import { ServiceError } from "../../core/errors.ts";
import { type FileAction, translating } from "./file_errors.ts";

/**
 * The real path of an existing entry, with links followed.
 * @throws ServiceError `not_found` and similar.
 */
export function resolvePath(attempt: FileAction): Promise<string> {
  return translating(attempt, () => Deno.realPath(attempt.path));
}

export interface OpenedFile extends Disposable {
  readonly file: Deno.FsFile;
  readonly info: Deno.FileInfo;
}

/**
 * @throws ServiceError for a folder, a FIFO, a socket, a device, and a file that may not be opened.
 */
export async function openFile(
  attempt: FileAction,
  options: Deno.OpenOptions,
): Promise<OpenedFile> {
  return await translating(attempt, async () => {
    // checked before opening, because opening a FIFO blocks until another program opens its other
    // end
    checkIsFile(attempt, await Deno.stat(attempt.path));
    const file = await Deno.open(attempt.path, options);
    return { file, info: await statOrClose(file), [Symbol.dispose]: () => file.close() };
  });
}

/** @throws ServiceError `is_a_directory` or `not_a_file` */
export function checkIsFile({ action, path }: FileAction, info: Deno.FileInfo): void {
  if (info.isFile) return;
  if (info.isDirectory) {
    throw new ServiceError("is_a_directory", `${action} ${JSON.stringify(path)}: it is a folder`);
  }
  const message = `${action} ${JSON.stringify(path)}: it is a FIFO, a socket or a device`;
  throw new ServiceError("not_a_file", message);
}

async function statOrClose(file: Deno.FsFile): Promise<Deno.FileInfo> {
  try {
    return await file.stat();
  } catch (error) {
    file.close();
    throw error;
  }
}
