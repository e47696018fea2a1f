/** One edit as data, so that this thread or a worker can perform it. */

import type { FileAction } from "../filesystem/file_errors.ts";
import type { Splice } from "./find_matches.ts";

export interface EditTask {
  /** The real path. */
  readonly path: string;
  /** What was attempted, with the path as the caller gave it. */
  readonly attempt: FileAction;
  /** The largest allowed size of the file, before and after the edit. */
  readonly maxBytes: number;
  readonly change: Change;
}

export type Change = Replacing | Inserting | Patching | Undoing;

/** Replaces every occurrence of one text with another. */
export interface Replacing {
  readonly kind: "replace";
  readonly oldText: string;
  readonly newText: string;
  /** The most occurrences allowed. */
  readonly limit: number;
  /** Whether a text that occurs more than once is refused. */
  readonly unique: boolean;
}

export interface Inserting {
  readonly kind: "insert";
  readonly text: string;
  /** From 1; 0 also inserts at the top; absent appends. */
  readonly line: number | undefined;
}

/** Applies a diff in the V4A format. */
export interface Patching {
  readonly kind: "patch";
  readonly diff: string;
}

export interface Undoing {
  readonly kind: "undo";
  readonly edit: Edit;
}

export interface Edit {
  /** How to undo the edit: a splice, or the removal of a file that was created. */
  readonly undo: Splice | "remove";
  /**
   * Hash of the bytes after the edit; a different hash means that another program has changed the
   * file since.
   */
  readonly after: string;
}

/** How to undo the edit; `unchanged` if nothing had to be written, `undone` after an undo. */
export type EditResult = Edit & { readonly undo: Splice } | "unchanged" | "undone";
