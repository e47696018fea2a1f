/**
 * Types text by pasting, where keys cannot make it: puts it on the clipboard, presses the shortcut,
 * waits until the program has read it, and puts back what was on the clipboard before.
 */

import { countBytes } from "../../../core/bytes.ts";
import { abortAfter, pause, unlessAborted, within } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { encodeText } from "../../../core/texts.ts";
import { unlessUnresponsive } from "../../timed_pasting.ts";
import type { Parts, Pasting } from "../../types/mod.ts";
import {
  type ClipboardOffer,
  FORMAT_TYPES,
  HINT_TYPE,
  SOURCE_TYPE,
  type TypedClipboard,
  type TypedContent,
} from "./typed_clipboard.ts";

/** The names under which programs ask for text, on Wayland and in XWayland. */
const TEXT_TYPES = ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "TEXT", "STRING"];
/** Keeps it out of the history of Plasma's clipboard, and of others that follow it. */
const NO_HISTORY = "secret";
/** How long the desktop may take to read a text that it keeps. */
const KEPT_MS = 1_000;
/** Time for programs that read whatever comes to the clipboard; more where the desktop is slow. */
const WATCHERS_MS = 15;
/**
 * How long the focused program may take to read the text, and its page after that: as long as
 * desktops wait before they say that it does not respond.
 */
const TAKEN_MS = 5_000;
/** Some programs read twice, the first time slowly: reads farther apart are two pastes. */
const QUIET_MS = 200;
/** Time for it to insert what it has read, before keys follow; more where it was slow to read. */
const INSERT_MS = 30;
/** A program that has no processor is as slow to insert as it was to read. */
const INSERTS = { perRead: 2, mostMs: 4_000 } as const;
const POLL_INTERVAL_MS = 5;
/** The end for programs that read again and again. */
const READING_MS = 2 * TAKEN_MS;

export class ClipboardPasting implements Pasting {
  #earlier: TypedContent | undefined;
  #clipboard: TypedClipboard | undefined;
  #offer: ClipboardOffer | undefined;
  #lastRead = 0;
  /** How often the focused program reads per paste, once that is known. */
  #readsPerPaste = Infinity;

  /**
   * Whether a page of Chromium has read. Then only its reads tell that a text has arrived: what others
   * read late, the desktop above all, looks like the first read of Chromium.
   */
  #isReadByPage = false;
  /** Whether a page had not read its text when the next keys followed. */
  #isPageLate = false;
  /** Whether the keys were pressed and the program has not read: it can be busy, and read later. */
  #isUnread = false;

  /** @param pressPaste presses the shortcut; resolves when the display has processed it */
  constructor(
    private readonly open: () => Promise<TypedClipboard>,
    private readonly pressPaste: () => Promise<void>,
    private readonly latePages = new LatePages(),
  ) {}

