/** The port for file operations that the runtime itself does not offer. */

import type { Capability } from "../capability.ts";

/** A port that is not ready is no failure: there is another way, or nothing to query. */
export interface FileSystem {
  /**
   * Opens a reader for the calling thread, a worker that walks folders. That thread then runs at a
   * lower priority than the threads that answer requests.
   */
  openFolderReader(): ReadFolder;
  /** Renames atomically and never replaces anything. */
  readonly exclusiveRename: Capability<Rename>;
  /** Exchanges two paths atomically. */
  readonly exchange: Capability<Rename>;
  /** Copies access lists, security labels and user attributes to a file that replaces another. */
  readonly extendedAttributes: Capability<CopyAttributes>;
  /** Reads the attribute that hides a file, where hiding is not a matter of a leading dot. */
  readonly hiddenMark: Capability<IsMarkedHidden>;
  /** Where other file systems, or other parts of the same one (bind mounts), are mounted. */
  readonly mountPoints: Capability<ReadMountPoints>;
  /** Not ready where the runtime's own copy call preserves holes. */
  readonly fileRanges: Capability<FileRanges>;
  readonly heldForWriting: Capability<HeldForWriting>;
  /** A path that leads to an open file, even if its name now leads elsewhere. */
  readonly descriptorPath: Capability<(fd: number) => string>;
  readonly removability: Capability<Removability>;
}

/**
 * A directory entry, without a `stat`: a symbolic link is reported as a link, not as its target.
 */
export interface FolderEntry extends Pick<Deno.DirEntry, "name" | "isDirectory" | "isSymlink"> {
  /** Whether a file attribute hides it; only Windows has one. */
  readonly isMarkedHidden?: boolean;
}

/**
 * Reads a folder in no particular order, without `.` and `..`.
 * @throws the system's error.
 */
export type ReadFolder = (path: string) => Iterable<FolderEntry>;

/**
 * Returns whether the rename was done. If not, nothing has changed, and the caller's fallback
 * either succeeds or reports the reason. Never throws.
 */
export type Rename = (from: string, to: string) => Promise<boolean>;

/**
 * Gives the open file `to` the attributes of `from` and removes those that `from` lacks, within the
 * rights of this user. Works on descriptors, because a path can lead elsewhere at any moment. Set
 * the mode afterwards.
 * @throws Deno.errors.PermissionDenied when the access control list cannot be made the same.
 */
export type CopyAttributes = (from: number, to: number) => void;

/** Also `false` for a path that does not exist. */
export type IsMarkedHidden = (path: string) => Promise<boolean>;

/** The real paths of all mount points. */
export type ReadMountPoints = () => Promise<readonly string[]>;

/** A range of a file, in bytes. */
export interface Stretch {
  readonly start: number;
  /** Exclusive: the offset after the last byte. */
  readonly end: number;
}

/** Data and holes of open files, by their descriptors. */
export interface FileRanges {
  /**
   * The next range of data at or after `at`, in a file of `size` bytes; `undefined` when only a
   * hole is left.
   */
  nextData(fd: number, at: number, size: number): Stretch | undefined;
  /**
   * Copies in the kernel, to the same offset. Returns the number of bytes copied; 0 when they must
   * be read and written instead.
   */
  copy(fds: { readonly from: number; readonly to: number }, stretch: Stretch): Promise<number>;
}

/** Whether any program has the file open for writing. The descriptor must be open read-only. */
export type HeldForWriting = (fd: number) => boolean;

/** Predicts whether an entry can be removed, from its attributes and permissions. */
export interface Removability {
  /** Whether a file attribute forbids it (immutable, append only). */
  isMarked(path: string): Promise<boolean>;
  /** Whether this user has the permissions to remove entries of a folder. */
  mayChange(folder: string): Promise<boolean>;
}
