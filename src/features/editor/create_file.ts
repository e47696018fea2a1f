/** Creates a text file and any missing folders above it. */

import { translating } from "../filesystem/file_errors.ts";
import { resolvePath } from "../filesystem/path.ts";
import { contentOfText } from "../filesystem/safe_write/content.ts";
import { createFile as createWhole } from "../filesystem/safe_write/create_file.ts";
import type { Context } from "../context.ts";

export interface NewFile {
  readonly path: string;
  readonly file_text?: string | null | undefined;
}

export async function createFile(
  { session, config, signal }: Context,
  input: NewFile,
): Promise<void> {
  const path = resolvePath(input.path, config.home, "path");
  const content = contentOfText(input.file_text ?? "");
  const { files, edits } = session;
  const { journal } = await files.writing();
  await translating({ action: "Cannot create", path, field: "path" }, async () => {
    await files.locks.run(path, signal, async () => {
      const after = await createWhole(journal, path, content);
      const real = await Deno.realPath(path); // a folder above may be a link
      edits.history.forget(real);
      edits.history.add(real, { undo: "remove", after });
    });
  });
}
