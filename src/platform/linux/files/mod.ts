/** The file system ports of Linux; each library is opened at the first use of its port. */

import { available, lazyPorts, missing } from "../../open_port.ts";
import type { FileSystem } from "../../types/mod.ts";
import { openCopyAttributes } from "./attributes.ts";
import { openFileLease } from "./file_lease.ts";
import { openLinuxFolderReader } from "./folder_reader.ts";
import { openHeldForWriting } from "./held_for_writing.ts";
import { readLinuxMountPoints } from "./mount_points.ts";
import { openFileRanges } from "./ranges.ts";
import { openRemovability } from "./removability.ts";
import { openExchange, openExclusiveRename } from "./rename.ts";

/** The reason when the C library is not glibc or too old for the call. */
const OTHERWISE = "The system's C library cannot be asked";

export function openLinuxFileSystem(): FileSystem {
  const ports = lazyPorts({
    exclusiveRename: openExclusiveRename,
    exchange: openExchange,
    extendedAttributes: openCopyAttributes,
    fileRanges: openFileRanges,
    heldForWriting: openHeldForWriting,
    fileLease: openFileLease,
    removability: openRemovability,
  }, OTHERWISE);
  return Object.assign(ports, {
    openFolderReader: openLinuxFolderReader,
    hiddenMark: missing("Linux hides files by their names alone"),
    descriptorPath: available((fd: number) => `/proc/self/fd/${fd}`),
    mountPoints: available(() => readLinuxMountPoints()),
  });
}
