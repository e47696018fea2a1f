/**
 * How fast a text may be sent: as fast as programs read it, because a compositor ends those whose
 * connection is full.
 */

import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { UnreadBytes, UnreadBytesReader } from "./unread_bytes.ts";

/** Strokes that are sent at once, and the least time from one such burst to the next. */
const BURST = { strokes: 50, ms: 3 } as const;
/**
 * Strokes from one check of the programs to the next. GTK 3 answers each with up to 8 KiB, and ends
 * itself when the compositor has no processor for its answers to 20 of them: twice as many as this can be
 * unanswered, because nobody sees what a program has read and not answered yet. So what was sent before
 * must have been read to the last byte: a compositor joins several strokes in one small message.
 */
const STROKES_PER_CHECK = 6;
const POLL_INTERVAL_MS = 4;
/** A program that reads nothing for this long hangs. */
const STUCK_MS = 10_000;
/**
 * The part of that time for which a program that had something unread before a text is waited for, once in a
 * text: most only have not had a processor for one message, and read on.
 */
const STUCK_BEFORE = 1 / 20;
/** Where the kernel does not report it: what every program can take, and what a slow one reads. */
const UNREPORTED_LIMITS = { strokes: 800, perSecond: 500 } as const;

interface PaceOptions {
  /** Resolves when the compositor has processed what was sent; throws when it has gone. */
  confirm(): Promise<void>;
  readonly stuckMs?: number;
}

export class TypingPace {
  readonly #stuckMs: number;
  #burst = 0;
  #burstBegan = -Infinity;
  #sinceCheck = 0;
  #sent = 0;
  /** What programs had not read before this text, without those that have read since. */
  #unreadBefore: Map<number, number> | undefined;
  /** Whether those that are left in it do not read at all. */
  #areStuck = false;

  constructor(
    private readonly reader: Pick<UnreadBytesReader, "read">,
    private readonly options: PaceOptions,
  ) {
    this.#stuckMs = options.stuckMs ?? STUCK_MS;
  }

  /**
   * Waits until programs can take more; returns how many strokes.
   * @param typed how much of the text was typed, for messages
   * @throws ServiceError `conflict`: the program with the keyboard focus does not read any more; the error of
   *   `confirm`
   */
  async allow(signal?: AbortSignal, typed = this.#sent): Promise<number> {
    this.#unreadBefore ??= this.#findUnread();
    if (this.#sinceCheck >= STROKES_PER_CHECK) {
      await this.#awaitReaders(typed, signal);
      this.#sinceCheck = 0;
    }
    if (this.#burst >= BURST.strokes) {
      await pause(this.#burstBegan + BURST.ms - performance.now(), signal);
      this.#burst = 0;
    }
    if (this.#burst === 0) this.#burstBegan = performance.now();
    return Math.min(BURST.strokes - this.#burst, STROKES_PER_CHECK - this.#sinceCheck);
  }

  note(strokes: number): void {
    this.#burst += strokes;
    this.#sinceCheck += strokes;
    this.#sent += strokes;
  }

  #findUnread(): Map<number, number> {
    return new Map(this.reader.read().entries().filter(([, bytes]) => bytes > 0));
  }

  async #awaitReaders(typed: number, signal?: AbortSignal): Promise<void> {
    let least = Infinity;
    const began = performance.now();
    const shortMs = this.#stuckMs * STUCK_BEFORE;
    let confirmed = began;
    for (let since = began;;) {
      const unread = this.reader.read();
      if (unread.size === 0) return await this.#awaitUnknown(signal);
      const now = performance.now();
      this.#areStuck ||= now - began > shortMs;
      const most = this.#mostUnread(unread);
      if (most === 0) return;
      if (most < least) [least, since] = [most, now];
      if (now - confirmed > shortMs) {
        await this.options.confirm(); // what waits for a compositor that has gone is never read
        confirmed = performance.now();
      }
      if (now - since > this.#stuckMs) {
        throw new ServiceError(
          "conflict",
          `Typing stopped at ${typed}: the program with the keyboard focus does not respond`,
        );
      }
      await pause(POLL_INTERVAL_MS, signal);
    }
  }

  async #awaitUnknown(signal?: AbortSignal): Promise<void> {
    if (this.#sent < UNREPORTED_LIMITS.strokes) return;
    await pause(this.#sinceCheck / UNREPORTED_LIMITS.perSecond * 1_000, signal);
  }

  #mostUnread(unread: UnreadBytes): number {
    let most = 0;
    for (const [inode, bytes] of unread) {
      const before = this.#unreadBefore?.get(inode);
      if (before !== undefined && bytes < before) this.#unreadBefore?.delete(inode); // it reads
      const isStuck = this.#areStuck && before !== undefined && bytes <= 2 * before;
      if (!isStuck) most = Math.max(most, bytes);
    }
    return most;
  }
}
