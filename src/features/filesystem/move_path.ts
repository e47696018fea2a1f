/** Moves a file or a folder; to another file system by a copy that is whole before the source goes. */

import { dirname } from "node:path";
import { systemCode, translating } from "../../file_errors.ts";
import type { Context } from "../operation.ts";
import { copyTo } from "./copy_path.ts";
import { resolvePath } from "./path.ts";
import { checkNotPrecious } from "./precious.ts";
import { withParents } from "./safe_write/create_file.ts";
import { syncFolder } from "./safe_write/temporary.ts";
import { planTransfer, type Transfer, type TransferInput } from "./transfer.ts";

export async function movePath(context: Context, input: TransferInput): Promise<void> {
  const { session: { files }, config: { home } } = context;
  const ends = [
    resolvePath(input.source, home, "source"),
    resolvePath(input.destination, home, "destination"),
  ];
  // always in the same order, so that two moves in opposite directions never wait for each other
  const [first, second] = ends.sort() as [string, string];
  const work = () => move(context, input);
  await files.locks.run(first, first === second ? work : () => files.locks.run(second, work));
}

async function move(context: Context, input: TransferInput): Promise<void> {
  const { home } = context.config;
  const transfer = await planTransfer("move", input, home);
  const { source, destination, same } = transfer;
  await checkNotPrecious("Cannot move", source, home);
  if (source === destination) return;
  const tried = { action: "Cannot move", path: source, field: "source" };
  await translating(tried, async () => {
    // two names of one file: the system would leave both
    if (same) return await Deno.remove(source);
    await withParents(destination, async () => {
      if (!await tryRename(source, destination)) await moveByCopy(context, transfer);
    });
    await syncFolder(dirname(destination));
    await syncFolder(dirname(source));
  });
}

async function moveByCopy({ session, signal }: Context, transfer: Transfer): Promise<void> {
  const { journal } = await session.files.writing();
  await copyTo(journal, transfer, signal);
  await Deno.remove(transfer.source, { recursive: true });
}

/** `false` where the two lie on different file systems. */
async function tryRename(source: string, destination: string): Promise<boolean> {
  try {
    await Deno.rename(source, destination);
    return true;
  } catch (error) {
    if (systemCode(error) === "EXDEV") return false;
    throw error;
  }
}
