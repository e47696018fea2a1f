/** Copies a file or a folder, completely or not at all. */

import { dirname } from "node:path";
import { translating } from "./file_errors.ts";
import type { Context } from "../context.ts";
import { copyTree } from "./copy_tree.ts";
import { resolvePath } from "./path.ts";
import { place } from "./place.ts";
import { withParents } from "./safe_write/create_file.ts";
import { syncFolder, withTemporary } from "./safe_write/temporary.ts";
import { planTransfer, type Transfer, type TransferInput } from "./transfer.ts";

export async function copyPath(context: Context, input: TransferInput): Promise<void> {
  const { session: { files }, config: { home }, signal } = context;
  const source = resolvePath(input.source, home, "source");
  const destination = resolvePath(input.destination, home, "destination");
  const from = await Deno.realPath(source).catch(() => source); // planning reports its faults
  const claims = [
    { path: from, tree: true, shared: true },
    { path: destination, tree: true, shared: false },
  ];
  await files.locks.runOnAll(claims, signal, async () => {
    const transfer = await planTransfer("copy", input, home);
    if (transfer.sameness !== "different") return; // source and destination are the same entry
    await translating(
      { action: "Cannot copy", path: source, field: "source" },
      () => copyThere(context, transfer),
    );
  });
}

/** Builds the copy beside its final place and then renames it. */
async function copyThere({ platform, session, signal }: Context, transfer: Transfer) {
  const { verb, from: path, destination, info } = transfer;
  const { journal } = await session.files.writing();
  const { fileRanges } = platform.files;
  await withParents(destination, () =>
    withTemporary(journal, destination, async (temporary) => {
      await copyTree({ path, info }, temporary, { verb, signal, fileRanges });
      signal.throwIfAborted(); // once renamed it is complete, whether or not a client still waits
      await place(platform.files, temporary, transfer);
      await syncFolder(dirname(destination));
    }));
}
