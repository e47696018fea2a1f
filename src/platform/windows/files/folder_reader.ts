/** Reads folders through Win32, which reports with each name whether it is hidden. */

import { toNamespacedPath } from "node:path";
import { memory, wideText } from "../../../../ffi/memory.ts";
import { INVALID_HANDLE } from "../../../../ffi/windows/kernel32.ts";
import {
  FILE_ATTRIBUTE_DIRECTORY,
  FILE_ATTRIBUTE_HIDDEN,
  FILE_ATTRIBUTE_REPARSE_POINT,
  type Files,
  FIND_FIRST_EX_LARGE_FETCH,
  FindExInfoBasic,
  FindExSearchNameMatch,
  IO_REPARSE_TAG_MOUNT_POINT,
  IO_REPARSE_TAG_SYMLINK,
  openFiles,
  WIN32_FIND_DATAW as FOUND,
} from "../../../../ffi/windows/kernel32_files.ts";
import { readFolderByRuntime } from "../../read_folder.ts";
import type { FolderEntry, ReadFolder } from "../../types/mod.ts";

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
    if (search === INVALID_HANDLE) return readFolderByRuntime(path); // which throws the reason
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
