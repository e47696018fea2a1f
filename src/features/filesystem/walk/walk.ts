/**
 * Walks through folders: a list, a tree, and a search depth first in the order of names, so that equal
 * calls give equal answers, which stops early.
 */

import { basename, sep } from "node:path";
import { tryTo } from "../../../core/errors.ts";
import type { FolderEntry, ReadFolder } from "../../../platform/types/mod.ts";
import { type EntryFields, isHidden, toEntry } from "../entry.ts";
import { compileGlob, type Matches } from "./glob.ts";
import type { ListTask, SearchTask, TreeTask } from "./protocol.ts";

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
    const { include_hidden } = this.task;
    const candidates: Candidate[] = [];
    let name = "";
    const pathBelow = () => below + name;
    for (const entry of entries) {
      name = entry.name;
      if (!isVisible(entry, include_hidden)) continue;
      const wanted = this.#matches(name, pathBelow);
      if (wanted || entry.isDirectory) candidates.push({ ...entry, wanted });
    }
    return candidates.sort(byName);
  }

  get #isFull(): boolean {
    return this.found.length >= this.task.max_results;
  }

  #add(folder: string, entry: FolderEntry): void {
    const seen = statEntry(folder, entry);
    if (seen !== undefined) this.found.push(seen);
  }

  #enterBelow(folder: string, below: string): void {
    const entries = tryTo(() => this.walking.readFolder(folder));
    if (entries !== undefined) this.enter(folder, below, entries); // else not readable, or removed meanwhile
  }
}

// Walks a tree and writes it at the same time.

/** @throws the system's error when the root cannot be read. */
export function tree(task: TreeTask, out: ChunkWriter, walking: Walking): void {
  new Tree(task, new TreeWriter(out), walking).writeRoot();
}

interface Node {
  readonly name: string;
  readonly kind: "folder" | "link" | "file";
}

/** The location of a folder. */
interface FolderLocation {
  readonly path: string;
  /** Path below the root, with a trailing slash, or empty. */
  readonly below: string;
  readonly depth: number;
}

const NOT_ENTERED = { keep: true, truncated: true };
const LINK = { keep: true, truncated: false };

class Tree {
  readonly #matches: Matches;
  #left: number;

  constructor(
    private readonly task: TreeTask,
    private readonly writer: TreeWriter,
    private readonly walking: Walking,
  ) {
    this.#matches = task.pattern === null ? () => true : compileGlob(task.pattern);
    this.#left = task.max_entries;
  }

  /** If the root has too many entries, writes the first ones: an empty tree would be useless. */
  writeRoot(): void {
    const { root } = this.task;
    const location = { path: root, below: "", depth: 1 };
    const nodes = this.#nodesIn(location);
    const fitting = nodes.slice(0, this.#left);
    this.#left -= fitting.length;
    this.writer.open(basename(root) || root);
    this.#writeNodes(location, fitting);
    this.writer.close({ keep: true, truncated: fitting.length < nodes.length });
  }

  #writeNodes(location: FolderLocation, nodes: readonly Node[]): void {
    for (const { name, kind } of nodes) {
      if (kind === "file") this.writer.file(name);
      else this.#writeFolder(location, { name, kind });
    }
  }

  #writeFolder({ path, below, depth }: FolderLocation, { name, kind }: Node): void {
    this.writer.open(name);
    if (kind === "link") return this.writer.close(LINK);
    const location = { path: joined(path, name), below: `${below}${name}/`, depth: depth + 1 };
    const nodes = this.#enter(location);
    if (nodes === undefined) return this.writer.close(NOT_ENTERED);
    this.#left -= nodes.length;
    this.#writeNodes(location, nodes);
    this.writer.close({ keep: this.task.pattern === null, truncated: false });
  }

  /**
   * `undefined` if the folder is too deep, not readable, or contains more entries than may still be
   * written.
   */
  #enter(location: FolderLocation): Node[] | undefined {
    if (location.depth > this.task.max_depth || this.#left === 0) return undefined;
    try {
      const nodes = this.#nodesIn(location);
      return nodes.length > this.#left ? undefined : nodes;
    } catch {
      return undefined;
    }
  }

  /** The folders and the matching files, in order. */
  #nodesIn({ path, below }: FolderLocation): Node[] {
    this.walking.checkStop();
    const folders: Node[] = [];
    const files: Node[] = [];
    let name = "";
    const pathBelow = () => below + name;
    for (const entry of this.walking.readFolder(path)) {
      name = entry.name;
      if (!isVisible(entry, this.task.include_hidden)) continue;
      if (entry.isDirectory) folders.push({ name, kind: "folder" });
      else if (entry.isSymlink && statTarget(joined(path, name))?.isDirectory) {
        folders.push({ name, kind: "link" });
      } else if (this.#matches(name, pathBelow)) files.push({ name, kind: "file" });
    }
    return [...folders.sort(byName), ...files.sort(byName)];
  }
}

// Writes a tree as JSON during the walk; a folder is written only once something in it requires
// that.

