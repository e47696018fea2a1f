/** Moves a file or a folder: by renaming, or by copying to another file system. */

import { dirname } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import { systemCode, translating } from "./file_errors.ts";
import type { Context } from "../context.ts";
import { moveByCopy } from "./move_by_copy.ts";
import { resolvePath } from "./path.ts";
import { place } from "./place.ts";
import { checkNotPrecious } from "./precious.ts";
import { withParents } from "./safe_write/create_file.ts";
import { syncFolder } from "./safe_write/temporary.ts";
import { planTransfer, type Transfer, type TransferInput } from "./transfer.ts";

export async function movePath(context: Context, input: TransferInput): Promise<void> {
  const { session: { files }, config: { home } } = context;
  const claims = [
    resolvePath(input.source, home, "source"),
    resolvePath(input.destination, home, "destination"),
  ].map((path) => ({ path, tree: true, shared: false }));
  await files.locks.runOnAll(claims, context.signal, () => move(context, input));
}

async function move(context: Context, input: TransferInput): Promise<void> {
  const { home } = context.config;
  const transfer = await planTransfer("move", input, home);
  const { source, destination, sameness } = transfer;
  await checkNotPrecious("Cannot move", source, home);
  if (sameness === "same entry") return;
  if (sameness === "alias") throw isAlias(transfer);
  const attempt = { action: "Cannot move", path: source, field: "source" };
  await translating(attempt, async () => {
    // two names of one file: a rename would keep both
    if (sameness === "hard link") return await Deno.remove(source);
    await withParents(destination, async () => {
      if (!await tryRename(context, transfer)) await moveByCopy(context, transfer);
    });
    await syncFolder(dirname(destination));
    await syncFolder(dirname(source));
  });
}

/** `false` if the paths are on different file systems. */
async function tryRename({ platform }: Context, transfer: Transfer): Promise<boolean> {
  try {
    await place(platform.files, transfer.source, transfer);
    return true;
  } catch (error) {
    if (systemCode(error) === "EXDEV") return false;
    throw error;
  }
}

function isAlias({ source, destination }: Transfer): ServiceError {
  const message = `Cannot move ${JSON.stringify(source)} to ${JSON.stringify(destination)}: ` +
    "both are one and the same, seen through a mount or written in another case; nothing was changed";
  return new ServiceError("conflict", message);
}
