/**
 * Remaps scratch keycodes to characters that the layout lacks, as one transaction: acquired, pressed,
 * and restored when the programs that received them have looked them up.
 */

import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { Semaphore } from "../../../core/locks.ts";
import type { Xkb } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import type { Layout } from "./layout.ts";
import { KeycodeRecord, MapWriter } from "./map_writer.ts";
import { type Remap, ScratchKeys } from "./scratch_keys.ts";
import { WindowPing, withAncestors } from "./window_queries.ts";
import type { KeyRow } from "./xkb_map.ts";

/**
 * `unresponsive`: a program supports pings and has not answered; `unknown`: a program does not support
 * them.
 */
type Verdict = "caught up" | "unknown" | "unresponsive";

/** How long after the last use keycodes are returned, depending on the programs' verdict. */
const RELEASE_DELAY_MS: Readonly<Record<Verdict, number>> = {
  "caught up": 2_000,
  "unknown": 5_000,
  "unresponsive": 60_000,
};
const MIN_RELEASE_DELAY_MS = RELEASE_DELAY_MS["caught up"];
const RETRY_INTERVAL_MS = 500;
/** How long to wait for a program before a keycode is reassigned, and at the end of the service. */
const READER_TIMEOUT_MS = 10_000;
const SHUTDOWN_READER_TIMEOUT_MS = 2_000;
const MAX_ATTEMPTS = 4;
/** The canonical key type with a plain and a Shift level. */
const TWO_LEVEL = 1;
/** What stands in the record in place of a keycode, before modifiers that a text has unlocked. */
const UNLOCKED = 0;
const UNMAPPED = { typeIndexes: [0, 0, 0, 0], groupInfo: 0, width: 0, keysyms: [] } as const;

interface ScratchKeycodesOptions {
  readonly connection: X11Connection;
  readonly xkb: Xkb;
  readonly layout: Layout;
  readonly keymapSettleMs: number;
}

