/** One edit of one file: read under its lock, change, write so that nothing can be lost, remember how to undo. */

import { ServiceError } from "../../errors.ts";
import { type FileAction, translating } from "../../file_errors.ts";
import { openFile, realPathOf } from "../filesystem/open_file.ts";
import { contentOf, readAll } from "../filesystem/safe_write/content.ts";
import { replaceFile } from "../filesystem/safe_write/replace_file.ts";
import type { Context } from "../operation.ts";
import { applySplice, reverseSplice, sizeAfter, type Splice } from "./splice.ts";

/** Decides, with the bytes of the file, what to change; `undefined` leaves the file as it is. */
export type Plan = (bytes: Uint8Array) => Splice | Promise<Splice | undefined> | undefined;

/**
 * Changes an existing file.
 * @throws ServiceError and what `plan` throws; the file is untouched then.
 */
export async function editFile(context: Context, tried: FileAction, plan: Plan): Promise<void> {
  await lockedFile(context, tried, async (file) => {
    const splice = await plan(file.bytes);
    if (splice === undefined || splice.at.length === 0) return;
    const after = await writeSplice(context, tried, { file, splice });
    context.session.edits.history.add(file.path, { undo: reverseSplice(splice), after });
  });
}

/** A file with its bytes, under its real path. */
export interface ReadFile {
  readonly path: string;
  readonly info: Deno.FileInfo;
  readonly bytes: Uint8Array;
}

/** Runs `work` on a file that nobody else of us edits meanwhile, under this name or another one. */
export async function lockedFile<T>(
  { session: { files, edits }, config, signal }: Context,
  tried: FileAction,
  work: (file: ReadFile) => Promise<T>,
): Promise<T> {
  const path = await realPathOf(tried);
  return await translating(tried, () =>
    files.locks.runOnFile(
      path,
      signal,
      async () => {
        const { maxEditBytes } = config.limits;
        const { size } = await Deno.stat(path);
        checkSize(tried, size, maxEditBytes);
        return await edits.budget.run(
          size,
          signal,
          async () => await work(await readWhole({ ...tried, path }, maxEditBytes)),
        );
      },
    ));
}

/** Gives the hash of the new bytes. */
export async function writeSplice(
  { session, config }: Context,
  tried: FileAction,
  { file, splice }: { readonly file: ReadFile; readonly splice: Splice },
): Promise<string> {
  checkSize(tried, sizeAfter(file.bytes.length, splice), config.limits.maxEditBytes);
  const writing = await session.files.writing();
  return await translating(
    tried,
    () =>
      replaceFile(
        writing,
        { ...file, old: () => contentOf(file.bytes) },
        applySplice(file.bytes, splice),
      ),
  );
}

/** Opened for writing, too, which shows whether this user may change it. */
async function readWhole(tried: FileAction, maxBytes: number): Promise<ReadFile> {
  using opened = await openFile(tried, { read: true, write: true });
  const { file, info } = opened;
  checkSize(tried, info.size, maxBytes);
  const bytes = await translating(tried, () => readAll(file, info.size, maxBytes));
  checkSize(tried, bytes.length, maxBytes); // it grew meanwhile
  return { path: tried.path, info, bytes };
}

function checkSize({ action, path }: FileAction, size: number, maxBytes: number): void {
  if (size <= maxBytes) return;
  throw new ServiceError(
    "too_large",
    `${action} ${
      JSON.stringify(path)
    }: ${size} bytes are more than the ${maxBytes} that the editor takes (--max-edit)`,
  );
}
