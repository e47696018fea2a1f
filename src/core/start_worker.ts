/** Starts a thread where there is room for it: Deno ends the whole program when it has no descriptor left for one. */

import { devNull } from "node:os";
import { ServiceError } from "./errors.ts";

/** A thread opens about six at once; others may open some in the same moment. */
const DESCRIPTORS = 24;

/** Of this process, and of the whole system. */
const OUT_OF_DESCRIPTORS = new Set<unknown>(["EMFILE", "ENFILE"]);

/** @throws ServiceError `unavailable` when too many files and connections are open. */
export function startWorker(file: URL): Worker {
  checkDescriptors();
  return new Worker(file, { type: "module" });
}

function checkDescriptors(): void {
  using stack = new DisposableStack();
  try {
    for (let count = 0; count < DESCRIPTORS; count++) {
      stack.use(Deno.openSync(devNull)); // every system has it, and every user may open it
    }
  } catch (error) {
    if (!OUT_OF_DESCRIPTORS.has((error as { code?: unknown }).code)) throw error;
    throw new ServiceError(
      "unavailable",
      "Cannot start a thread: the service has too many files and connections open: try again",
      { cause: error },
    );
  }
}
