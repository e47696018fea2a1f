/** The file system ports of Linux; each library is opened at the first use of its port. */

import { missing, openPort } from "../../open_port.ts";
import type {
  CopyAttributes,
  FileRanges,
  FileSystem,
  HeldForWriting,
  Port,
  Removability,
  Rename,
  TakeLease,
} from "../../types/mod.ts";
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
  return new LinuxFileSystem();
}

class LinuxFileSystem implements FileSystem {
  readonly openFolderReader = openLinuxFolderReader;
  readonly hiddenMark = missing("Linux hides files by their names alone");
  readonly descriptorPath = { ready: true, use: (fd: number) => `/proc/self/fd/${fd}` } as const;
  readonly mountPoints = { ready: true, use: () => readLinuxMountPoints() } as const;
  #exclusiveRename: Port<Rename> | undefined;
  #exchange: Port<Rename> | undefined;
  #extendedAttributes: Port<CopyAttributes> | undefined;
  #fileRanges: Port<FileRanges> | undefined;
  #heldForWriting: Port<HeldForWriting> | undefined;
  #fileLease: Port<TakeLease> | undefined;
  #removability: Port<Removability> | undefined;

  get exclusiveRename(): Port<Rename> {
    return this.#exclusiveRename ??= openPort(openExclusiveRename, OTHERWISE);
  }

  get exchange(): Port<Rename> {
    return this.#exchange ??= openPort(openExchange, OTHERWISE);
  }

  get extendedAttributes(): Port<CopyAttributes> {
    return this.#extendedAttributes ??= openPort(openCopyAttributes, OTHERWISE);
  }

  get fileRanges(): Port<FileRanges> {
    return this.#fileRanges ??= openPort(openFileRanges, OTHERWISE);
  }

  get heldForWriting(): Port<HeldForWriting> {
    return this.#heldForWriting ??= openPort(openHeldForWriting, OTHERWISE);
  }

  get fileLease(): Port<TakeLease> {
    return this.#fileLease ??= openPort(openFileLease, OTHERWISE);
  }

  get removability(): Port<Removability> {
    return this.#removability ??= openPort(openRemovability, OTHERWISE);
  }
}
