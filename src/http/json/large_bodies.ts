/** Has large bodies parsed in a thread of its own, which is there while there are any. */

import { startWorker } from "../../core/start_worker.ts";
import type { Parsed } from "./parse.ts";

export interface ParseRequest {
  readonly id: number;
  readonly bytes: ArrayBuffer;
}

export interface ParseReply {
  readonly id: number;
  readonly parsed: Parsed;
}

/** How long an idle worker is kept: starting one takes 30 ms, keeping it some MiB. */
const KEEP_MS = 10_000;

export class LargeBodies {
  readonly #waiting = new Map<number, PromiseWithResolvers<Parsed>>();
  #worker: Worker | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  /** Parses the bytes, which are gone then. */
  parse(bytes: ArrayBuffer): Promise<Parsed> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#start();
    const id = ++this.#count;
    const waiting = Promise.withResolvers<Parsed>();
    this.#waiting.set(id, waiting);
    this.#worker.postMessage({ id, bytes } satisfies ParseRequest, [bytes]);
    return waiting.promise;
  }

  #start(): Worker {
    const worker = startWorker(new URL("./parse_worker.ts", import.meta.url));
    worker.onmessage = ({ data }: MessageEvent<ParseReply>) => {
      this.#waiting.get(data.id)?.resolve(data.parsed);
      this.#waiting.delete(data.id);
      if (this.#waiting.size === 0) this.#endLater();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end();
      for (const { reject } of this.#waiting.values()) reject(new Error(event.message));
      this.#waiting.clear();
    };
    return worker;
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
