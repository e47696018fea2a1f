/** Parses large bodies in a separate thread, which exists only while it is needed. */

import { pause } from "../../core/deadline.ts";
import { Semaphore } from "../../core/locks.ts";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import { decodeText } from "../../core/texts.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
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
const IDLE_TIMEOUT_MS = 10_000;

export class LargeBodies {
  readonly #pool = new WorkerPool<Chunks, ParseReply>({
    module: new URL("./parse_worker.ts", import.meta.url),
    name: "parsing",
    threads: 1,
    jobsEach: Infinity, // the thread has its own queue; the bytes are already transferred
    idleMs: IDLE_TIMEOUT_MS,
  });
  readonly #filling = new Semaphore({ capacity: 1 });

  /** Parses the bytes and transfers them, so that the caller can no longer use them. */
  async parse(chunks: Chunks): Promise<Parsed> {
    const buffers = new Set(chunks.map(({ buffer }) => buffer));
    const reply = await this.#pool.run(chunks, { transfer: [...buffers] });
    return await this.#fill(reply);
  }

  /** Handles one reply at a time, with pauses: restoring a large body takes some milliseconds. */
  async #fill({ parsed, texts }: ParseReply): Promise<Parsed> {
    const permit = await this.#filling.acquire();
    try {
      if ("value" in parsed) await putBackLargeTexts(parsed, texts, new EventLoopYielder());
      return parsed;
    } finally {
      pause(0).then(() => permit[Symbol.dispose]());
    }
  }
}

// Takes large texts out of a parsed body and puts them back: threads exchange them as bytes, which
// cost the receiver nothing on arrival.

/** Minimum length of a large text, in UTF-16 code units. */
const LARGE = 128 * 1024;

/** An object that wraps the whole value. */
interface ValueBox {
  value: unknown;
}

/** A text that was taken out. */
interface LargeText {
  /** The keys from the holder down. */
  readonly path: readonly string[];
  /** As UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Inside = Record<string, unknown>;

/** Leaves empty texts behind; a text that UTF-8 cannot represent stays where it is. */
export function takeOutLargeTexts(holder: ValueBox): LargeText[] {
  const texts: LargeText[] = [];
  const encoder = new TextEncoder();
  const waiting = [{ inside: holder as unknown as Inside, path: [] as readonly string[] }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { inside, path } = place;
    for (const key of Object.keys(inside)) {
      const value = inside[key];
      if (typeof value === "object" && value !== null) {
        waiting.push({ inside: value as Inside, path: [...path, key] });
      } else if (typeof value === "string" && value.length > LARGE && value.isWellFormed()) {
        texts.push({ path: [...path, key], bytes: encoder.encode(value) });
        put(inside, key, "");
      }
    }
  }
  return texts;
}

/** Puts the texts back, and lets other tasks run in between. */
async function putBackLargeTexts(
  holder: ValueBox,
  texts: readonly LargeText[],
  yielder: EventLoopYielder,
): Promise<void> {
  for (const { path, bytes } of texts) {
    let inside = holder as unknown as Inside;
    for (const key of path.slice(0, -1)) inside = inside[key] as Inside;
    put(inside, path.at(-1)!, await decodeText(bytes, yielder));
  }
}

/** Sets a property, even one named "__proto__". */
function put(inside: Inside, key: string, value: unknown): void {
  Object.defineProperty(inside, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
