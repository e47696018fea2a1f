/** The undo history of all files, bounded in memory: the oldest edits are forgotten first. */

import type { Splice } from "./find_matches.ts";

export interface Edit {
  /** How to undo the edit: a splice, or the removal of a file that was created. */
  readonly undo: Splice | "remove";
  /**
   * Hash of the bytes after the edit; a different hash means that another program has changed the
   * file since.
   */
  readonly after: string;
}

interface Kept extends Edit {
  readonly path: string;
  readonly cost: number;
}

/** Approximate memory of an edit besides its bytes, in bytes. */
const OVERHEAD = 512;

export class EditHistory {
  /** Oldest first. */
  #edits: Kept[] = [];
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Memory in use, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Records an edit. An edit larger than the bound makes the history forget everything about its
   * file.
   */
  add(path: string, edit: Edit): void {
    const kept = { ...edit, path, cost: undoCost(path, edit) };
    if (kept.cost > this.maxBytes) return this.forget(path);
    this.#edits.push(kept);
    this.#bytes += kept.cost;
    while (this.#bytes > this.maxBytes) this.#bytes -= this.#edits.shift()!.cost;
  }

  /** The last edit of a file. */
  last(path: string): Edit | undefined {
    return this.#edits.findLast((edit) => edit.path === path);
  }

  /** Call this when the last edit has been undone. */
  removeLast(path: string): void {
    const last = this.last(path);
    this.#keep((edit) => edit !== last);
  }

  forget(path: string): void {
    this.#keep((edit) => edit.path !== path);
  }

  #keep(isKept: (edit: Kept) => boolean): void {
    this.#edits = this.#edits.filter(isKept);
    this.#bytes = this.#edits.reduce((sum, { cost }) => sum + cost, 0);
  }
}

function undoCost(path: string, { undo }: Edit): number {
  const own = OVERHEAD + 2 * path.length;
  if (undo === "remove") return own;
  return own + undo.at.byteLength + undo.removed.length + undo.inserted.length;
}
