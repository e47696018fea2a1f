/**
 * Removes stored values from the output of a command; holds output back until the keychain has been
 * read.
 */

import type { Config } from "../../config/config.ts";
import { pause } from "../../core/deadline.ts";
import { joinPieces, NOTHING } from "./item.ts";
import type { KnownSecrets } from "./known_secrets.ts";
import type { Searched, SecretIndex } from "./secret_index.ts";

/** Processes the bytes of one stream, in order. */
export interface Redactor {
  /**
   * Resolves when the redactor no longer holds everything back; an empty `push` then returns what
   * was held. Never rejects.
   */
  readonly ready: Promise<void>;
  /**
   * Returns what can be shown now; bytes that may be the start of a value are kept for the next
   * call.
   */
  push(chunk: Uint8Array): Soon<Uint8Array>;
  /** Returns the kept bytes at the end of the stream. Call it only after `ready`. */
  end(): Soon<Uint8Array>;
  /** Whether {@link showStart} may return something. */
  readonly keeps: boolean;
  /**
   * Call it after a pause in the output: a prompt that only looks like the start of a value must
   * not be kept forever.
   */
  showStart(): Soon<Uint8Array>;
  /** Whether some output was dropped because more arrived than could be held back. */
  readonly lost: boolean;
  /** Why the shown output may contain stored values; `undefined` if it cannot. */
  readonly gap: string | undefined;
}

const OPEN: Redactor = {
  ready: Promise.resolve(),
  push: (chunk) => chunk,
  end: () => NOTHING,
  keeps: false,
  showStart: () => NOTHING,
  lost: false,
  gap: undefined,
};

/** Creates a redactor for one stream; with `--no-redact`, one that changes nothing. */
export function createRedactor(
  { redact, limits }: Pick<Config, "redact" | "limits">,
  known: KnownSecrets,
): Redactor {
  if (!redact) return OPEN;
  return new OutputRedactor(known, limits.keptHeadBytes + limits.keptTailBytes);
}

class OutputRedactor implements Redactor {
  readonly ready: Promise<void>;
  readonly #stream: StreamRedactor;
  #held: Uint8Array[] | undefined = [];
  #heldBytes = 0;
  #lost = false;
  /** Bytes after a loss that are not shown, because a value may end within them. */
  #unsafeBytes = 0;
  #gap: string | undefined;

  constructor(private readonly known: KnownSecrets, private readonly maxHeldBytes: number) {
    this.ready = known.ready();
    this.#stream = new StreamRedactor(known.index);
  }

  get lost(): boolean {
    return this.#lost;
  }

  get gap(): string | undefined {
    return this.#gap;
  }

  get keeps(): boolean {
    return this.known.settled && this.#stream.keeps;
  }

  push(chunk: Uint8Array): Soon<Uint8Array> {
    if (!this.known.settled) return this.#hold(chunk);
    return this.#shown([...this.#release(), ...this.#push(chunk)]);
  }

  end(): Soon<Uint8Array> {
    const released = this.#release();
    const rest = this.#stream.end();
    return this.#shown(this.#unsafeBytes > 0 ? released : [...released, rest]);
  }

  showStart(): Soon<Uint8Array> {
    return this.#unsafeBytes > 0 ? NOTHING : this.#shown([this.#stream.showStart()]);
  }

  /**
   * A command never waits for us: output beyond what can be held is dropped and reported as lost.
   */
  #hold(chunk: Uint8Array): Uint8Array {
    if (this.#lost || this.#heldBytes + chunk.byteLength > this.maxHeldBytes) this.#lost = true;
    else {
      this.#held!.push(chunk.slice());
      this.#heldBytes += chunk.byteLength;
    }
    return NOTHING;
  }

  #release(): Soon<Uint8Array>[] {
    if (this.#held === undefined) return [];
    const held = this.#stream.push(joinPieces(this.#held));
    this.#held = undefined;
    if (this.#lost) {
      this.#stream.forget(); // possibly the start of a value whose end is lost
      this.#unsafeBytes = 2 * this.known.index.longestBytes;
    }
    return [held];
  }

  #push(chunk: Uint8Array): Soon<Uint8Array>[] {
    const unsafe = chunk.subarray(0, this.#unsafeBytes);
    this.#unsafeBytes -= unsafe.byteLength;
    if (unsafe.byteLength > 0) this.#stream.push(unsafe);
    return [this.#stream.push(chunk.subarray(unsafe.byteLength))];
  }

  #shown(parts: readonly Soon<Uint8Array>[]): Soon<Uint8Array> {
    const show = (some: readonly Uint8Array[]) => {
      const bytes = joinPieces(some);
      if (bytes.byteLength > 0) this.#gap ??= this.known.gap;
      return bytes;
    };
    if (parts.some((part) => part instanceof Promise)) return Promise.all(parts).then(show);
    return show(parts as readonly Uint8Array[]);
  }
}

// Removes known values from a stream of bytes, even those that span two chunks.

/**
 * Synchronous, or a promise if other tasks ran in between: bytes crafted to be slow to search must
 * not block everything else.
 */
type Soon<T> = T | Promise<T>;

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
      return this.#search(joinPieces([this.#kept, chunk]), { ended: false });
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
      if (what === "nothing") return joinPieces(shown);
      if (what === "beginning") {
        this.#kept = bytes.slice(at);
        this.#shownBytes = search.from - at;
        return joinPieces(shown);
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
