/** Copies a file or a folder: whole, or not at all. */

import { dirname, join } from "node:path";
import { ServiceError } from "../../errors.ts";
import { translating } from "../../file_errors.ts";
import type { Context } from "../operation.ts";
import { resolvePath } from "./path.ts";
import { withParents } from "./safe_write/create_file.ts";
import type { Journal } from "./safe_write/journal.ts";
import { syncFolder, withTemporary } from "./safe_write/temporary.ts";
import { planTransfer, type Transfer, type TransferInput } from "./transfer.ts";

export async function copyPath(context: Context, input: TransferInput): Promise<void> {
  const { session: { files }, config: { home }, signal } = context;
  await files.locks.run(resolvePath(input.destination, home, "destination"), async () => {
    const transfer = await planTransfer("copy", input, home);
    if (transfer.same) return; // it is its own copy already
    const { journal } = await files.writing();
    await copyTo(journal, transfer, signal);
  });
}

/** Makes the copy beside its place and renames it there. */
export async function copyTo(
  journal: Journal,
  { verb, source, destination, info }: Transfer,
  signal: AbortSignal,
): Promise<void> {
  const tried = { action: `Cannot ${verb}`, path: source, field: "source" };
  await translating(
    tried,
    () =>
      withParents(destination, () =>
        withTemporary(journal, destination, async (temporary) => {
          // a link that is copied by name stands for what it leads to; moved, it stays a link
          const followed = verb === "copy" && info.isSymlink ? await Deno.stat(source) : info;
          await copyEntry(source, temporary, { info: followed, signal });
          await Deno.rename(temporary, destination);
          await syncFolder(dirname(destination));
        })),
  );
}

interface Copying {
  readonly info: Deno.FileInfo;
  readonly signal: AbortSignal;
}

async function copyEntry(from: string, to: string, { info, signal }: Copying): Promise<void> {
  signal.throwIfAborted();
  if (info.isSymlink) return await Deno.symlink(await Deno.readLink(from), to);
  if (info.isFile) return await copyBytes(from, to);
  if (!info.isDirectory) throw notCopied(from);
  await Deno.mkdir(to, { mode: 0o700 }); // its own mode, which may forbid writing, comes last
  for await (const { name } of Deno.readDir(from)) {
    const path = join(from, name);
    await copyEntry(path, join(to, name), { info: await Deno.lstat(path), signal });
  }
  if (info.mode !== null) await Deno.chmod(to, info.mode & 0o7777);
}

async function copyBytes(from: string, to: string): Promise<void> {
  await Deno.copyFile(from, to);
  using file = await Deno.open(to);
  await file.sync();
}

function notCopied(path: string): ServiceError {
  const message = `Cannot copy ${JSON.stringify(path)}: it is a FIFO, a socket or a device`;
  return new ServiceError("not_a_file", message);
}
