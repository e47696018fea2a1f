/** Takes known values out of a stream of bytes, also those that the border of two chunks cuts. */

import { pause } from "../../core/deadline.ts";
import { joinBytes, NOTHING } from "./bytes.ts";
import type { Searched } from "./pattern_table.ts";
import type { SecretIndex } from "./secret_index.ts";

/** At once, or after others got a turn: bytes that are made to be slow to search must not stop everything else. */
export type Soon<T> = T | Promise<T>;

/** How long a search goes on before others get a turn. */
const SLICE_MS = 8;
/** What may be shown of something that begins like a value and goes on for a while: less than the shortest value has. */
const MAX_SHOWN_BYTES = 5;

/** How far a search is. */
interface Search {
  readonly text: Searched;
  readonly shown: Uint8Array[];
  /** What comes before has been shown or replaced. */
  from: number;
  /** Where it goes on. */
  at: number;
}

/** Values that become known while the stream runs are taken out from then on. */
export class StreamRedactor {
  #kept: Uint8Array = NOTHING;
  /** How many of the kept bytes have been shown all the same. */
  #shownBytes = 0;
  #busy: Promise<unknown> | undefined;

  constructor(private readonly index: SecretIndex) {}

  /** What can be shown now; bytes that may be the beginning of a value are kept for the next call. */
  push(chunk: Uint8Array): Soon<Uint8Array> {
    return this.#inOrder(() => {
      if (this.index.isEmpty && this.#kept.byteLength === 0) return chunk;
      return this.#search(joinBytes([this.#kept, chunk]), { ended: false });
    });
  }

  /** The stream has ended: what was kept. */
  end(): Soon<Uint8Array> {
    return this.#inOrder(() => this.#search(this.#kept, { ended: true }));
  }

  /** What was kept is never shown: its continuation is gone. */
  forget(): Soon<void> {
    return this.#inOrder(() => {
      this.#kept = NOTHING;
      this.#shownBytes = 0;
    });
  }

  /** Whether something is kept that was not shown. */
  get keeps(): boolean {
    return this.#kept.byteLength > this.#shownBytes;
  }

  /**
   * Nothing has come for a while: the first bytes of what may become a value, such as a prompt that
   * waits. If a value it becomes, the rest of it is taken out.
   */
  showStart(): Soon<Uint8Array> {
    return this.#inOrder(() => {
      if (this.#kept.byteLength > MAX_SHOWN_BYTES) return NOTHING;
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

  /** One call after the other, also when one takes several turns. */
  #inOrder<T>(work: () => Soon<T>): Soon<T> {
    const done = this.#busy === undefined ? work() : this.#busy.then(work);
    if (!(done instanceof Promise)) return done;
    const busy = this.#busy = done.finally(() => {
      if (this.#busy === busy) this.#busy = undefined;
    });
    return busy as Promise<T>;
  }
}
