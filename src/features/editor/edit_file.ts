/**
 * Performs one edit of one file: under the file's lock, within the memory budget for edits, and
 * recorded for undo.
 */

import { type FileAction, translating } from "../filesystem/file_errors.ts";
import { checkIsFile, resolvePath } from "../filesystem/open_file.ts";
import { checkMayBeChanged } from "../filesystem/safe_write/descriptor.ts";
import type { Context } from "../context.ts";
import type { Change, EditResult } from "./edit_task.ts";
import { Edits } from "./edits.ts";
import { checkSize } from "./execute_edit.ts";
import { Files } from "../filesystem/files.ts";

/**
 * Changes an existing file; requests the change with the real path, while no other request of this
 * service edits the file.
 * @throws ServiceError; the file is then untouched.
 */
export async function changeLocked(
  context: Context,
  attempt: FileAction,
  changeOf: (path: string) => Change,
): Promise<void> {
  const { session, config, signal } = context;
  const files = session.use(Files);
  const edits = session.use(Edits);
  const path = await resolvePath(attempt);
  await translating(attempt, () =>
    files.locks.runOnFile(path, signal, async () => {
      const info = await Deno.stat(path);
      checkIsFile(attempt, info);
      await checkMayBeChanged(path);
      const { maxEditBytes: maxBytes } = config.limits;
      checkSize(attempt, info.size, maxBytes);
      const change = changeOf(path);
      const edit = async () => {
        const writing = await files.writing();
        const task = { path, attempt, maxBytes, change };
        return await edits.run(task, { writing, size: info.size, signal });
      };
      const outcome = await edits.budget.run(edit, signal, { size: info.size });
      const named = await Deno.realPath(path).catch(() => path); // an open folder has no lasting name
      remember(context, named, outcome);
    }));
}

function remember({ session }: Context, path: string, outcome: EditResult): void {
  const { history } = session.use(Edits);
  if (outcome === "undone") history.removeLast(path);
  else if (outcome !== "unchanged") history.add(path, outcome);
}
