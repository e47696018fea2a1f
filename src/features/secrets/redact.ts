/**
 * Removes stored values from the output of a command; holds output back until the keychain has been
 * read.
 */

import type { Config } from "../../config/config.ts";
import { joinBytes, NOTHING } from "./bytes.ts";
import type { KnownSecrets } from "./known_secrets.ts";
import { type Soon, StreamRedactor } from "./stream_redactor.ts";

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
    const held = this.#stream.push(joinBytes(this.#held));
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
      const bytes = joinBytes(some);
      if (bytes.byteLength > 0) this.#gap ??= this.known.gap;
      return bytes;
    };
    if (parts.some((part) => part instanceof Promise)) return Promise.all(parts).then(show);
    return show(parts as readonly Uint8Array[]);
  }
}
