/** Parses large bodies in a separate thread, which exists only while it is needed. */

import { WorkerPool } from "../../core/worker_thread.ts";
import type { Parsed } from "./parse.ts";

/** The bytes of a body as received. */
export type Chunks = readonly Uint8Array<ArrayBuffer>[];

/**
 * How long an idle thread is kept, in milliseconds: starting one takes 30 ms, keeping it some MiB.
 */
const IDLE_TIMEOUT_MS = 10_000;

let pool: WorkerPool<Chunks, Parsed> | undefined;

/** Parses the bytes and transfers them, so that the caller can no longer use them. */
export function parseLargeBody(chunks: Chunks): Promise<Parsed> {
  pool ??= new WorkerPool({
    module: new URL("./parse_worker.ts", import.meta.url),
    name: "parsing",
    threads: 1,
    jobsEach: Infinity, // the thread has its own queue; the bytes are already transferred
    idleMs: IDLE_TIMEOUT_MS,
  });
  return pool.run(chunks, { transfer: [...new Set(chunks.map(({ buffer }) => buffer))] });
}
