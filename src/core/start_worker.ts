/** Starts a thread where there is room for it: Deno ends the whole program when it has no descriptor left for one. */

import { ServiceError } from "./errors.ts";

/** A thread opens about six at once; others may open some in the same moment. */
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
      stack.use(Deno.openSync(Deno.execPath())); // the one file that every system has
    }
  } catch (error) {
    throw new ServiceError(
      "unavailable",
      "Cannot start a thread: the service has too many files and connections open: try again",
      { cause: error },
    );
  }
}
