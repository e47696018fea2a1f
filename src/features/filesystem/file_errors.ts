/** Converts the error of a file call into one that states what is wrong and what to do. */

import { type ErrorCode, FieldError, ServiceError } from "../../core/errors.ts";

/** What was attempted. */
export interface FileAction {
  /** Start of the message: `Cannot edit`. */
  readonly action: string;
  readonly path: string;
  /** The input field that names the path. */
  readonly field: string | readonly (string | number)[];
}

/**
 * The error to throw: a ServiceError for anything a caller can run into, otherwise the error
 * itself.
 */
export function fromDenoError(error: unknown, { action, path, field }: FileAction): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  const code = systemCode(error);
  if (code === "ENAMETOOLONG") {
    return new FieldError(field, "Path is longer than the system allows");
  }
  const known = STATES[code];
  if (known === undefined) return error;
  return fileError({ action, path }, ...known, error);
}

/** `Cannot edit "/x": it is a folder` */
export function fileError(
  { action, path }: Pick<FileAction, "action" | "path">,
  code: ErrorCode,
  state: string,
  cause?: unknown,
): ServiceError {
  return new ServiceError(code, `${action} ${JSON.stringify(path)}: ${state}`, { cause });
}

export function existsAlready(attempt: Pick<FileAction, "action" | "path">): ServiceError {
  const state = 'it already exists; "overwrite": true replaces it';
  return fileError(attempt, "already_exists", state);
}

/** Runs a file call and converts what it throws into an error for the caller. */
export async function translating<T>(attempt: FileAction, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromDenoError(error, attempt);
  }
}

/** The system's error code; `""` if there is none. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return (error as { code?: string }).code ?? CODES_BY_NAME[error.name] ?? "";
}

const CODES_BY_NAME: Readonly<Record<string, string>> = {
  NotFound: "ENOENT",
  PermissionDenied: "EACCES",
  AlreadyExists: "EEXIST",
  NotADirectory: "ENOTDIR",
  IsADirectory: "EISDIR",
  FilesystemLoop: "ELOOP",
  Busy: "EBUSY",
  TimedOut: "ETIMEDOUT",
  NotConnected: "ENOTCONN",
};

const DENIED = "permission denied for the user who runs the service";

const STATES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ["not_found", "there is no such file or folder"],
  EACCES: ["permission_denied", DENIED],
  EPERM: ["permission_denied", DENIED],
  EROFS: ["permission_denied", "its file system is read-only"],
  EEXIST: ["already_exists", "it already exists"],
  ENOTDIR: ["not_a_directory", "a part of the path is a file, not a folder"],
  EISDIR: ["is_a_directory", "it is a folder"],
  ENOTEMPTY: ["not_empty", "the folder is not empty"],
  ELOOP: ["not_a_file", "its symbolic links form a loop"],
  EAGAIN: ["not_a_file", "it is a stream of unknown length: run a command that reads it"],
  ENXIO: ["not_a_file", "it is a socket or a device"],
  EBUSY: ["conflict", "the system is using it"],
  ETXTBSY: ["conflict", "it is a running program"],
  ENOSPC: ["unavailable", "no space is left on the disk; the previous content is unchanged"],
  EDQUOT: ["unavailable", "the disk quota is exceeded; the previous content is unchanged"],
  EFBIG: ["too_large", "the file system does not support files of this size"],
  EMFILE: ["unavailable", "the service has too many files open"],
  ENFILE: ["unavailable", "the system has too many files open"],
  EIO: ["unavailable", "the disk reported an error"],
  EINVAL: ["unsupported", "the system does not support this operation on it"],
  ENOMEM: ["unavailable", "the system is out of memory"],
  ETIMEDOUT: ["timed_out", "its file system did not respond in time"],
  ENOTCONN: ["unavailable", "its file system is no longer connected: mount it again"],
  ESTALE: ["unavailable", "the network file system has lost track of it"],
  ENOTSUP: ["unsupported", "the file system does not support it"],
  EOPNOTSUPP: ["unsupported", "the file system does not support it"],
};
