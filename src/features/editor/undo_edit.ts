/** Undoes the last edit that was made through this service. */

import { ServiceError } from "../../core/errors.ts";
import type { FileAction } from "../filesystem/file_errors.ts";
import { resolvePath } from "../filesystem/path.ts";
import type { Context } from "../context.ts";
import { changeLocked } from "./edit_file.ts";

export async function undoEdit(context: Context, input: { readonly path: string }): Promise<void> {
  const { history } = context.session.edits;
  const path = resolvePath(input.path, context.config.home, "path");
  const attempt: FileAction = { action: "Cannot undo in", path, field: "path" };
  await changeLocked(context, attempt, (real) => {
    const edit = history.last(real);
    if (edit === undefined) throw nothingToUndo(path);
    return { kind: "undo", edit };
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
