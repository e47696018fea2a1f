/** Where other file systems, or other parts of the same one, are mounted. */

import type { Platform } from "./types/mod.ts";

/** The real paths of all mount points; none where the system does not tell. */
export async function readMountPoints(system: Platform["system"]): Promise<readonly string[]> {
  if (system !== "linux") return [];
  const { readLinuxMountPoints } = await import("./linux/files/mount_points.ts");
  return await readLinuxMountPoints();
}
