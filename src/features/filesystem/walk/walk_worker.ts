/** A worker that walks folders with the synchronous calls, so that no walk holds up a request. */

import { openFileSystem } from "../../../platform/file_system.ts";
import type { ReadFolder } from "../../../platform/types/mod.ts";
import { ChunkWriter } from "./chunk_writer.ts";
import type { Walking } from "./folder.ts";
import { list } from "./list.ts";
import { Cell, type Order, type Report, Stopped, TOO_COMPLEX, type WalkTask } from "./protocol.ts";
import { search } from "./search.ts";
import { tree } from "./tree.ts";

declare const self: {
  onmessage: (event: MessageEvent<Order>) => void;
  postMessage(report: Report, transfer?: readonly ArrayBuffer[]): void;
};

let readFolder: Promise<ReadFolder> | undefined;

self.onmessage = async ({ data }) => {
  readFolder ??= openFileSystem(data.system).then((files) => files.openFolderReader());
  self.postMessage(carryOut(data, await readFolder));
};

function carryOut({ task, shared }: Order, readFolder: ReadFolder): Report {
  try {
    let sent = 0;
    const out = new ChunkWriter((chunk) => {
      waitUntilAllowed(++sent, shared);
      self.postMessage({ chunk }, [chunk.buffer]);
    });
    walk(task, out, { readFolder, checkStop: () => checkStop(shared) });
    out.flush();
    return { done: true };
  } catch (error) {
    if (error instanceof Stopped) return { done: true };
    const { name, message, code } = error as Error & { code?: string };
    return { failed: { name, message, code: error instanceof RangeError ? TOO_COMPLEX : code } };
  }
}

function walk(task: WalkTask, out: ChunkWriter, walking: Walking): void {
  switch (task.kind) {
    case "list":
      return list(task, out, walking);
    case "search":
      return search(task, out, walking);
    case "tree":
      return tree(task, out, walking);
  }
}

/** A slow reader costs no memory. */
function waitUntilAllowed(chunks: number, shared: Int32Array): void {
  checkStop(shared);
  for (let allowed = 0; (allowed = Atomics.load(shared, Cell.allowed)) < chunks;) {
    Atomics.wait(shared, Cell.allowed, allowed);
    checkStop(shared);
  }
}

function checkStop(shared: Int32Array): void {
  while (Atomics.load(shared, Cell.paused) === 1) Atomics.wait(shared, Cell.paused, 1);
  if (Atomics.load(shared, Cell.stop) === 1) throw new Stopped();
}
