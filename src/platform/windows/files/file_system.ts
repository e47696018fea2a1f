/** File operations on Windows; kernel32.dll is opened when a port is first requested. */

import { toNamespacedPath } from "node:path";
import { keepAlive, memory, wideText } from "../../../../ffi/memory.ts";
import {
  FILE_ATTRIBUTE_DIRECTORY,
  FILE_ATTRIBUTE_HIDDEN,
  FILE_ATTRIBUTE_REPARSE_POINT,
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

function openWindowsFolderReader(): ReadFolder {
  const { FindFirstFileExW, FindNextFileW, FindClose } = openFiles();
  const found = memory(FOUND.size);
  const view = new DataView(found.buffer);
  const nameUnits = (FOUND.cAlternateFileName - FOUND.cFileName) / 2;
  const nameField = new Uint16Array(found.buffer, FOUND.cFileName, nameUnits);
  const decoder = new TextDecoder("utf-16le");

  function take(entries: FolderEntry[]): void {
    const name = decoder.decode(nameField.subarray(0, nameField.indexOf(0)));
    if (name === "." || name === "..") return;
    const attributes = view.getUint32(FOUND.dwFileAttributes, true);
    const isSymlink = (attributes & FILE_ATTRIBUTE_REPARSE_POINT) !== 0 &&
      LINKS.includes(view.getUint32(FOUND.dwReserved0, true));
    entries.push({
      name,
      isDirectory: !isSymlink && (attributes & FILE_ATTRIBUTE_DIRECTORY) !== 0,
      isSymlink,
      isMarkedHidden: (attributes & FILE_ATTRIBUTE_HIDDEN) !== 0,
    });
  }

  return (path) => {
    const all = wideText(toNamespacedPath(path.endsWith("\\") ? `${path}*` : `${path}\\*`));
    const search = FindFirstFileExW(
      ...[all, FindExInfoBasic, found, FindExSearchNameMatch] as const,
      ...[null, FIND_FIRST_EX_LARGE_FETCH] as const,
    );
    if (search === INVALID_HANDLE) return Deno.readDirSync(path); // which throws the reason
    const entries: FolderEntry[] = [];
    try {
      do take(entries); while (FindNextFileW(search, found) !== 0);
    } finally {
      FindClose(search);
    }
    return entries;
  };
}

// Reads the hidden attribute of one file or folder.

function openHiddenMark(): IsMarkedHidden {
  const { GetFileAttributesW } = openFiles();
  return async (path) => {
    const name = wideText(toNamespacedPath(path));
    const attributes = await GetFileAttributesW(name);
    keepAlive(name); // another thread still reads it
    return attributes !== INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_HIDDEN) !== 0;
  };
}

// Renames with MoveFileExW, which replaces an existing file only on request.

function openExclusiveRename(): Rename {
  const { MoveFileExW } = openFiles();
  return async (from, to) => {
    const [source, target] = [wideText(toNamespacedPath(from)), wideText(toNamespacedPath(to))];
    const done = await MoveFileExW(source, target, 0);
    keepAlive(source, target); // another thread still reads them
    return done !== 0;
  };
}
