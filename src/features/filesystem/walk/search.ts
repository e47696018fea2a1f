/**
 * Searches a tree depth first in the order of names, so that equal calls give equal answers, and
 * stops early.
 */

import type { EntryFields } from "../entry.ts";
import type { ChunkWriter } from "./chunk_writer.ts";
import type { FolderEntry } from "../../../platform/types/mod.ts";
import { isShown, joined, lookAt, type Walking } from "./folder.ts";
import { compileGlob, type Matches } from "./glob.ts";
import { writeArray } from "./list.ts";
import { foldersFirst, sortByName } from "./order.ts";
import type { SearchTask } from "./protocol.ts";

const byTypeThenPath = foldersFirst<EntryFields>((entry) => entry.path);

/**
 * @throws the system's error when the root cannot be read; unreadable folders below it are skipped.
 */
export function search(task: SearchTask, out: ChunkWriter, walking: Walking): void {
  const walk = new Search(task, walking);
  walk.enter(task.root, "", walking.readFolder(task.root));
  writeArray(walk.found.sort(byTypeThenPath), out);
}

interface Candidate extends FolderEntry {
  readonly wanted: boolean;
}

class Search {
  readonly found: EntryFields[] = [];
  readonly #matches: Matches;

  constructor(private readonly task: SearchTask, private readonly walking: Walking) {
    this.#matches = compileGlob(task.pattern);
  }

  /** `below` is the folder's path below the root, with a trailing slash, or empty. */
  enter(folder: string, below: string, entries: Iterable<FolderEntry>): void {
    this.walking.checkStop();
    for (const entry of this.#candidates(below, entries)) {
      if (entry.wanted) this.#add(folder, entry);
      if (this.#isFull) return;
      if (entry.isDirectory) this.#enterBelow(joined(folder, entry.name), `${below}${entry.name}/`);
      if (this.#isFull) return;
    }
  }

  /** Filters first: most entries neither match nor are entered, and need not be sorted. */
  #candidates(below: string, entries: Iterable<FolderEntry>): Candidate[] {
    const { includeHidden } = this.task;
    const candidates: Candidate[] = [];
    let name = "";
    const pathBelow = () => below + name;
    for (const entry of entries) {
      name = entry.name;
      if (!isShown(entry, includeHidden)) continue;
      const wanted = this.#matches(name, pathBelow);
      if (wanted || entry.isDirectory) candidates.push({ ...entry, wanted });
    }
    return sortByName(candidates);
  }

  get #isFull(): boolean {
    return this.found.length >= this.task.maxResults;
  }

  #add(folder: string, entry: FolderEntry): void {
    const seen = lookAt(folder, entry);
    if (seen !== undefined) this.found.push(seen);
  }

  #enterBelow(folder: string, below: string): void {
    let entries: Iterable<FolderEntry>;
    try {
      entries = this.walking.readFolder(folder);
    } catch {
      return; // not readable, or removed meanwhile
    }
    this.enter(folder, below, entries);
  }
}
