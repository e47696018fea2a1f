/** The file system ports of Linux; each library is opened at the first use of its port. */

import { Buffer } from "node:buffer";
import {
  AT_EACCESS,
  AT_FDCWD,
  AT_SYMLINK_NOFOLLOW,
  DIRECTORY_SYMBOLS,
  type DirectoryLibrary,
  DIRENT,
  DT,
  F_RDLCK,
  F_SETLEASE,
  F_SETSIG,
  F_UNLCK,
  FILE_COPY_SYMBOLS,
  FILE_STATE_SYMBOLS,
  HARMLESS_SIGNAL,
  LEASE_SYMBOLS,
  OPEN_FLAGS,
  PRIO_PROCESS,
  RENAME_EXCHANGE,
  RENAME_NOREPLACE,
  RENAME_SYMBOLS,
  SEEK_DATA,
  SEEK_HOLE,
  STATX,
  STATX_ATTR_IMMUTABLE_OR_APPEND,
  W_OK_X_OK,
  XATTR_SYMBOLS,
} from "../../../../ffi/linux/files.ts";
import { openLibc } from "../../../../ffi/linux/libc.ts";
import { ERRNO, readErrno } from "../../../../ffi/linux/sockets.ts";
import { keepAlive } from "../../../../ffi/memory.ts";
import { tryTo } from "../../../core/errors.ts";
import { available, lazyCapabilities, missing } from "../../capability.ts";
import type {
  CopyAttributes,
  FileRanges,
  FileSystem,
  FolderEntry,
  HeldForWriting,
  ReadFolder,
  Removability,
  Rename,
} from "../../types/mod.ts";

/** The reason when the C library is not glibc or too old for the call. */
const OTHERWISE = "The system's C library cannot be loaded";

export function openLinuxFileSystem(): FileSystem {
  const ports = lazyCapabilities({
    exclusiveRename: () => openRename(RENAME_NOREPLACE),
    exchange: () => openRename(RENAME_EXCHANGE),
    extendedAttributes: openCopyAttributes,
    fileRanges: openFileRanges,
    heldForWriting: openHeldForWriting,
    removability: openRemovability,
  }, OTHERWISE);
  return Object.assign(ports, {
    openFolderReader: openLinuxFolderReader,
    hiddenMark: missing("Linux hides files by their names alone"),
    descriptorPath: available((fd: number) => `/proc/self/fd/${fd}`),
    mountPoints: available(() => readLinuxMountPoints()),
  });
}

// Reads folders with the `getdents64` system call itself, in half the time of the runtime's reader,
// which creates an object per entry in native code.

const BUFFER_BYTES = 64 * 1024;

/**
 * The niceness of a walk when all cores are busy: from 0, no concession to other threads, to 19,
 * the greatest.
 */
const NICENESS = 10;

