/** The side of a thread: carries out the jobs that a pool sends. */

import { fromSent, toSent } from "./sent_error.ts";
import type { FromThread, ToThread } from "./worker_messages.ts";

/** Who waits for the job. */
export interface JobCaller {
  /** @throws Stopped when nobody waits for the job any more. */
  checkStop(): void;
  /** Tells something before the job has ended. */
  tell(message: unknown, transfer?: readonly Transferable[]): void;
  /** Asks something, and resolves with the answer. @throws what answering has thrown. */
  ask(question: unknown): Promise<unknown>;
}

/** Nobody waits for the job any more. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

interface Scope {
  onmessage: (event: MessageEvent<ToThread>) => void;
  postMessage(message: FromThread, transfer?: readonly Transferable[]): void;
}

/**
 * Carries out every job that comes, each as soon as it comes.
 * @param transferOf what of a result goes over without a copy
 */
export function serveJobs<Job, Result>(
  carryOut: (job: Job, caller: JobCaller) => Result | Promise<Result>,
  transferOf: (result: Result) => readonly Transferable[] = () => [],
): void {
  const scope = self as unknown as Scope;
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let lastKey = 0;

  scope.onmessage = async ({ data }) => {
    if ("key" in data) return take(data);
    const { id, job, stop } = data;
    try {
      const result = await carryOut(job as Job, callerOf(id, stop));
      scope.postMessage({ id, result }, transferOf(result));
    } catch (error) {
      if (error instanceof Stopped) scope.postMessage({ id, stopped: true });
      else scope.postMessage({ id, failed: toSent(error) });
    }
  };

  function take(data: Extract<ToThread, { key: number }>): void {
    const waiting = asked.get(data.key);
    asked.delete(data.key);
    if ("failed" in data) waiting?.reject(fromSent(data.failed));
    else waiting?.resolve(data.answer);
  }

  function callerOf(id: number, stop: Int32Array | undefined): JobCaller {
    return {
      checkStop() {
        if (stop !== undefined && Atomics.load(stop, 0) === 1) throw new Stopped();
      },
      tell: (told, transfer) => scope.postMessage({ id, told }, transfer),
      ask(question) {
        const waiting = Promise.withResolvers<unknown>();
        const key = ++lastKey;
        asked.set(key, waiting);
        scope.postMessage({ id, key, question });
        return waiting.promise;
      },
    };
  }
}
