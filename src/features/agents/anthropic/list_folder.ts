/** Lists a folder two levels deep, as Anthropic's text editor and memory tool show it. */

import type { EntryFields } from "../../filesystem/entry.ts";
import { call, type TextFile } from "./text_file.ts";

const MAX_ENTRIES = 1_000;
const LEFT_OUT = "node_modules";
const UNITS = ["B", "K", "M", "G", "T"];
const STEP = 1024;

/** Sizes and paths; hidden entries and `node_modules` are left out. */
export async function listFolder(folder: TextFile): Promise<string> {
  const lines: string[] = [];
  for (const entry of await readEntries(folder)) {
    lines.push(describe(entry, folder.shown));
    if (entry.type !== "directory" || lines.length > MAX_ENTRIES) continue;
    const below = { ...folder, path: entry.path, shown: join(folder.shown, entry.name) };
    const entries = await readEntries(below).catch(() => []); // it may not be readable
    lines.push(...entries.map((inner) => describe(inner, below.shown)));
  }
  const shown = lines.slice(0, MAX_ENTRIES);
  if (lines.length > shown.length) shown.push(`[${lines.length - shown.length} more entries]`);
  return [
    `Here're the files and directories up to 2 levels deep in ${folder.shown}, ` +
    "excluding hidden items and node_modules:",
    folder.shown,
    ...shown,
  ].join("\n");
}

async function readEntries({ context, path }: TextFile): Promise<readonly EntryFields[]> {
  const entries = await call(context, "listDirectory", { path }) as readonly EntryFields[];
  return entries.filter(({ name }) => name !== LEFT_OUT)
    .toSorted((a, b) => a.name < b.name ? -1 : 1);
}

function describe({ name, type, size }: EntryFields, folder: string): string {
  return `${describeSize(size)}\t${join(folder, name)}${type === "directory" ? "/" : ""}`;
}

function join(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

/** `1.5K` */
function describeSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit++;
  }
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[unit]}`;
}