/** Falls back to the runtime's own reader when the C library is not glibc. */
function openLinuxFolderReader(): ReadFolder {
  try {
    const { symbols } = openLibc(DIRECTORY_SYMBOLS);
    symbols.setpriority(PRIO_PROCESS, 0, NICENESS);
    const reader = new Reader(symbols);
    return (path) => reader.read(path);
  } catch {
    return Deno.readDirSync;
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
    if (folder < 0) return Deno.readDirSync(path); // which throws the cause
    try {
      const entries: FolderEntry[] = [];
      while (true) {
        const filled = Number(this.calls.getdents64(folder, this.#bytes, BigInt(BUFFER_BYTES)));
        if (filled < 0) return Deno.readDirSync(path);
        if (filled === 0) return entries;
        this.#take(filled, path, entries);
      }
    } finally {
      this.calls.close(folder);
    }
  }

  /**
   * All bytes are decoded once and the names are slices of that string: decoding each name would
   * cost more than the system call.
   */
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
        type === DT.unknown ? statEntry(folder, name) : {
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

/** Some file systems do not store the type of an entry in the folder. */
function statEntry(folder: string, name: string): FolderEntry {
  const info = tryTo(() => Deno.lstatSync(`${folder}/${name}`));
  return { name, isDirectory: info?.isDirectory === true, isSymlink: info?.isSymlink === true };
}

// The mount points that the kernel lists for this process.

/** The column of `/proc/self/mountinfo` that holds the path. */
const PATH_COLUMN = 4;

export async function readLinuxMountPoints(file = "/proc/self/mountinfo"): Promise<string[]> {
  const table = await Deno.readTextFile(file).catch(() => ""); // no /proc in this container
  return table.split("\n").filter((line) => line !== "")
    .map((line) => unescaped(line.split(" ")[PATH_COLUMN] ?? ""));
}

/**
 * Spaces, line breaks and backslashes are escaped as three octal digits; all other bytes are
 * literal.
 */
function unescaped(path: string): string {
  return path.replace(
    /\\([0-7]{3})/g,
    (_whole, digits: string) => String.fromCharCode(parseInt(digits, 8)),
  );
}

// Reads file attributes with `statx`, and permissions with `faccessat`, which also detects
// read-only mounts.

/** @throws when the C library is not glibc. */
function openRemovability(): Removability {
  const { symbols } = openLibc(FILE_STATE_SYMBOLS);
  return {
    async isMarked(path) {
      const [name, state] = [cText(path), new Uint8Array(STATX.bytes)];
      const status = await symbols.statx(AT_FDCWD, name, AT_SYMLINK_NOFOLLOW, 0, state);
      keepAlive(name, state); // another thread still used them
      if (status !== 0) return false;
      const attributes = new DataView(state.buffer).getBigUint64(STATX.attributes, true);
      return (attributes & STATX_ATTR_IMMUTABLE_OR_APPEND) !== 0n;
    },
    async mayChange(folder) {
      const name = cText(folder);
      const status = await symbols.faccessat(AT_FDCWD, name, W_OK_X_OK, AT_EACCESS);
      keepAlive(name);
      return status === 0;
    },
  };
}

function cText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text + "\0");
}

// Renames with `renameat2`, which either refuses to replace an existing target or exchanges the two
// paths.

/** @throws when the C library is not glibc, or is too old. */
function openRename(flags: number): Rename {
  const { symbols } = openLibc(RENAME_SYMBOLS);
  return async (from, to) => {
    const [source, target] = [cText(from), cText(to)];
    const status = await symbols.renameat2(AT_FDCWD, source, AT_FDCWD, target, flags);
    keepAlive(source, target);
    return status === 0;
  };
}

// Copies extended attributes with calls of the C library.

/** Linux's limit for the list of names and for one value, in bytes. */
const MAX_BYTES = 65_536;

/**
 * The access control list. A new file inherits one from a folder with a default list; a file that
 * loses its own list can become accessible to more users.
 */
const ACCESS_LIST = "system.posix_acl_access";

/** @throws when the C library is not glibc. */
function openCopyAttributes(): CopyAttributes {
  const { symbols } = openLibc(XATTR_SYMBOLS);
  const value = new Uint8Array(MAX_BYTES);
  const listNames = (fd: number) =>
    namesIn(value, Number(symbols.flistxattr(fd, value, BigInt(MAX_BYTES))));
  return (from, to) => {
    const wanted = listNames(from);
    for (const name of listNames(to)) {
      if (wanted.includes(name)) continue;
      const status = symbols.fremovexattr(to, cText(name));
      if (status !== 0 && name === ACCESS_LIST) throw notKept();
    }
    for (const name of wanted) {
      const size = symbols.fgetxattr(from, cText(name), value, BigInt(MAX_BYTES));
      const status = size < 0n ? -1 : symbols.fsetxattr(to, cText(name), value, size, 0);
      // other attributes that this user is not allowed to set are skipped
      if (status !== 0 && name === ACCESS_LIST) throw notKept();
    }
  };
}

/** The names in a list in which each name ends with a NUL. */
function namesIn(list: Uint8Array, length: number): string[] {
  const text = new TextDecoder().decode(list.subarray(0, Math.max(0, length)));
  return text.split("\0").slice(0, -1);
}

function notKept(): Error {
  return new Deno.errors.PermissionDenied("The access control list of a file cannot be preserved");
}

// Finds data and holes of files with `lseek`, and copies with `copy_file_range`, which shares blocks
// where the file system can.

/** @throws when the C library is not glibc, or is too old. */
function openFileRanges(): FileRanges {
  const { symbols } = openLibc(FILE_COPY_SYMBOLS);
  const seek = (fd: number, at: number, whence: number) =>
    Number(symbols.lseek(fd, BigInt(at), whence));
  return {
    nextData(fd, at, size) {
      // every file ends with a hole: a file system without support for holes reports none at all
      if (seek(fd, at, SEEK_HOLE) < 0) return at < size ? { start: at, end: size } : undefined;
      const start = seek(fd, at, SEEK_DATA);
      if (start < 0 || start >= size) return undefined;
      const end = seek(fd, start, SEEK_HOLE);
      return { start, end: end <= start ? size : Math.min(end, size) };
    },
    async copy({ from, to }, { start, end }) {
      const offset = () => new Uint8Array(BigInt64Array.of(BigInt(start)).buffer);
      const [source, target] = [offset(), offset()];
      const length = BigInt(end - start);
      const copied = await symbols.copy_file_range(from, source, to, target, length, 0);
      keepAlive(source, target); // another thread still used them
      return Math.max(0, Number(copied));
    },
  };
}

// Detects writers with a read lease, which the kernel refuses while any program has the file open
// for writing.

/**
 * Files that do not allow a lease at all, such as those of another user, count as not held.
 * @throws when the C library is not glibc.
 */
function openHeldForWriting(): HeldForWriting {
  const libc = openLibc(LEASE_SYMBOLS).symbols;
  return (fd) => {
    libc.fcntl(fd, F_SETSIG, HARMLESS_SIGNAL);
    if (libc.fcntl(fd, F_SETLEASE, F_RDLCK) !== 0) return readErrno(libc) === ERRNO.EAGAIN;
    libc.fcntl(fd, F_SETLEASE, F_UNLCK);
    return false;
  };
}
