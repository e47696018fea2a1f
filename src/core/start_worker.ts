/** Starts a worker thread if enough descriptors are free: without one Deno ends the program. */

import { devNull } from "node:os";
import { shortageError } from "./shortage.ts";

/** A thread opens about six descriptors; other work may open some at the same time. */
const DESCRIPTORS = 24;

/** @throws ServiceError `unavailable` when too many files and connections are open. */
export function startWorker(file: URL): Worker {
  checkDescriptors();
  return new Worker(file, { type: "module" });
}

function checkDescriptors(): void {
  using stack = new DisposableStack();
  try {
    for (let count = 0; count < DESCRIPTORS; count++) {
      stack.use(Deno.openSync(devNull)); // it exists on every system, and any user may open it
    }
  } catch (error) {
    throw shortageError(error) ?? error;
  }
}
