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
  readonly #byPath = new Map<string, Kept[]>();
  /** All edits, oldest first. */
  readonly #all = new Set<Kept>();
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
    const edits = this.#byPath.get(path);
    if (edits === undefined) this.#byPath.set(path, [kept]);
    else edits.push(kept);
    this.#all.add(kept);
    this.#bytes += kept.cost;
    for (const oldest of this.#all) {
      if (this.#bytes <= this.maxBytes) break;
      this.#drop(oldest);
    }
  }

  /** The last edit of a file. */
  last(path: string): Edit | undefined {
    return this.#byPath.get(path)?.at(-1);
  }

  /** Call this when the last edit has been undone. */
  removeLast(path: string): void {
    const last = this.#byPath.get(path)?.at(-1);
    if (last !== undefined) this.#drop(last);
  }

  forget(path: string): void {
    for (const edit of [...this.#byPath.get(path) ?? []]) this.#drop(edit);
  }

  #drop(edit: Kept): void {
    this.#all.delete(edit);
    this.#bytes -= edit.cost;
    const left = this.#byPath.get(edit.path)!.filter((each) => each !== edit);
    if (left.length === 0) this.#byPath.delete(edit.path);
    else this.#byPath.set(edit.path, left);
  }
}

function undoCost(path: string, { undo }: Edit): number {
  const own = OVERHEAD + 2 * path.length;
  if (undo === "remove") return own;
  return own + undo.at.byteLength + undo.removed.length + undo.inserted.length;
}
