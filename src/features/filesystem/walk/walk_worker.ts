/** The walk worker, which uses synchronous calls, so that no walk delays requests. */

import { type JobCaller, serveJobs } from "../../../core/serve_jobs.ts";
import { openFileSystem } from "../../../platform/files.ts";
import type { ReadFolder } from "../../../platform/types/mod.ts";
import { ChunkWriter, list, search, tree, type Walking } from "./walk.ts";
import { type Order, TOO_COMPLEX, type WalkTask } from "./protocol.ts";

let readFolder: Promise<ReadFolder> | undefined;

serveJobs(async ({ system, task, allowed }: Order, caller) => {
  readFolder ??= openFileSystem(system).then((files) => files.openFolderReader());
  const walking = { readFolder: await readFolder, checkStop: caller.checkStop };
  let sent = 0;
  const out = new ChunkWriter((chunk) => {
    waitUntilAllowed(++sent, allowed, caller);
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
function waitUntilAllowed(chunks: number, allowed: Int32Array, { checkStop }: JobCaller): void {
  checkStop();
  for (let count = 0; (count = Atomics.load(allowed, 0)) < chunks;) {
    Atomics.wait(allowed, 0, count);
    checkStop();
  }
}
