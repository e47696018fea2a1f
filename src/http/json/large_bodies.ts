/** Parses large bodies in a separate thread, which exists only while it is needed. */

import { pause } from "../../core/deadline.ts";
import { Semaphore } from "../../core/semaphore.ts";
import { Turns } from "../../core/turns.ts";
import { WorkerPool } from "../../core/worker_pool.ts";
import { type LargeText, putBackLargeTexts } from "./large_texts.ts";
import type { Parsed } from "./parse.ts";

/** The bytes of a body as received. */
export type Chunks = readonly Uint8Array<ArrayBuffer>[];

export interface ParseReply {
  readonly parsed: Parsed;
  readonly texts: readonly LargeText[];
}

/**
 * How long an idle thread is kept, in milliseconds: starting one takes 30 ms, keeping it some MiB.
 */
const KEEP_MS = 10_000;

export class LargeBodies {
  readonly #pool = new WorkerPool<Chunks, ParseReply>({
    module: new URL("./parse_worker.ts", import.meta.url),
    name: "parsing",
    threads: 1,
    jobsEach: Infinity, // the thread has its own queue; the bytes are already transferred
    idleMs: KEEP_MS,
  });
  readonly #filling = new Semaphore({ places: 1 });

  /** Parses the bytes and transfers them, so that the caller can no longer use them. */
  async parse(chunks: Chunks): Promise<Parsed> {
    const buffers = new Set(chunks.map(({ buffer }) => buffer));
    const reply = await this.#pool.run(chunks, { transfer: [...buffers] });
    return await this.#fill(reply);
  }

  /** Handles one reply at a time, with pauses: restoring a large body takes some milliseconds. */
  async #fill({ parsed, texts }: ParseReply): Promise<Parsed> {
    const place = await this.#filling.acquire();
    try {
      if ("value" in parsed) await putBackLargeTexts(parsed, texts, new Turns());
      return parsed;
    } finally {
      pause(0).then(() => place[Symbol.dispose]());
    }
  }
}
