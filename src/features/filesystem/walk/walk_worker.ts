/** The walk worker, which uses synchronous calls, so that no walk delays requests. */

import { serveJobs, Stopped } from "../../../core/serve_jobs.ts";
import { openFileSystem } from "../../../platform/files.ts";
import type { ReadFolder } from "../../../platform/types/mod.ts";
import { ChunkWriter, list, search, tree } from "./walk.ts";
import type { Walking } from "./folder.ts";
import { Cell, type Order, TOO_COMPLEX, type WalkTask } from "./protocol.ts";

let readFolder: Promise<ReadFolder> | undefined;

serveJobs(async ({ system, task, shared }: Order, caller) => {
  readFolder ??= openFileSystem(system).then((files) => files.openFolderReader());
  const walking = { readFolder: await readFolder, checkStop: () => checkStop(shared) };
  let sent = 0;
  const out = new ChunkWriter((chunk) => {
    waitUntilAllowed(++sent, shared);
    caller.notify(chunk, [chunk.buffer]);
  });
  try {
    walk(task, out, walking);
  } catch (error) {
    throw error instanceof RangeError ? Object.assign(error, { code: TOO_COMPLEX }) : error;
  }
  out.flush();
});

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

/** Waits for permission, so that a slow reader does not fill memory. */
function waitUntilAllowed(chunks: number, shared: Int32Array): void {
  checkStop(shared);
  for (let allowed = 0; (allowed = Atomics.load(shared, Cell.allowed)) < chunks;) {
    Atomics.wait(shared, Cell.allowed, allowed);
    checkStop(shared);
  }
}

function checkStop(shared: Int32Array): void {
  if (Atomics.load(shared, Cell.stop) === 1) throw new Stopped();
}