export class ScratchKeycodes {
  readonly keys = new ScratchKeys();
  /** The rows of the remapped keycodes before that. */
  readonly #originals = new Map<number, KeyRow>();
  #users = 0;
  /** Modifiers that were locked and are locked again by {@link endUse}. */
  #unlocked = 0;
  /** Serializes changes of the map. */
  readonly #order = new Semaphore({ capacity: 1 });
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private readonly options: ScratchKeycodesOptions,
    private readonly record: KeycodeRecord,
    private readonly readers: Readers,
    readonly writer: MapWriter,
  ) {}

  /** Also restores the keycodes that a crashed run left remapped. */
  static async open(options: ScratchKeycodesOptions): Promise<ScratchKeycodes> {
    const { connection, xkb, layout } = options;
    const record = await KeycodeRecord.open(connection);
    const writer = await MapWriter.open(connection, xkb, layout);
    const ping = await WindowPing.of(connection);
    const readers = new Readers(connection, ping, options.keymapSettleMs);
    const keycodes = new ScratchKeycodes(options, record, readers, writer);
    await keycodes.#restoreLeft(await record.takeOver());
    keycodes.#followLayout();
    return keycodes;
  }

  /** The number of characters that can have a keycode at the same time. */
  get capacity(): number {
    this.#followLayout();
    return this.keys.capacity;
  }

  /**
   * Makes all of these keysyms that the layout lacks available; `plain`: without a modifier.
   * @throws ServiceError `unsupported`: too many at once; `unavailable`: a program has not looked
   *   up earlier keys; `conflict`: the layout keeps changing.
   */
  async acquire(
    keysyms: readonly number[],
    { signal, needs }: { readonly signal?: AbortSignal | undefined; readonly needs?: "plain" } = {},
  ): Promise<void> {
    await this.#order.run(() => this.#acquire(keysyms, needs, signal));
  }

  /** Records a press of a character: it keeps its keycode until the program has looked it up. */
  touch(keysym: number): void {
    if (!this.keys.find(keysym)) return;
    this.keys.touch(keysym);
    this.readers.noteSent();
  }

  /** Keeps everything remapped until {@link endUse}, which locks the modifiers that the caller now unlocks. */
  beginUse(unlocked: number): void {
    this.#users++;
    if (unlocked === 0) return;
    this.#unlocked = unlocked;
    this.#writeRecord();
  }

  endUse(): void {
    this.#users--;
    this.readers.touch();
    if (this.#unlocked === 0) return;
    this.options.layout.state.lock(this.#unlocked, true);
    this.#unlocked = 0;
    this.#writeRecord();
  }

  /** Returns everything when the programs have caught up, or after {@link SHUTDOWN_READER_TIMEOUT_MS}. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#order.idle();
    if (this.keys.mapped.size === 0) return;
    await this.readers.settle(SHUTDOWN_READER_TIMEOUT_MS);
    await this.#release();
  }

  async #acquire(
    keysyms: readonly number[],
    needs: "plain" | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { layout } = this.options;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await layout.refresh();
      this.#followLayout();
      const lacking = keysyms.filter((keysym) => !layout.keymap.find(keysym));
      const { chosen, missing, lastUsed } = this.keys.choose(lacking, needs);
      if (chosen.length < missing) throw tooFewKeycodes(missing, chosen.length);
      if (lastUsed > 0 && await this.readers.settle(READER_TIMEOUT_MS, signal) === "unresponsive") {
        throw new ServiceError(
          "unavailable",
          "The program does not process the keys that it was sent: it has not responded for ten seconds",
        );
      }
      if (!layout.fresh) continue;
      if (lacking.length === 0) return;
      const remaps = this.keys.assign(lacking, chosen, needs);
      if (await this.#remap(remaps)) return this.writer.notifyFocused();
    }
    throw new ServiceError("conflict", "The keyboard layout keeps changing; try again");
  }

  async #remap(remaps: readonly Remap[]): Promise<boolean> {
    if (remaps.length === 0) return true;
    const { layout } = this.options;
    for (const { keycode } of remaps) {
      if (!layout.remapped.has(keycode)) this.#originals.set(keycode, layout.keyRow(keycode)!);
    }
    this.#writeRecord();
    this.readers.touch();
    this.#timer ??= this.#startTimer(MIN_RELEASE_DELAY_MS);
    if (await this.writer.write(remaps.map(keyRow), { remapped: true })) return true;
    this.keys.forget(new Set(remaps.map(({ keycode }) => keycode)));
    return false;
  }

  /** Returns all keycodes that no held key needs. */
  async #release(): Promise<void> {
    this.keys.clear();
    this.readers.clear();
    await this.#write(() => {
      this.#followLayout();
      const released = [...this.options.layout.remapped.difference(this.keys.mapped)];
      return released.map((keycode) => this.#originals.get(keycode) ?? { ...UNMAPPED, keycode });
    });
    this.#writeRecord();
    await this.options.connection.confirm();
    if (this.keys.mapped.size > 0) this.#timer ??= this.#startTimer(MIN_RELEASE_DELAY_MS); // keys are held
  }

  /** Gives up keycodes that another program has taken. */
  #followLayout(): void {
    const { remapped, free } = this.options.layout;
    this.keys.use(new Set([...free, ...remapped]));
    this.keys.forget(this.keys.mapped.difference(remapped));
  }

  /** Writes rows that belong to the layout again. */
  async #write(rowsNow: () => readonly KeyRow[]): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await this.options.layout.refresh();
      const rows = rowsNow().toSorted((a, b) => a.keycode - b.keycode);
      if (await this.writer.write(rows, { remapped: false })) return;
    }
  }

  #writeRecord(): void {
    const mapped = [...this.keys.mapped].map((keycode) => ({
      keycode,
      symbols: this.keys.wantedSymbols(keycode),
    }));
    const unlocked = { keycode: UNLOCKED, symbols: [this.#unlocked, 0] } as const;
    this.record.write(this.#unlocked === 0 ? mapped : [...mapped, unlocked]);
  }

  async #restoreLeft(left: readonly Remap[]): Promise<void> {
    if (left.length === 0) return;
    const { layout } = this.options;
    await this.#write(() =>
      left.filter((remap) => sameSymbols(layout.keyRow(remap.keycode), remap))
        .map(({ keycode }) => ({ ...UNMAPPED, keycode }))
    );
    for (const { keycode, symbols: [unlocked] } of left) {
      if (keycode === UNLOCKED) layout.state.lock(unlocked, true);
    }
    this.#writeRecord();
  }

  #startTimer(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.#timer = undefined;
      if (!this.options.connection.connected) return;
      const remainingMs = this.#users > 0
        ? MIN_RELEASE_DELAY_MS
        : MIN_RELEASE_DELAY_MS - this.readers.idleMs;
      if (remainingMs > 0) this.#timer = this.#startTimer(remainingMs);
      else this.#order.run(() => this.#releaseInTime()).catch(() => {}); // the server has gone
    }, ms);
  }

  async #releaseInTime(): Promise<void> {
    const verdict = await this.readers.ask();
    if (this.#users === 0 && this.readers.idleMs >= RELEASE_DELAY_MS[verdict]) {
      return await this.#release();
    }
    this.#timer ??= this.#startTimer(RETRY_INTERVAL_MS);
  }
}

