/** The worker's side of a pool: carries out the jobs that the pool sends. */

import { within } from "./deadline.ts";
import { fromSent, toSent } from "./errors.ts";
import type { FromThread, ToThread } from "./worker_thread.ts";

/** The caller of a job. */
export interface JobCaller {
  /** @throws Stopped when the job has been cancelled. */
  checkStop(): void;
  isStopped(): boolean;
  notify(message: unknown, transfer?: readonly Transferable[]): void;
  /**
   * Sends a question to the caller and resolves with the answer.
   * @throws the error that answering has thrown
   */
  request(question: unknown): Promise<unknown>;
}

/** Ends a job that has been cancelled. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

/** What a worker sees of itself. */
export interface WorkerScope {
  onmessage: (event: MessageEvent<ToThread>) => void;
  postMessage(message: FromThread, transfer?: readonly Transferable[]): void;
}

/** How often a job checks whether its caller has left. */
const STOP_POLL_INTERVAL_MS = 100;

/**
 * Resolves with the result of `work`, unless the job is stopped before, which leaves it alone.
 * @throws the error of `work` or of `checkStop`
 */
export async function unlessStopped<T>(work: Promise<T>, checkStop: () => void): Promise<T> {
  work.catch(() => {}); // it can fail after the job was stopped
  do checkStop(); while (!await within(work, STOP_POLL_INTERVAL_MS));
  return await work;
}

/**
 * Carries out every job as soon as it arrives.
 * @param listTransfers selects the parts of a result that are transferred instead of copied
 */
export function serveJobs<Job, Result>(
  execute: (job: Job, caller: JobCaller) => Result | Promise<Result>,
  listTransfers: (result: Result) => readonly Transferable[] = () => [],
  scope: WorkerScope = self as unknown as WorkerScope,
): void {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastKey = 0;

  scope.onmessage = async ({ data }) => {
    if ("key" in data) return take(data);
    const { id, job, stop } = data;
    try {
      const result = await execute(job as Job, createCaller(id, stop));
      scope.postMessage({ id, result }, listTransfers(result));
    } catch (error) {
      if (error instanceof Stopped) scope.postMessage({ id, stopped: true });
      else scope.postMessage({ id, failed: toSent(error) });
    }
  };

  function take(data: Extract<ToThread, { key: number }>): void {
    const waiting = pending.get(data.key);
    pending.delete(data.key);
    if ("failed" in data) waiting?.reject(fromSent(data.failed));
    else waiting?.resolve(data.answer);
  }

  function createCaller(id: number, stop: Int32Array | undefined): JobCaller {
    const isStopped = () => stop !== undefined && Atomics.load(stop, 0) === 1;
    return {
      checkStop() {
        if (isStopped()) throw new Stopped();
      },
      isStopped,
      notify: (notification, transfer) => scope.postMessage({ id, notification }, transfer),
      request(question) {
        const waiting = Promise.withResolvers<unknown>();
        const key = ++lastKey;
        pending.set(key, waiting);
        scope.postMessage({ id, key, question });
        return waiting.promise;
      },
    };
  }
}
