/** One edit of one file: carried out under its lock, within the memory for edits, and remembered so that it can be undone. */

import { ServiceError } from "../../core/errors.ts";
import { type FileAction, translating } from "../filesystem/file_errors.ts";
import { checkIsFile, realPathOf } from "../filesystem/open_file.ts";
import { Descriptor } from "../filesystem/safe_write/descriptor.ts";
import type { Context } from "../context.ts";
import type { Change, EditOutcome } from "./edit_task.ts";

/**
 * Changes an existing file.
 * @throws ServiceError; the file is untouched then.
 */
export async function editFile(
  context: Context,
  tried: FileAction,
  change: Change,
): Promise<void> {
  await changeLocked(context, tried, () => change);
}

/** As {@link editFile}; the change is asked for when nobody else of us edits the file, with its real path. */
export async function changeLocked(
  context: Context,
  tried: FileAction,
  changeOf: (path: string) => Change,
): Promise<void> {
  const { session: { files, edits }, config, signal } = context;
  const path = await realPathOf(tried);
  await translating(tried, () =>
    files.locks.runOnFile(path, signal, async () => {
      const info = await Deno.stat(path);
      checkIsFile(tried, info);
      await checkMayBeChanged(path);
      const { maxEditBytes: maxBytes } = config.limits;
      if (info.size > maxBytes) throw tooLarge(tried, info.size, maxBytes);
      const change = changeOf(path);
      const edit = async () => {
        const writing = await files.writing();
        const task = { path, tried, maxBytes, change };
        return await edits.runner.run(task, { writing, size: info.size, signal });
      };
      const outcome = await edits.budget.run(edit, signal, { size: info.size });
      remember(context, path, outcome);
    }));
}

/** @throws the system's error when this user may not write to it. */
async function checkMayBeChanged(path: string): Promise<void> {
  await using _file = await Descriptor.open(path, "both");
}

function remember({ session }: Context, path: string, outcome: EditOutcome): void {
  const { history } = session.edits;
  if (outcome === "undone") history.removeLast(path);
  else if (outcome !== "unchanged") history.add(path, outcome);
}

function tooLarge({ action, path }: FileAction, size: number, maxBytes: number): ServiceError {
  return new ServiceError(
    "too_large",
    `${action} ${
      JSON.stringify(path)
    }: ${size} bytes are more than the ${maxBytes} that the editor takes (--max-edit)`,
  );
}
