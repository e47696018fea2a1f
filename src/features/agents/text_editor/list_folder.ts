/** Lists a folder two levels deep, as models are trained to read it. */

import { Turns } from "../../../core/turns.ts";
import { call, type TextFile } from "./editing.ts";

/** Entries that are looked at. */
const MAX_ENTRIES = 1_000;
const DEPTH = 2;
const LEFT_OUT = "node_modules";
const UNITS = ["B", "K", "M", "G", "T"];
const STEP = 1024;

/** As the operation `filesystem.tree` gives it. */
interface Node {
  readonly name: string;
  readonly type: "file" | "directory";
  readonly children?: readonly Node[];
  readonly truncated?: boolean;
}

/** An entry by the path that the model knows, and by its path on this computer. */
interface Entry extends Node {
  readonly shown: string;
  readonly path: string;
  readonly depth: number;
}

/** Sizes and paths; hidden entries and `node_modules` are left out. */
export async function listFolder({ context, shown, path }: TextFile): Promise<string> {
  const options = { max_depth: DEPTH, max_entries: MAX_ENTRIES };
  const root = await call(context, "getDirectoryTree", { path, ...options }) as Node;
  const entries = entriesBelow({ ...root, shown, path, depth: 0 });
  const turns = new Turns();
  const lines: string[] = [];
  for (const entry of entries) {
    lines.push(`${await describeSize(entry.path)}\t${entry.shown}${mark(entry)}`);
    context.signal.throwIfAborted();
    await turns.pass();
  }
  if (root.truncated) lines.push(`[more entries: only ${root.children?.length} are listed]`);
  return [
    `Here're the files and directories up to 2 levels deep in ${shown}, ` +
    "excluding hidden items and node_modules:",
    shown,
    ...lines,
  ].join("\n");
}

function entriesBelow(folder: Entry): Entry[] {
  return (folder.children ?? [])
    .filter(({ name }) => name !== LEFT_OUT)
    .toSorted((a, b) => a.name < b.name ? -1 : 1)
    .flatMap((node) => {
      const depth = folder.depth + 1;
      const [shown, path] = [join(folder.shown, node.name), join(folder.path, node.name)];
      const entry = { ...node, shown, path, depth };
      return [entry, ...entriesBelow(entry)];
    });
}

/** Folders of the lowest level are never entered. */
function mark({ type, truncated, depth }: Entry): string {
  if (type !== "directory") return "";
  return truncated && depth < DEPTH ? "/ [not listed: too many entries, or not readable]" : "/";
}

function join(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

/** `1.5K`; of a link its own size, because what it leads to may be anywhere. */
async function describeSize(path: string): Promise<string> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info === undefined) return "?"; // it has gone meanwhile
  let [size, unit] = [info.size, 0];
  while (size >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit++;
  }
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[unit]}`;
}
