/** The worker: runs jobs on pictures beside the thread that answers requests. */

import { failureOf, type Reply, type Request } from "./job_messages.ts";
import { JobRunner } from "./jobs.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage(reply: Reply, transfer: Transferable[]): void;
};
const runner = new JobRunner();

scope.onmessage = async ({ data: { id, name, screen, job } }) => {
  try {
    const result = await runner.run(name, screen, job);
    scope.postMessage({ id, result, reading: runner.readingOf(screen) }, transferOf(result));
  } catch (error) {
    const reading = runner.readingOf(screen);
    scope.postMessage({ id, failure: failureOf(error), reading }, []);
  }
};

/** The bytes of a picture go over without a copy. */
function transferOf(result: unknown): Transferable[] {
  const bytes = (result as { bytes?: Uint8Array<ArrayBuffer> }).bytes;
  return bytes === undefined ? [] : [bytes.buffer];
}
