/** Inserts a text as lines of a file. */

import { resolvePath } from "../filesystem/path.ts";
import type { Context } from "../context.ts";
import { editFile } from "./edit_file.ts";

export interface Insertion {
  readonly path: string;
  readonly text: string;
  /** From 1; 0 also inserts at the top; `null` or absent appends. */
  readonly insert_line?: number | null | undefined;
}

export async function insertText(context: Context, input: Insertion): Promise<void> {
  const path = resolvePath(input.path, context.config.home, "path");
  await editFile(context, { action: "Cannot edit", path, field: "path" }, {
    kind: "insert",
    text: input.text,
    line: input.insert_line ?? undefined,
  });
}