  /**
   * Pastes a text into the focused program.
   * @throws ServiceError `conflict`: it has not taken the text, and may still do so; the reason of
   *   `signal`
   */
  async paste(text: string, signal?: AbortSignal): Promise<void> {
    const clipboard = this.#clipboard ??= await this.open();
    this.#earlier ??= this.latePages.earlier(clipboard) ?? await readAll(clipboard, signal);
    signal?.throwIfAborted();
    await this.latePages.forget();
    const offeredAt = performance.now();
    const offer = this.#offer = await clipboard.offer(textContent(text));
    if (clipboard.isKeptByDesktop) await awaitKept(offer, signal);
    await pause(Math.max(WATCHERS_MS, performance.now() - offeredAt), signal);
    const before = offer.reads;
    const read = offer.nextRead();
    const pressedAt = performance.now();
    this.#isUnread = true;
    read.then(() => this.#isUnread = false);
    await this.pressPaste();
    const isTaken = await within(read, TAKEN_MS, signal);
    const readingMs = performance.now() - pressedAt;
    signal?.throwIfAborted();
    if (!isTaken) throw notTaken();
    await this.#awaitReads(offer, { before, pressedAt, signal });
    const insertMs = Math.min(readingMs * INSERTS.perRead, INSERTS.mostMs);
    await pause(Math.max(INSERT_MS, insertMs), signal);
  }

  /**
   * Puts back what was there before, unless another program has put something there meanwhile; later
   * where the program or its page may still read the text: it would paste that instead.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const [clipboard, offer, earlier] = [this.#clipboard, this.#offer, this.#earlier];
    if (clipboard === undefined || offer === undefined || earlier === undefined) return;
    this.#earlier = undefined;
    await pause(this.#lastRead + QUIET_MS - performance.now());
    if (offer.isReplaced) return;
    const isUnread = this.#isUnread;
    if (!isUnread && !offer.awaitsPage) await clipboard.offer(earlier);
    else this.latePages.leave({ clipboard, offer, earlier, isUnread });
  }

  /**
   * Waits for the reads that the program makes for one paste. One whose page has not read is either
   * busy or has no page: its text stays on the clipboard until the next one.
   * @throws ServiceError `conflict`: its page has read, but not the text before, which was late
   */
  async #awaitReads(offer: ClipboardOffer, { before, pressedAt, signal }: Paste): Promise<void> {
    let reads = before;
    for (; this.#mayReadOn(offer, before); await pause(POLL_INTERVAL_MS, signal)) {
      const now = performance.now();
      if (offer.reads > reads) this.#lastRead = now;
      reads = offer.reads;
      const quietMs = offer.awaitsPage ? TAKEN_MS : QUIET_MS;
      if (now - this.#lastRead >= quietMs || now - pressedAt >= READING_MS) break;
    }
    this.#lastRead = performance.now();
    if (this.#isPageLate && !offer.awaitsPage) throw notTaken();
    this.#isPageLate = offer.awaitsPage;
    if (this.#isPageLate) return; // how often it reads is not known yet
    this.#isReadByPage ||= offer.pageReads > 0;
    const known = Number.isFinite(this.#readsPerPaste) ? this.#readsPerPaste : 0;
    this.#readsPerPaste = Math.max(known, offer.reads - before);
  }

  #mayReadOn(offer: ClipboardOffer, before: number): boolean {
    const isPageExpected = this.#isReadByPage && offer.pageReads === 0;
    return offer.reads - before < this.#readsPerPaste || isPageExpected || offer.awaitsPage;
  }
}

interface Paste {
  /** Reads before the keys were pressed. */
  readonly before: number;
  readonly pressedAt: number;
  readonly signal: AbortSignal | undefined;
}

/** Waits for the desktop's own read, which is none of the focused program's. */
async function awaitKept(offer: ClipboardOffer, signal?: AbortSignal): Promise<void> {
  if (offer.reads === 0) await within(offer.nextRead(), KEPT_MS, signal);
  await within(offer.awaitReads(), KEPT_MS, signal);
}

function textContent(text: string): TypedContent {
  const parts: Parts = [...encodeText(text)];
  return new Map([
    ...TEXT_TYPES.map((type) => [type, parts] as const),
    [HINT_TYPE, [...encodeText(NO_HISTORY)]],
    [SOURCE_TYPE, []],
  ]);
}

function notTaken(): ServiceError {
  return new ServiceError(
    "conflict",
    "The text was not typed completely: the focused program did not take it from the clipboard when Ctrl+V " +
      "was pressed, and may still paste it if it is busy: check the screen, then focus a field that accepts " +
      "text, or use a layout that has all characters, which are then typed by keys",
  );
}

// Reads all types of what is on the clipboard, so that it can be put back.

/** What its owner does not give within these bounds is lost: how long it may be silent, and in all. */
const IDLE_TIMEOUT_MS = 1_000;
const READ_TIMEOUT_MS = 10_000;
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** What no program can have put there: the answers about a content (ICCCM, 2.6.2). */
const ABOUT = new Set(["TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE"]);

/** @throws the reason of `signal`; ServiceError `unavailable`: the display has gone */
export async function readAll(
  clipboard: TypedClipboard,
  signal: AbortSignal = new AbortController().signal,
  maxMs = READ_TIMEOUT_MS,
): Promise<TypedContent> {
  // input waits for this: an owner that sends a byte now and then must not hold it up
  using bounded = abortAfter(maxMs, signal, new ServiceError("timed_out", "Too slow to be kept"));
  const content = new Map<string, Parts>();
  const last = performance.now() + maxMs;
  let end = performance.now() + IDLE_TIMEOUT_MS;
  let maxBytes = MAX_READ_BYTES;
  const asked = clipboard.types({ idleMs: IDLE_TIMEOUT_MS, signal: bounded.signal });
  const types = await unlessUnresponsive(asked) ?? [];
  for (const type of new Set(inOrder(types))) {
    const idleMs = Math.min(end, last) - performance.now();
    if (idleMs <= 0) break;
    if (ABOUT.has(type)) continue;
    const reading = { maxBytes, idleMs, signal: bounded.signal };
    const read = await unlessUnresponsive(clipboard.readType(type, reading));
    if (read === undefined) continue;
    content.set(type, read.parts);
    end = performance.now() + IDLE_TIMEOUT_MS; // an owner that answers is slow, but not silent
    maxBytes -= countBytes(read.parts);
  }
  const given = types.filter((type) => content.has(type));
  return new Map(given.map((type) => [type, content.get(type)!]));
}

/** What the formats of the service need comes first: a slow owner may not get to the others. */
function inOrder(types: readonly string[]): string[] {
  const known = FORMAT_TYPES.map(({ type }) => type).filter((type) => types.includes(type));
  return [...known, ...types];
}

// Keeps a pasted text on the clipboard for a program, or its page, that is too busy to read it yet.

/** How long the text stays where nobody reads it again: then its first reader was the only one. */
const LATE_MS = 60_000;
/**
 * How long nobody reads after the reads of a late paste: a program that was busy for seconds has much
 * else to do between two of them, and gets nothing when the owner changes meanwhile.
 */
const LATE_QUIET_MS = 2_000;

interface Left {
  readonly clipboard: TypedClipboard;
  /** The text that stays. */
  readonly offer: ClipboardOffer;
  /** What was there before, which comes back. */
  readonly earlier: TypedContent;
  /** Whether nobody has read it: the program still has the keys before it, which paste what is there. */
  readonly isUnread: boolean;
}

export class LatePages {
  #left: Left | undefined;
  #end = new AbortController();
  #putBack = Promise.resolve();

  /** What comes back in place of a text that is still there. */
  earlier(clipboard: TypedClipboard): TypedContent | undefined {
    const left = this.#left;
    if (left?.clipboard !== clipboard || left.offer.isReplaced) return undefined;
    return left.earlier;
  }

  /**
   * Puts back what was there before as soon as the text has been read; after a minute if its page
   * does not, and not at all while the program itself has not read it.
   */
  leave(left: Left): void {
    this.#end = new AbortController();
    this.#left = left;
    this.#putBack = this.#putBackLater(left, this.#end.signal);
  }

  /** Puts nothing back any more: resolves when something else can be put there. */
  async forget(): Promise<void> {
    this.#left = undefined;
    this.#end.abort();
    await this.#putBack;
  }

  /** Puts back at once what is still to come back. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#putBack;
  }

  async #putBackLater(left: Left, signal: AbortSignal): Promise<void> {
    const { clipboard, offer, earlier, isUnread } = left;
    if (isUnread) await this.#awaitProgram(offer, signal);
    if (!isUnread || offer.awaitsPage) await this.#awaitPage(offer, signal);
    try {
      const isWanted = this.#left === left && !offer.isReplaced && clipboard.connected;
      if (isWanted) await clipboard.offer(earlier);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error; // otherwise the display has gone
    } finally {
      if (this.#left === left) this.#left = undefined;
    }
  }

  /** Resolves at the end, too, and when nobody can read it any more. */
  async #awaitProgram(offer: ClipboardOffer, signal: AbortSignal): Promise<void> {
    const over = Promise.race([offer.nextRead(), offer.replaced]);
    const isOver = await unlessAborted(over, signal).then(() => true, () => false);
    if (isOver && !offer.isReplaced) await awaitQuiet(offer, signal);
  }

  async #awaitPage(offer: ClipboardOffer, signal: AbortSignal): Promise<void> {
    if (await within(offer.nextRead(), LATE_MS, signal)) await awaitQuiet(offer, signal);
  }
}

async function awaitQuiet(offer: ClipboardOffer, signal: AbortSignal): Promise<void> {
  const end = performance.now() + READING_MS;
  while (performance.now() < end && await within(offer.nextRead(), LATE_QUIET_MS, signal));
}
