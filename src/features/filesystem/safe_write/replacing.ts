/**
 * What all ways of replacing a file's bytes share: the file's earlier state, and how a change is
 * detected.
 */

import { ServiceError } from "../../../core/errors.ts";
import type { FileSystem } from "../../../platform/types/mod.ts";
import type { Content } from "./content.ts";
import type { Journaling } from "./journal.ts";

/** A file as it was when opened: its real path, its state, and its content. */
export interface OldFile {
  readonly path: string;
  readonly info: Deno.FileInfo;
  /**
   * The bytes that were read, if known; bytes that another program appends meanwhile are then kept.
   */
  readonly bytes?: Uint8Array;
  /**
   * Called only if the file is written in place.
   * @throws ServiceError when the file is too large for that.
   */
  old(): Content;
  /** Closes what {@link old} reads from: no lease is possible while we have the file open twice. */
  close?(): Promise<void>;
}

export interface Writing {
  readonly journal: Journaling;
  readonly files: FileSystem;
}

/**
 * If the file's bytes are known, growth is checked later.
 * @throws ServiceError `conflict`
 */
export async function checkUnchanged(
  { path, info, bytes }: Pick<OldFile, "path" | "info" | "bytes">,
): Promise<void> {
  const now = await Deno.stat(path);
  const isSame = now.ino === info.ino && now.dev === info.dev;
  if (isSame && fileState(now) === fileState(info)) return;
  if (isSame && bytes !== undefined && now.size > info.size) return;
  throw changed(path);
}

/** Size and time; a difference shows that the file has changed. */
export function fileState({ size, mtime }: { readonly size: number; readonly mtime: Date | null }) {
  return `${size} ${mtime?.getTime()}`;
}

/** The file may have grown between the check and the read. */
export function readSize(
  { info, bytes }: { readonly info: Deno.FileInfo; readonly bytes?: Uint8Array | undefined },
): number {
  return bytes?.length ?? info.size;
}

export function changed(path: string): ServiceError {
  return new ServiceError(
    "conflict",
    `Cannot edit "${path}": another program has changed it meanwhile, and nothing was written; read it again`,
  );
}
