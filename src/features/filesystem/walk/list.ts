/** Lists one folder. */

import type { EntryFields } from "../entry.ts";
import type { ChunkWriter } from "./chunk_writer.ts";
import { isShown, lookAt, type Walking } from "./folder.ts";
import { compileGlob } from "./glob.ts";
import { foldersFirst } from "./order.ts";
import type { ListTask } from "./protocol.ts";

const byTypeThenName = foldersFirst<EntryFields>((entry) => entry.name);

/** @throws the system's error when the folder cannot be read. */
export function list(task: ListTask, out: ChunkWriter, walking: Walking): void {
  const matches = task.pattern === null ? () => true : compileGlob(task.pattern);
  const found: EntryFields[] = [];
  for (const entry of walking.readFolder(task.root)) {
    if (!isShown(entry, task.includeHidden) || !matches(entry.name, () => entry.name)) {
      continue;
    }
    walking.checkStop();
    const seen = lookAt(task.root, entry);
    if (seen !== undefined) found.push(seen);
  }
  writeArray(found.sort(byTypeThenName), out);
}

export function writeArray(items: readonly unknown[], out: ChunkWriter): void {
  out.write("[");
  for (const [index, item] of items.entries()) {
    out.write((index === 0 ? "" : ",") + JSON.stringify(item));
  }
  out.write("]");
}
