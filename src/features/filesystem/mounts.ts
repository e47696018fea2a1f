/** Protects mount points from deletion: what is below them is not part of the folder. */

import { dirname } from "node:path";
import { ServiceError } from "../../core/errors.ts";
import type { FileSystem } from "../../platform/types/mod.ts";
import { realEntryPath } from "./real_entry_path.ts";

/**
 * @throws ServiceError `conflict` when the folder is a mount point, or contains one where the
 * system reports them.
 */
export async function checkNoMounts(
  action: string,
  path: string,
  { mountPoints }: Pick<FileSystem, "mountPoints">,
): Promise<void> {
  const info = await Deno.lstat(path);
  if (!info.isDirectory) return;
  const real = await realEntryPath(path);
  const { dev } = await Deno.stat(dirname(real));
  if (dev !== info.dev) throw isMounted(action, path, real);
  const points = mountPoints.ready ? await mountPoints.use() : [];
  const mounted = points.find((each) => each === real || each.startsWith(`${real}/`));
  if (mounted !== undefined) throw isMounted(action, path, mounted);
}

function isMounted(action: string, path: string, mounted: string): ServiceError {
  const message = `${action} ${JSON.stringify(path)}: a file system is mounted at ` +
    `${JSON.stringify(mounted)}; nothing was removed: unmount it first`;
  return new ServiceError("conflict", message);
}
