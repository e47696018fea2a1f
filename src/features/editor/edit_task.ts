/** One edit as data, so that it can be carried out in this thread or in a worker. */

import type { FileAction } from "../filesystem/file_errors.ts";
import type { Edit } from "./edit_history.ts";
import type { Splice } from "./splice.ts";

export interface EditTask {
  /** The real path. */
  readonly path: string;
  /** What was tried, with the path as it was given. */
  readonly attempt: FileAction;
  /** The largest file, before and after. */
  readonly maxBytes: number;
  readonly change: Change;
}

export type Change = Replacing | Inserting | Undoing;

/** Every occurrence of one text becomes another one. */
export interface Replacing {
  readonly kind: "replace";
  readonly oldText: string;
  readonly newText: string;
  /** The most occurrences. */
  readonly limit: number;
}

export interface Inserting {
  readonly kind: "insert";
  readonly text: string;
  /** From 1; 0 is the top too; absent appends. */
  readonly line: number | undefined;
}

export interface Undoing {
  readonly kind: "undo";
  readonly edit: Edit;
}

/** How to take the edit back; `unchanged` where nothing had to be written, `undone` after an undo. */
export type EditOutcome = Edit & { readonly undo: Splice } | "unchanged" | "undone";
