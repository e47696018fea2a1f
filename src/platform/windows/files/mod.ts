/** File operations on Windows; kernel32.dll is opened when a port is first requested. */

import { missing, openPort } from "../../open_port.ts";
import type { FileSystem, IsMarkedHidden, Port, Rename } from "../../types/mod.ts";
import { openWindowsFolderReader } from "./folder_reader.ts";
import { openHiddenMark } from "./hidden_mark.ts";
import { openExclusiveRename } from "./rename.ts";

const OTHERWISE = "kernel32.dll cannot be asked";

export function openWindowsFileSystem(): FileSystem {
  return new WindowsFileSystem();
}

class WindowsFileSystem implements FileSystem {
  readonly openFolderReader = openWindowsFolderReader;
  readonly exchange = missing("Windows cannot exchange two files");
  readonly extendedAttributes = missing("This version does not copy streams and access lists");
  readonly mountPoints = missing("This version does not ask Windows for mounted folders");
  readonly fileRanges = missing("The runtime copies files by the call of Windows");
  readonly heldForWriting = missing("Windows does not tell which files are open for writing");
  readonly fileLease = missing("This version does not ask Windows to keep a file to itself");
  readonly descriptorPath = missing("Windows has no paths of open files");
  readonly removability = missing("Windows tells when it is tried");
  #exclusiveRename: Port<Rename> | undefined;
  #hiddenMark: Port<IsMarkedHidden> | undefined;

  get exclusiveRename(): Port<Rename> {
    return this.#exclusiveRename ??= openPort(openExclusiveRename, OTHERWISE);
  }

  get hiddenMark(): Port<IsMarkedHidden> {
    return this.#hiddenMark ??= openPort(openHiddenMark, OTHERWISE);
  }
}
