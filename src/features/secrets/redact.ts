/**
 * Removes stored values from the output of a command; holds output back until the keychain has been
 * read.
 */

import type { Config } from "../../config/config.ts";
import { joinBytes } from "../../core/bytes.ts";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import type { KnownSecrets } from "./known_secrets.ts";
import { SearchedText, SecretIndex } from "./secret_index.ts";

export const NOTHING = new Uint8Array(0);

/** Creates a redactor for one stream; with `--no-redact`, one that changes nothing. */
export function createRedactor(
  { redact, limits }: Pick<Config, "redact" | "limits">,
  known: KnownSecrets,
): Redactor {
  return new Redactor(redact ? known : NONE, limits.keptHeadBytes + limits.keptTailBytes);
}

type Known = Pick<KnownSecrets, "ready" | "settled" | "gap" | "index">;

const NONE: Known = {
  ready: () => Promise.resolve(),
  settled: true,
  gap: undefined,
  index: new SecretIndex(),
};

/** Processes the bytes of one stream, in order. */
export class Redactor {
  /**
   * Resolves when the redactor no longer holds everything back; an empty `push` then returns what
   * was held. Never rejects.
   */
  readonly ready: Promise<void>;
  readonly #stream: StreamRedactor;
  #held: Uint8Array[] | undefined = [];
  #heldBytes = 0;
  #lost = false;
  /** Bytes after a loss that are withheld, because a value may end within them. */
  #unsafeBytes = 0;
  #gap: string | undefined;

  constructor(private readonly known: Known, private readonly maxHeldBytes: number) {
    this.ready = known.ready();
    this.#stream = new StreamRedactor(known.index);
  }

  /** Whether some output was dropped because more arrived than could be held back. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Why the released output may contain stored values; `undefined` if it cannot. */
  get gap(): string | undefined {
    return this.#gap;
  }

  /** Whether {@link releaseStart} may return something. */
  get keeps(): boolean {
    return this.known.settled && this.#stream.keeps;
  }

  /**
   * Returns what can be released now; bytes that may be the start of a value are kept for the next
   * call.
   */
  async push(chunk: Uint8Array): Promise<Uint8Array> {
    if (!this.known.settled) return this.#hold(chunk);
    const released = this.#release();
    const unsafe = chunk.subarray(0, this.#unsafeBytes);
    this.#unsafeBytes -= unsafe.byteLength;
    if (unsafe.byteLength > 0) this.#stream.push(unsafe);
    return await this.#join([released, this.#stream.push(chunk.subarray(unsafe.byteLength))]);
  }

  /** Returns the kept bytes at the end of the stream. Call it only after `ready`. */
  end(): Promise<Uint8Array> {
    const released = this.#release();
    const rest = this.#stream.end();
    return this.#join(this.#unsafeBytes > 0 ? [released] : [released, rest]);
  }

  /**
   * Call it after a pause in the output: a prompt that only looks like the start of a value must
   * not be kept forever.
   */
  async releaseStart(): Promise<Uint8Array> {
    return this.#unsafeBytes > 0 ? NOTHING : await this.#join([this.#stream.releaseStart()]);
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

  async #release(): Promise<Uint8Array> {
    if (this.#held === undefined) return NOTHING;
    const held = this.#stream.push(joinPieces(this.#held));
    this.#held = undefined;
    if (this.#lost) {
      this.#stream.forget(); // possibly the start of a value whose end is lost
      this.#unsafeBytes = 2 * this.known.index.longestBytes;
    }
    return await held;
  }

  async #join(parts: readonly Promise<Uint8Array>[]): Promise<Uint8Array> {
    const bytes = joinPieces(await Promise.all(parts));
    if (bytes.byteLength > 0) this.#gap ??= this.known.gap;
    return bytes;
  }
}

// Removes known values from a stream of bytes, even those that span two chunks.

/**
 * The most bytes released of output that starts like a value and then pauses: fewer than the
 * shortest value has.
 */
const MAX_START_BYTES = 5;

/** Values that become known during the stream are removed from then on. */
export class StreamRedactor {
  #kept: Uint8Array = NOTHING;
  /** How many of the kept bytes have already been released. */
  #releasedBytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly index: SecretIndex) {}

  /**
   * Returns what can be released now; bytes that may be the start of a value are kept for the next
   * call.
   */
  push(chunk: Uint8Array): Promise<Uint8Array> {
    return this.#inOrder(() => {
      if (this.index.isEmpty && this.#kept.byteLength === 0) return chunk;
      return this.#search(new SearchedText(joinPieces([this.#kept, chunk]), false));
    });
  }

  /**
   * Returns the kept bytes at the end of the stream.
   * @param lost the bytes that follow: searched only for values that begin before them, never returned
   */
  end(lost = NOTHING): Promise<Uint8Array> {
    return this.#inOrder(() => {
      const text = new SearchedText(joinPieces([this.#kept, lost]), true);
      return this.#search(text, this.#kept.byteLength);
    });
  }

  /** Drops the kept bytes, which are never released: their continuation is lost. */
  forget(): Promise<void> {
    return this.#inOrder(() => this.#keep(NOTHING, 0));
  }

  /** Whether any kept bytes have not been released. */
  get keeps(): boolean {
    return this.#kept.byteLength > this.#releasedBytes;
  }

  /**
   * Call it after a pause in the output: returns the first kept bytes, which may be a waiting
   * prompt. If they turn out to be a value, the rest of it is removed.
   */
  releaseStart(): Promise<Uint8Array> {
    return this.#inOrder(() => {
      if (this.#kept.byteLength > MAX_START_BYTES) return NOTHING;
      const start = this.#kept.subarray(this.#releasedBytes);
      this.#keep(this.#kept, this.#kept.byteLength);
      return start;
    });
  }

  /** Yields to other tasks: bytes crafted to be slow to search must not block them. */
  async #search(text: SearchedText, until = text.bytes.byteLength): Promise<Uint8Array> {
    const { bytes } = text;
    const yielder = new EventLoopYielder();
    const released: Uint8Array[] = [];
    let from = this.#releasedBytes; // everything before this has been released or replaced
    this.#keep(NOTHING, 0);
    let next = 0;
    while (true) {
      const { at, what } = this.index.next(text, next);
      if (at > from) {
        released.push(bytes.subarray(from, Math.min(at, until)));
        from = at;
      }
      if (what === "nothing" || at >= until) break;
      if (what === "beginning") {
        this.#keep(bytes.slice(at), from - at);
        break;
      }
      if (what !== "paused") {
        released.push(what.label);
        from = at + what.bytes.byteLength;
      }
      next = what === "paused" ? at : from;
      await yielder.yieldIfDue();
    }
    return joinPieces(released);
  }

  #keep(bytes: Uint8Array, releasedBytes: number): void {
    this.#kept = bytes;
    this.#releasedBytes = releasedBytes;
  }

  /** Runs calls one after the other, even if a call yields in between. */
  #inOrder<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done;
    return done;
  }
}

/** The pieces as one array; not copied if only one is non-empty. */
function joinPieces(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.byteLength > 0);
  return filled.length === 1 ? filled[0]! : joinBytes(filled);
}