function tooFewKeycodes(missing: number, unused: number): ServiceError {
  return new ServiceError(
    "unsupported",
    `The keyboard layout lacks ${missing} of these symbols and has only ${unused} unused keycodes for them`,
  );
}

function keyRow({ keycode, symbols }: Remap): KeyRow {
  return { keycode, typeIndexes: [TWO_LEVEL, 0, 0, 0], groupInfo: 1, width: 2, keysyms: symbols };
}

function sameSymbols(row: KeyRow | undefined, { symbols }: Remap): boolean {
  return row?.keysyms[0] === symbols[0] && row.keysyms[1] === symbols[1];
}

// Tracks the windows that received keys whose characters their programs possibly still have to look
// up. A program that supports pings answers them in order with its other events; about other programs
// nothing is known.

class Readers {
  readonly #windows = new Set<number>();
  /** Keys were sent, and the window that received them is not known yet. */
  #sent = false;
  /** `performance.now()` of the last key. */
  #lastUse = 0;

  constructor(
    private readonly connection: X11Connection,
    private readonly ping: WindowPing,
    /** How long to wait for a program that does not support pings. */
    private readonly settleMs: number,
  ) {
    connection.onConfirm({
      isWaiting: () => this.#sent,
      learn: (focus) => {
        this.#sent = false;
        this.#windows.add(focus);
      },
    });
  }

  /** The time since the last key was sent or {@link touch} was called. */
  get idleMs(): number {
    return performance.now() - this.#lastUse;
  }

  touch(): void {
    this.#lastUse = performance.now();
  }

  noteSent(): void {
    this.#sent = true;
    this.touch();
  }

  /** Pings all programs once; those that have caught up are not asked again. */
  async ask(): Promise<Verdict> {
    if (this.#windows.size === 0 && !this.#sent) return "caught up";
    await this.connection.confirm(); // to learn which window got the last keys
    const asked = [...this.#windows];
    const verdicts = await Promise.all(asked.map((window) => this.#askOne(window)));
    if (verdicts.includes("unresponsive")) return "unresponsive";
    if (verdicts.length === 0 || verdicts.includes("unknown")) return "unknown";
    for (const window of asked) this.#windows.delete(window);
    return "caught up";
  }

  /**
   * Asks until no program is unresponsive or `patienceMs` have passed; waits `settleMs` for one that
   * cannot be asked.
   */
  async settle(patienceMs: number, signal?: AbortSignal): Promise<Verdict> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const verdict = await this.ask();
      signal?.throwIfAborted();
      const remainingMs = this.settleMs - this.idleMs;
      if (verdict === "unknown" && remainingMs > 0) await pause(remainingMs);
      if (verdict !== "unresponsive" || performance.now() >= deadline) return verdict;
    }
  }

  /** Call it when none of the keycodes that the windows received is remapped any more. */
  clear(): void {
    this.#windows.clear();
    this.#sent = false;
  }

  async #askOne(window: number): Promise<Verdict> {
    const verdict = await this.connection.unlessGone(this.#pingAround(window));
    return verdict ?? "caught up"; // a window that has closed has no key to look up
  }

  /** Asks the window, or its nearest ancestor, that declares support for pings. */
  async #pingAround(window: number): Promise<Verdict> {
    for await (const each of withAncestors(this.connection, window)) {
      if (!await this.ping.takesPart(each)) continue;
      return await this.ping.answers(each) ? "caught up" : "unresponsive";
    }
    return "unknown";
  }
}
