/** Reads folders by the system call itself: half the time of an object made for each entry in native code. */

import { Buffer } from "node:buffer";
import {
  type DirectoryLibrary,
  DIRENT,
  DT,
  OPEN_FLAGS,
  openDirectoryLibrary,
  PRIO_PROCESS,
} from "../../../../ffi/linux/directory.ts";
import { readFolderByRuntime } from "../../read_folder.ts";
import type { FolderEntry, ReadFolder } from "../../types/mod.ts";

const BUFFER_BYTES = 64 * 1024;

/** How much a walk gives way to other threads when all cores are busy: 0 not at all, 19 wholly. */
const NICENESS = 10;

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The runtime's own reader where the C library is another one, or the machine big-endian. */
export function openLinuxFolderReader(): ReadFolder {
  if (!LITTLE_ENDIAN) return readFolderByRuntime;
  try {
    const { symbols } = openDirectoryLibrary();
    symbols.setpriority(PRIO_PROCESS, 0, NICENESS);
    const reader = new Reader(symbols);
    return (path) => reader.read(path);
  } catch {
    return readFolderByRuntime;
  }
}

class Reader {
  readonly #bytes = new Uint8Array(BUFFER_BYTES);
  readonly #buffer = Buffer.from(this.#bytes.buffer);
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  constructor(private readonly calls: DirectoryLibrary["symbols"]) {}

  read(path: string): Iterable<FolderEntry> {
    const folder = this.calls.open(this.#encoder.encode(path + "\0"), OPEN_FLAGS);
    if (folder < 0) return readFolderByRuntime(path); // which tells why, as an error
    try {
      const entries: FolderEntry[] = [];
      while (true) {
        const filled = Number(this.calls.getdents64(folder, this.#bytes, BigInt(BUFFER_BYTES)));
        if (filled < 0) return readFolderByRuntime(path);
        if (filled === 0) return entries;
        this.#take(filled, path, entries);
      }
    } finally {
      this.calls.close(folder);
    }
  }

  /** Names are parts of one text made of all bytes: a text for each would cost more than the call. */
  #take(filled: number, folder: string, entries: FolderEntry[]): void {
    const bytes = this.#bytes;
    const text = this.#buffer.toString("latin1", 0, filled);
    for (let start = 0; start < filled;) {
      const nameStart = start + DIRENT.name;
      const nameEnd = text.indexOf("\0", nameStart);
      const type = bytes[start + DIRENT.type]!;
      start += bytes[start + DIRENT.reclen]! | bytes[start + DIRENT.reclen + 1]! << 8;
      const plain = text.slice(nameStart, nameEnd);
      if (plain === "." || plain === "..") continue;
      const name = isAscii(plain)
        ? plain
        : this.#decoder.decode(bytes.subarray(nameStart, nameEnd));
      entries.push(
        type === DT.unknown ? lookedAt(folder, name) : {
          name,
          isDirectory: type === DT.directory,
          isSymlink: type === DT.link,
        },
      );
    }
  }
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return false;
  }
  return true;
}

/** Some file systems do not say in the folder what an entry is. */
function lookedAt(folder: string, name: string): FolderEntry {
  try {
    const { isDirectory, isSymlink } = Deno.lstatSync(`${folder}/${name}`);
    return { name, isDirectory, isSymlink };
  } catch {
    return { name, isDirectory: false, isSymlink: false };
  }
}
