/** File operations on macOS: all by the runtime, because no calls of the system are bound yet. */

import { missing } from "../../capability.ts";
import type { FileSystem } from "../../types/mod.ts";

const NOT_ASKED = "This version does not make the call of macOS for it";

export function openMacosFileSystem(): FileSystem {
  return {
    openFolderReader: () => Deno.readDirSync,
    exclusiveRename: missing(NOT_ASKED),
    exchange: missing(NOT_ASKED),
    extendedAttributes: missing(NOT_ASKED),
    hiddenMark: missing(NOT_ASKED),
    mountPoints: missing(NOT_ASKED),
    fileRanges: missing("The runtime copies files by the call of macOS"),
    heldForWriting: missing("macOS does not report which files are open for writing"),
    descriptorPath: missing("macOS opens no open file again"),
    removability: missing(NOT_ASKED),
  };
}
