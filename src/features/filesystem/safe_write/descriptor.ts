/**
 * Accesses a regular file by its descriptor, so that no other program can substitute another file
 * or a link meanwhile.
 */

import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import type { ServiceError } from "../../../core/errors.ts";
import { NO_WAIT } from "../../../core/files.ts";
import { pause } from "../../../core/deadline.ts";
import { type FileAction, fileError, systemCode, translating } from "../file_errors.ts";

/** Identifies a file: equal identities are the same file. */
export interface Identity {
  readonly dev: number;
  readonly ino: number | null;
}

/** Systems without this flag do not have the problem. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const FOLDER = constants.O_DIRECTORY ?? 0;

const FLAGS = {
  read: constants.O_RDONLY | NO_LINK | NO_WAIT,
  append: constants.O_WRONLY | constants.O_APPEND | NO_LINK | NO_WAIT,
  both: constants.O_RDWR | NO_LINK | NO_WAIT,
} as const;

/** Reads and writes at its own position, which starts at 0. */
export class Descriptor implements AsyncDisposable {
  #position = 0;

  private constructor(
    /** Its own reads and writes are not at this position. */
    readonly handle: FileHandle,
    readonly path: string,
  ) {}

  /**
   * Creates a new file.
   * @throws the system's EEXIST when the name exists.
   */
  static async create(path: string, mode: number): Promise<Descriptor> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_LINK;
    return new Descriptor(await open(path, flags, mode), path);
  }

  /**
   * Opens an existing regular file.
   * @throws ServiceError `not_a_file` for anything else, including links.
   */
  static async open(path: string, mode: keyof typeof FLAGS): Promise<Descriptor> {
    const found = await lstat(path);
    if (!found.isFile()) throw notRegular(path);
    const file = new Descriptor(await openAtOnce(path, FLAGS[mode]), path);
    try {
      if (!(await file.handle.stat()).isFile()) throw notRegular(path);
      return file;
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Opens a folder, to change its owner and mode.
   * @throws the system's error when it is not a folder.
   */
  static async openFolder(path: string): Promise<Descriptor> {
    return new Descriptor(await open(path, constants.O_RDONLY | NO_LINK | FOLDER), path);
  }

  /** The file descriptor. */
  get fd(): number {
    return this.handle.fd;
  }

  async write(bytes: Uint8Array): Promise<number> {
    const { bytesWritten } = await this.handle.write(bytes, 0, bytes.length, this.#position);
    this.#position += bytesWritten;
    return bytesWritten;
  }

  /** Fills `bytes` up to the end of the file; returns the number of bytes read. */
  async read(bytes: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < bytes.length) {
      const left = bytes.length - filled;
      const { bytesRead } = await this.handle.read(bytes, filled, left, this.#position);
      if (bytesRead === 0) break;
      this.#position += bytesRead;
      filled += bytesRead;
    }
    return filled;
  }

  /** Sets the offset of the next read or write. */
  seek(position: number): void {
    this.#position = position;
  }

  async size(): Promise<number> {
    return (await this.handle.stat()).size;
  }

  /** Identifies the file, shows whether it has changed, and has its owner and mode. */
  async stat(): Promise<Stats> {
    return await this.handle.stat();
  }

  /** @throws ServiceError `conflict` when this is not the file that was examined before. */
  async checkIs({ dev, ino }: Identity): Promise<void> {
    if (ino === null) return; // the system has no inode numbers
    const own = await this.handle.stat();
    if (own.dev !== dev || own.ino !== ino) throw replaced(this.path);
  }

  /** @throws ServiceError `conflict` when the name refers to another file now. */
  async checkStillAt(path: string): Promise<void> {
    const [own, named] = [await this.handle.stat(), await lstat(path)];
    if (own.dev !== named.dev || own.ino !== named.ino) throw replaced(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handle.close();
  }
}

/** @throws the system's error when this user may not read and write the file. */
export async function checkMayBeChanged(path: string): Promise<void> {
  await using _file = await Descriptor.open(path, "both");
}

function notRegular(path: string): ServiceError {
  return fileError({ action: "Cannot open", path }, "not_a_file", "it is not a regular file");
}

function replaced(path: string): ServiceError {
  const state = "another program has replaced it, and nothing was written; read it again";
  return fileError({ action: "Cannot write", path }, "conflict", state);
}

// Which entries are viewed and edited: regular files only, by their real path.

/** On Linux: an entry of an open folder, which stays that folder wherever its name leads by now. */
const IN_OPEN_FOLDER = /^\/proc\/self\/fd\/\d+\/[^/]+$/;

/**
 * The real path of an existing entry, with links followed; one in an open folder stays as it is.
 * @throws ServiceError `not_found` and similar.
 */
export function resolveLinks(attempt: FileAction): Promise<string> {
  const { path } = attempt;
  return translating(attempt, async () => {
    if (IN_OPEN_FOLDER.test(path) && !(await Deno.lstat(path)).isSymlink) return path;
    return await Deno.realPath(path);
  });
}

/** @throws ServiceError `is_a_directory` or `not_a_file` */
export function checkIsFile(
  attempt: FileAction,
  info: Pick<Deno.FileInfo, "isFile" | "isDirectory">,
): void {
  if (info.isFile) return;
  if (info.isDirectory) throw fileError(attempt, "is_a_directory", "it is a folder");
  throw fileError(attempt, "not_a_file", "it is a FIFO, a socket or a device");
}

// Opens a file without blocking on a FIFO's other end, but waits briefly for a lease that another
// program holds.

/** How long to wait for a lease of another program, or of one of our own edits, in milliseconds. */
const MAX_LEASE_MS = 10_000;
const POLL_INTERVAL_MS = 2;

/**
 * @param flags must include `O_NONBLOCK`, so that the system fails where it would otherwise block
 */
export async function openAtOnce(path: string, flags: number): Promise<FileHandle> {
  const deadline = performance.now() + MAX_LEASE_MS;
  while (true) {
    try {
      return await open(path, flags);
    } catch (error) {
      if (!isLeased(error)) throw error;
      if (performance.now() > deadline) throw keptByAnother(path);
    }
    await pause(POLL_INTERVAL_MS);
  }
}

function isLeased(error: unknown): boolean {
  return ["EAGAIN", "EWOULDBLOCK"].includes(systemCode(error)) ||
    error instanceof Deno.errors.WouldBlock;
}

function keptByAnother(path: string): ServiceError {
  const state = "another program has locked it: try again";
  return fileError({ action: "Cannot open", path }, "unavailable", state);
}
