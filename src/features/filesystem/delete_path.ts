/** Deletes a file, a link, or a folder. */

import { dirname } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import { systemCode, translating } from "./file_errors.ts";
import type { Context } from "../context.ts";
import { checkNoMounts } from "./mounts.ts";
import { resolvePath } from "./path.ts";
import { checkNotPrecious } from "./precious.ts";
import { syncFolder } from "./safe_write/temporary.ts";

export interface DeleteInput {
  readonly path: string;
  readonly recursive: boolean;
}

export async function deletePath(
  { platform, session, config, signal }: Context,
  input: DeleteInput,
): Promise<void> {
  const path = resolvePath(input.path, config.home, "path");
  await translating({ action: "Cannot delete", path, field: "path" }, async () => {
    // work inside the folder ends first, and none begins meanwhile
    await session.files.locks.runOnAll([{ path, tree: true, shared: false }], signal, async () => {
      await checkNotPrecious("Cannot delete", path, config.home);
      await checkNoMounts("Cannot delete", path, platform.files);
      await remove(path, input);
    });
    await syncFolder(dirname(path));
  });
}

async function remove(path: string, { recursive }: DeleteInput): Promise<void> {
  try {
    await Deno.remove(path, { recursive });
  } catch (error) {
    if (systemCode(error) !== "ENOTEMPTY") throw error;
    const message = `Cannot delete ${JSON.stringify(path)}: the folder is not empty; ` +
      '"recursive": true deletes what is in it';
    throw new ServiceError("not_empty", message, { cause: error });
  }
}
