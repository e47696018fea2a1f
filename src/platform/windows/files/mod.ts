/** File operations on Windows; kernel32.dll is opened when a port is first requested. */

import { lazyPorts, missing } from "../../open_port.ts";
import type { FileSystem } from "../../types/mod.ts";
import { openWindowsFolderReader } from "./folder_reader.ts";
import { openHiddenMark } from "./hidden_mark.ts";
import { openExclusiveRename } from "./rename.ts";

export function openWindowsFileSystem(): FileSystem {
  const open = { exclusiveRename: openExclusiveRename, hiddenMark: openHiddenMark };
  return Object.assign(lazyPorts(open, "kernel32.dll cannot be asked"), {
    openFolderReader: openWindowsFolderReader,
    exchange: missing("Windows cannot exchange two files"),
    extendedAttributes: missing("This version does not copy streams and access lists"),
    mountPoints: missing("This version does not ask Windows for mounted folders"),
    fileRanges: missing("The runtime copies files by the call of Windows"),
    heldForWriting: missing("Windows does not tell which files are open for writing"),
    fileLease: missing("This version does not ask Windows to keep a file to itself"),
    descriptorPath: missing("Windows has no paths of open files"),
    removability: missing("Windows tells when it is tried"),
  });
}
