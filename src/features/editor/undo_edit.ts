/** Takes back the last edit that was made through this service. */

import { ServiceError } from "../../errors.ts";
import { type FileAction, translating } from "../../file_errors.ts";
import { resolvePath } from "../filesystem/path.ts";
import { hashOf } from "../filesystem/safe_write/content.ts";
import type { Context } from "../operation.ts";
import { lockedFile, writeSplice } from "./edit_file.ts";
import { removeUnchanged } from "./remove_unchanged.ts";

export async function undoEdit(context: Context, input: { readonly path: string }): Promise<void> {
  const { history } = context.session.edits;
  const path = resolvePath(input.path, context.config.home, "path");
  const tried: FileAction = { action: "Cannot undo in", path, field: "path" };
  await lockedFile(context, tried, async (file) => {
    const edit = history.last(file.path);
    if (edit === undefined) throw nothingToUndo(path);
    if (hashOf(file.bytes) !== edit.after) throw changedSince(path);
    if (edit.undo === "remove") {
      const { journal } = await context.session.files.writing();
      const removed = await translating(
        tried,
        () => removeUnchanged(journal, file.path, { size: file.bytes.length, hash: edit.after }),
      );
      if (!removed) throw changedSince(path);
    } else await writeSplice(context, tried, { file, splice: edit.undo });
    history.removeLast(file.path);
  });
}

function nothingToUndo(path: string): ServiceError {
  return new ServiceError(
    "not_found",
    `Cannot undo in ${
      JSON.stringify(path)
    }: no edit of it is remembered (this run's edits are, within --max-undo)`,
  );
}

function changedSince(path: string): ServiceError {
  return new ServiceError(
    "conflict",
    `Cannot undo in ${JSON.stringify(path)}: somebody else has changed it since the last edit`,
  );
}
