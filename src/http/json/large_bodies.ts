/** Has large bodies parsed in a thread of its own, which is there while there are any. */

import { startWorker } from "../../core/start_worker.ts";
import { Turns } from "../../core/turns.ts";
import { type LargeText, putBackLargeTexts } from "./large_texts.ts";
import type { Parsed } from "./parse.ts";

/** The bytes of a body as they came. */
export type Chunks = readonly Uint8Array<ArrayBuffer>[];

export interface ParseRequest {
  readonly id: number;
  readonly chunks: Chunks;
}

export interface ParseReply {
  readonly id: number;
  readonly parsed: Parsed;
  readonly texts: readonly LargeText[];
}

/** How long an idle worker is kept: starting one takes 30 ms, keeping it some MiB. */
const KEEP_MS = 10_000;

export class LargeBodies {
  readonly #waiting = new Map<number, PromiseWithResolvers<Parsed>>();
  #worker: Worker | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  #filling: Promise<void> = Promise.resolve();

  /** Parses the bytes, which are gone then. */
  parse(chunks: Chunks): Promise<Parsed> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#start();
    const id = ++this.#count;
    const waiting = Promise.withResolvers<Parsed>();
    this.#waiting.set(id, waiting);
    const buffers = new Set(chunks.map(({ buffer }) => buffer));
    this.#worker.postMessage({ id, chunks } satisfies ParseRequest, [...buffers]);
    return waiting.promise;
  }

  #start(): Worker {
    const worker = startWorker(new URL("./parse_worker.ts", import.meta.url));
    worker.onmessage = ({ data }: MessageEvent<ParseReply>) => this.#take(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end();
      for (const { reject } of this.#waiting.values()) reject(new Error(event.message));
      this.#waiting.clear();
    };
    return worker;
  }

  /** One after the other, each in a turn of its own: what follows takes some milliseconds of a large body. */
  #take(reply: ParseReply): void {
    this.#filling = this.#filling.then(() => this.#fill(reply)).then(nextTurn);
  }

  async #fill({ id, parsed, texts }: ParseReply): Promise<void> {
    if ("value" in parsed) await putBackLargeTexts(parsed, texts, new Turns());
    this.#waiting.get(id)?.resolve(parsed);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#endLater();
  }

  #endLater(): void {
    this.#timer = setTimeout(() => this.#end(), KEEP_MS);
    Deno.unrefTimer(this.#timer);
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
