/** Applies a diff to a file: all of its sections or none. */

import { resolvePath } from "../filesystem/path.ts";
import type { Context } from "../context.ts";
import { editFile } from "./edit_file.ts";

export interface Patch {
  readonly path: string;
  /** In the V4A format. */
  readonly diff: string;
}

export async function applyPatch(context: Context, { path: text, diff }: Patch): Promise<void> {
  const path = resolvePath(text, context.config.home, "path");
  await editFile(context, { action: "Cannot edit", path, field: "path" }, { kind: "patch", diff });
}
