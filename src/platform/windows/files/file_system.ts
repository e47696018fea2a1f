/** File operations on Windows; kernel32.dll is opened when a port is first requested. */

import { toNamespacedPath } from "node:path";
import { keepAlive, memory, wideText } from "../../../../ffi/memory.ts";
import {
  FILE_ATTRIBUTE_DIRECTORY,
  FILE_ATTRIBUTE_HIDDEN,
  FILE_ATTRIBUTE_REPARSE_POINT,
  type Files,
  FIND_FIRST_EX_LARGE_FETCH,
  FindExInfoBasic,
  FindExSearchNameMatch,
  INVALID_FILE_ATTRIBUTES,
  INVALID_HANDLE,
  IO_REPARSE_TAG_MOUNT_POINT,
  IO_REPARSE_TAG_SYMLINK,
  openFiles,
  WIN32_FIND_DATAW as FOUND,
} from "../../../../ffi/windows/kernel32.ts";
import { lazyCapabilities, missing } from "../../capability.ts";
import type {
  FileSystem,
  FolderEntry,
  IsMarkedHidden,
  ReadFolder,
  Rename,
} from "../../types/mod.ts";

export function openWindowsFileSystem(): FileSystem {
  const open = { exclusiveRename: openExclusiveRename, hiddenMark: openHiddenMark };
  return Object.assign(lazyCapabilities(open, "kernel32.dll cannot be called"), {
    openFolderReader: openWindowsFolderReader,
    exchange: missing("Windows cannot exchange two files"),
    extendedAttributes: missing("This version does not copy streams and access lists"),
    mountPoints: missing("This version does not query Windows for mounted folders"),
    fileRanges: missing("The runtime copies files by the call of Windows"),
    heldForWriting: missing("Windows does not report which files are open for writing"),
    descriptorPath: missing("Windows has no paths of open files"),
    removability: missing("Windows reports it when it is tried"),
  });
}

// Reads folders through Win32, which reports with each name whether it is hidden.

const LINKS: readonly number[] = [IO_REPARSE_TAG_MOUNT_POINT, IO_REPARSE_TAG_SYMLINK];

export function openWindowsFolderReader(): ReadFolder {
  const reader = new Reader(openFiles());
  return (path) => reader.read(path);
}

class Reader {
  readonly #found = memory(FOUND.size);
  readonly #view = new DataView(this.#found.buffer);
  readonly #name = new Uint16Array(
    this.#found.buffer,
    FOUND.cFileName,
    (FOUND.cAlternateFileName - FOUND.cFileName) / 2,
  );
  readonly #decoder = new TextDecoder("utf-16le");

  constructor(private readonly calls: Files) {}

  read(path: string): Iterable<FolderEntry> {
    const all = wideText(toNamespacedPath(path.endsWith("\\") ? `${path}*` : `${path}\\*`));
    const search = this.calls.FindFirstFileExW(
      ...[all, FindExInfoBasic, this.#found, FindExSearchNameMatch] as const,
      ...[null, FIND_FIRST_EX_LARGE_FETCH] as const,
    );
    if (search === INVALID_HANDLE) return Deno.readDirSync(path); // which throws the reason
    const entries: FolderEntry[] = [];
    try {
      do this.#take(entries); while (this.calls.FindNextFileW(search, this.#found) !== 0);
    } finally {
      this.calls.FindClose(search);
    }
    return entries;
  }

  #take(entries: FolderEntry[]): void {
    const name = this.#decoder.decode(this.#name.subarray(0, this.#name.indexOf(0)));
    if (name === "." || name === "..") return;
    const attributes = this.#view.getUint32(FOUND.dwFileAttributes, true);
    const isSymlink = (attributes & FILE_ATTRIBUTE_REPARSE_POINT) !== 0 &&
      LINKS.includes(this.#view.getUint32(FOUND.dwReserved0, true));
    entries.push({
      name,
      isDirectory: !isSymlink && (attributes & FILE_ATTRIBUTE_DIRECTORY) !== 0,
      isSymlink,
      isMarkedHidden: (attributes & FILE_ATTRIBUTE_HIDDEN) !== 0,
    });
  }
}

// Reads the hidden attribute of one file or folder.

export function openHiddenMark(): IsMarkedHidden {
  const { GetFileAttributesW } = openFiles();
  return async (path) => {
    const name = wideText(toNamespacedPath(path));
    const attributes = await GetFileAttributesW(name);
    keepAlive(name); // another thread still reads it
    return attributes !== INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_HIDDEN) !== 0;
  };
}

// Renames with MoveFileExW, which replaces an existing file only on request.

export function openExclusiveRename(): Rename {
  const { MoveFileExW } = openFiles();
  return async (from, to) => {
    const [source, target] = [wideText(toNamespacedPath(from)), wideText(toNamespacedPath(to))];
    const done = await MoveFileExW(source, target, 0);
    keepAlive(source, target); // another thread still reads them
    return done !== 0;
  };
}
