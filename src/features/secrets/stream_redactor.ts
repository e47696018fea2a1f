/** Removes known values from a stream of bytes, even those that span two chunks. */

import { pause } from "../../core/deadline.ts";
import { joinBytes, NOTHING } from "./bytes.ts";
import type { Searched } from "./pattern_table.ts";
import type { SecretIndex } from "./secret_index.ts";

/**
 * Synchronous, or a promise if other tasks ran in between: bytes crafted to be slow to search must
 * not block everything else.
 */
export type Soon<T> = T | Promise<T>;

/** How long a search runs before other tasks get a turn, in milliseconds. */
const SLICE_MS = 8;
/**
 * The most bytes shown of output that starts like a value and then pauses: fewer than the shortest
 * value has.
 */
const MAX_SHOWN_BYTES = 5;

/** The progress of a search. */
interface Search {
  readonly text: Searched;
  readonly shown: Uint8Array[];
  /** Everything before this has been shown or replaced. */
  from: number;
  /** Where the search continues. */
  at: number;
}

/** Values that become known during the stream are removed from then on. */
export class StreamRedactor {
  #kept: Uint8Array = NOTHING;
  /** How many of the kept bytes have already been shown. */
  #shownBytes = 0;
  #busy: Promise<unknown> | undefined;

  constructor(private readonly index: SecretIndex) {}

  /**
   * Returns what can be shown now; bytes that may be the start of a value are kept for the next
   * call.
   */
  push(chunk: Uint8Array): Soon<Uint8Array> {
    return this.#inOrder(() => {
      if (this.index.isEmpty && this.#kept.byteLength === 0) return chunk;
      return this.#search(joinBytes([this.#kept, chunk]), { ended: false });
    });
  }

  /** Returns the kept bytes at the end of the stream. */
  end(): Soon<Uint8Array> {
    return this.#inOrder(() => this.#search(this.#kept, { ended: true }));
  }

  /** Drops the kept bytes, which are never shown: their continuation is lost. */
  forget(): Soon<void> {
    return this.#inOrder(() => {
      this.#kept = NOTHING;
      this.#shownBytes = 0;
    });
  }

  /** Whether any kept bytes have not been shown. */
  get keeps(): boolean {
    return this.#kept.byteLength > this.#shownBytes;
  }

  /**
   * Call it after a pause in the output: returns the first kept bytes, which may be a waiting
   * prompt. If they turn out to be a value, the rest of it is removed. Nothing of more than `most`.
   */
  showStart(most = MAX_SHOWN_BYTES): Soon<Uint8Array> {
    return this.#inOrder(() => {
      if (this.#kept.byteLength > most) return NOTHING;
      const start = this.#kept.subarray(this.#shownBytes);
      this.#shownBytes = this.#kept.byteLength;
      return start;
    });
  }

  #search(bytes: Uint8Array, { ended }: { readonly ended: boolean }): Soon<Uint8Array> {
    const search = { text: { bytes, ended }, shown: [], from: this.#shownBytes, at: 0 };
    this.#kept = NOTHING;
    this.#shownBytes = 0;
    return this.#goOn(search);
  }

  #goOn(search: Search): Soon<Uint8Array> {
    const { text, shown } = search;
    const { bytes } = text;
    const until = performance.now() + SLICE_MS;
    while (true) {
      const { at, what } = this.index.next(text, search.at, until);
      search.at = at;
      if (what === "paused") return pause(0).then(() => this.#goOn(search));
      if (at > search.from) {
        shown.push(bytes.subarray(search.from, at));
        search.from = at;
      }
      if (what === "nothing") return joinBytes(shown);
      if (what === "beginning") {
        this.#kept = bytes.slice(at);
        this.#shownBytes = search.from - at;
        return joinBytes(shown);
      }
      shown.push(what.label);
      search.from = search.at = at + what.bytes.byteLength;
    }
  }

  /** Runs calls one after the other, even if a call takes several turns. */
  #inOrder<T>(work: () => Soon<T>): Soon<T> {
    const done = this.#busy === undefined ? work() : this.#busy.then(work);
    if (!(done instanceof Promise)) return done;
    const busy = this.#busy = done.finally(() => {
      if (this.#busy === busy) this.#busy = undefined;
    });
    return busy as Promise<T>;
  }
}