interface Closing {
  /** Whether the folder is written even if nothing below it is. */
  readonly keep: boolean;
  /** Whether entries are missing because the folder was not entered, or not completely. */
  readonly truncated: boolean;
}

class TreeWriter {
  /** The innermost open folders, which have not been written. */
  #pending: string[] = [];
  #needsComma = false;

  constructor(private readonly out: ChunkWriter) {}

  open(name: string): void {
    this.#pending.push(name);
  }

  file(name: string): void {
    this.#writePending();
    this.#write(`{"name":${JSON.stringify(name)},"type":"file"}`);
  }

  close({ keep, truncated }: Closing): void {
    if (keep) this.#writePending();
    if (this.#pending.pop() !== undefined) return;
    this.out.write(truncated ? `],"truncated":true}` : "]}");
    this.#needsComma = true;
  }

  #writePending(): void {
    for (const name of this.#pending) {
      this.#write(`{"name":${JSON.stringify(name)},"type":"directory","children":[`);
      this.#needsComma = false;
    }
    this.#pending = [];
  }

  #write(json: string): void {
    this.out.write(this.#needsComma ? `,${json}` : json);
    this.#needsComma = true;
  }
}

const byTypeThenName = foldersFirst<EntryFields>((entry) => entry.name);

/** @throws the system's error when the folder cannot be read. */
export function list(task: ListTask, out: ChunkWriter, walking: Walking): void {
  const matches = task.pattern === null ? () => true : compileGlob(task.pattern);
  const found: EntryFields[] = [];
  for (const entry of walking.readFolder(task.root)) {
    if (!isVisible(entry, task.include_hidden) || !matches(entry.name, () => entry.name)) {
      continue;
    }
    walking.checkStop();
    const seen = statEntry(task.root, entry);
    if (seen !== undefined) found.push(seen);
  }
  writeArray(found.sort(byTypeThenName), out);
}

function writeArray(items: readonly unknown[], out: ChunkWriter): void {
  out.write("[");
  for (const [index, item] of items.entries()) {
    out.write((index === 0 ? "" : ",") + JSON.stringify(item));
  }
  out.write("]");
}

// Collects JSON text into chunks and sends them as bytes.

/** Approximate number of characters per chunk. */
const CHUNK = 64 * 1024;

export class ChunkWriter {
  #text = "";
  readonly #encoder = new TextEncoder();

  constructor(private readonly send: (chunk: Uint8Array<ArrayBuffer>) => void) {}

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= CHUNK) this.flush();
  }

  flush(): void {
    if (this.#text === "") return;
    const chunk = this.#encoder.encode(this.#text);
    this.#text = "";
    this.send(chunk);
  }
}

// Examines entries with synchronous calls, for a worker, in which they delay no request.

/** Replaces bytes of a name that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/** What a walk needs. */
export interface Walking {
  readonly readFolder: ReadFolder;
  /** @throws Stopped when no client wants the rest. */
  checkStop(): void;
}

/** Whether the caller wants to see this name. */
function isVisible({ name, isMarkedHidden }: FolderEntry, includeHidden: boolean): boolean {
  return includeHidden || !(isMarkedHidden || isHidden(name));
}

/** The entry in `folder`; `undefined` if it no longer exists. */
function statEntry(folder: string, entry: FolderEntry): EntryFields | undefined {
  const path = joined(folder, entry.name);
  try {
    const own = Deno.lstatSync(path);
    const { isDirectory, size, mtime } = own.isSymlink ? statTarget(path) ?? own : own;
    return toEntry(path, { isDirectory, size, mtime, isMarkedHidden: entry.isMarkedHidden });
  } catch {
    return entry.name.includes(REPLACEMENT) ? statUnreadableName(folder, entry) : undefined;
  }
}

/** Joins without a second separator after the root. */
function joined(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** `undefined` for a dangling link. */
function statTarget(path: string): Deno.FileInfo | undefined {
  return tryTo(() => Deno.statSync(path));
}

/** No system call accepts a name that is not UTF-8, so only the name is known. */
function statUnreadableName(folder: string, entry: FolderEntry): EntryFields | undefined {
  const found = statTarget(folder);
  const path = joined(folder, entry.name);
  return found && toEntry(path, { ...entry, size: 0, mtime: found.mtime });
}

// Orders names by code point, which is also the order of their UTF-8 bytes.

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return compareText(one.name, other.name);
}

/** Folders first, then by `key`. */
function foldersFirst<T extends { readonly type: string }>(key: (entry: T) => string) {
  return (one: T, other: T): number => {
    if (one.type !== other.type) return one.type === "directory" ? -1 : 1;
    return compareText(key(one), key(other));
  };
}

function compareText(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [unit, otherUnit] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (unit === otherUnit) continue;
    // characters that take two code units come last, though their units do not
    const difference = Number(isSurrogate(unit)) - Number(isSurrogate(otherUnit));
    return difference === 0 ? unit - otherUnit : difference;
  }
  return one.length - other.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
