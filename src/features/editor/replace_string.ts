/** Replaces every occurrence of a text in a file. */

import { resolvePath } from "../filesystem/path.ts";
import type { Context } from "../context.ts";
import { editFile } from "./edit_file.ts";

export interface Replacement {
  readonly path: string;
  readonly old_str: string;
  readonly new_str: string;
  readonly unique?: boolean;
}

export async function replaceString(context: Context, input: Replacement): Promise<void> {
  const path = resolvePath(input.path, context.config.home, "path");
  await editFile(context, { action: "Cannot edit", path, field: "path" }, {
    kind: "replace",
    oldText: input.old_str,
    newText: input.new_str,
    unique: input.unique ?? false,
    limit: context.config.limits.maxReplacements,
  });
}
