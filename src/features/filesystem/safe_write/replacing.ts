/** What the ways to give a file new bytes have in common: the file as it was, and how a change meanwhile is told. */

import { ServiceError } from "../../../core/errors.ts";
import type { FileSystem } from "../../../platform/types/mod.ts";
import type { Content } from "./content.ts";
import type { Journaling } from "./journal.ts";

/** A file as it was when it was opened: its real path, its state, and what it holds. */
export interface OldFile {
  readonly path: string;
  readonly info: Deno.FileInfo;
  /** What was read of it, where that is known: what another program appends meanwhile is kept then. */
  readonly bytes?: Uint8Array;
  /** Asked for only where the file is written in place. @throws ServiceError when it is too much for that. */
  old(): Content;
  /** Closes what {@link old} reads from: no other program can be kept away while we have it open twice. */
  close?(): void;
}

export interface Writing {
  readonly journal: Journaling;
  readonly files: FileSystem;
}

/** Whether it has only grown is found out later, where its bytes are known. @throws ServiceError `conflict` */
export async function checkUnchanged(
  { path, info, bytes }: Pick<OldFile, "path" | "info" | "bytes">,
): Promise<void> {
  const now = await Deno.stat(path);
  const isSame = now.ino === info.ino && now.dev === info.dev;
  if (isSame && fileState(now) === fileState(info)) return;
  if (isSame && bytes !== undefined && now.size > info.size) return;
  throw changed(path);
}

/** Size and time, by which a changed file is told. */
export function fileState({ size, mtime }: { readonly size: number; readonly mtime: Date | null }) {
  return `${size} ${mtime?.getTime()}`;
}

/** It may have grown between being looked at and being read. */
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
