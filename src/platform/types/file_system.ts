/** The port for what a system does with files beyond the runtime's own calls. */

import type { Port } from "./port.ts";

/** Ports that are not ready are no failure: there is another way, or nothing to ask. */
export interface FileSystem {
  /** For the thread that calls, a walking worker, which from then on gives way to the threads that answer requests. */
  openFolderReader(): ReadFolder;
  /** Renames in one step of the system, and never replaces anything. */
  readonly exclusiveRename: Port<Rename>;
  /** Exchanges what is at two paths in one step of the system. */
  readonly exchange: Port<Rename>;
  /** Access lists, labels and user attributes, which a file that replaces another one takes over. */
  readonly extendedAttributes: Port<CopyAttributes>;
  /** A mark that hides a file, besides a name that begins with a dot. */
  readonly hiddenMark: Port<IsMarkedHidden>;
  /** Where other file systems, or other parts of the same one, are mounted. */
  readonly mountPoints: Port<ReadMountPoints>;
  /** Not ready where the runtime's own call for copying files knows of holes. */
  readonly fileRanges: Port<FileRanges>;
  readonly heldForWriting: Port<HeldForWriting>;
  /** Keeps an open file to this process for a moment. */
  readonly fileLease: Port<TakeLease>;
  /** A path that leads to an open file, whatever its name leads to by now. */
  readonly descriptorPath: Port<(fd: number) => string>;
  readonly removability: Port<Removability>;
}

/** An entry without looking at it: a link is told from what it leads to. */
export interface FolderEntry extends Pick<Deno.DirEntry, "name" | "isDirectory" | "isSymlink"> {
  /** Whether the system hides it by a mark of its own; only Windows has one. */
  readonly isMarkedHidden?: boolean;
}

/** Reads a folder, in no order; without `.` and `..`. @throws the system's error. */
export type ReadFolder = (path: string) => Iterable<FolderEntry>;

/** Whether it is done; where it is not, nothing has changed, and another way tells why or succeeds. Never throws. */
export type Rename = (from: string, to: string) => Promise<boolean>;

/**
 * Gives one open file the attributes of another, and takes away those that the other has not, as far as the system lets
 * this user. By descriptors, for a path may lead elsewhere at any moment. Set the mode afterwards.
 * @throws Deno.errors.PermissionDenied when the access list, which says who may do what, cannot be made the same.
 */
export type CopyAttributes = (from: number, to: number) => void;

/** `false`, too, for what is not there. */
export type IsMarkedHidden = (path: string) => Promise<boolean>;

/** The real paths of all mount points. */
export type ReadMountPoints = () => Promise<readonly string[]>;

/** A stretch of a file, in bytes. */
export interface Stretch {
  readonly start: number;
  /** The first byte behind it. */
  readonly end: number;
}

/** Data and holes of open files, by their descriptors. */
export interface FileRanges {
  /** The next data from `at` on in a file of this size; `undefined` where nothing but a hole is left. */
  nextData(fd: number, at: number, size: number): Stretch | undefined;
  /** Copies within the system from and to the same offset; gives how many bytes, 0 where they must be read and written. */
  copy(fds: { readonly from: number; readonly to: number }, stretch: Stretch): Promise<number>;
}

/** Whether any program has a file open for writing, for a descriptor that this process has opened for reading only. */
export type HeldForWriting = (fd: number) => boolean;

/**
 * `held`: another program has the file open. `unavailable`: the system, the file system or the file's owner does not
 * allow it.
 */
export type Lease = Disposable | "held" | "unavailable";

/**
 * Other programs that open the file wait until the lease is given back. For a descriptor that this process has opened
 * for writing, once and no other time: opening the file again would wait for the lease, too.
 */
export type TakeLease = (fd: number) => Lease;

/** Whether an entry can be removed, as far as the system tells before it is tried. */
export interface Removability {
  /** Whether a mark forbids it (immutable, append only). */
  isMarked(path: string): Promise<boolean>;
  /** Whether this user may remove what is in a folder. */
  mayChange(folder: string): Promise<boolean>;
}
