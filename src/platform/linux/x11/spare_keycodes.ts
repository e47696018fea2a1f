/**
 * Lends spare keycodes to characters that the layout lacks, as one transaction: acquired, pressed, and given
 * back when the programs that got them have looked them up.
 */

import { Semaphore } from "../../../core/semaphore.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Xkb } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { KeycodeRecord } from "./keycode_record.ts";
import type { Stroke } from "./keymap.ts";
import type { Layout } from "./layout.ts";
import { MapWriter } from "./map_writer.ts";
import { Readers } from "./readers.ts";
import { Programs, type Verdict } from "./settle.ts";
import { type Remap, SpareKeys } from "./spare_keys.ts";
import type { KeyRow } from "./xkb_map.ts";

/** Keycodes are given back this long after the last use: sooner or later, by what the programs say. */
const RELEASE_MS: Readonly<Record<Verdict, number>> = {
  "caught up": 2_000,
  "unknown": 5_000,
  "silent": 60_000,
};
const RELEASE_AFTER_MS = RELEASE_MS["caught up"];
const ASK_AGAIN_MS = 500;
/** How long a text waits for a program before a keycode stands for another character, and how long the end of the service. */
const PATIENCE_MS = 10_000;
const PATIENCE_AT_END_MS = 2_000;
const MAX_ATTEMPTS = 4;
/** The canonical key type with a plain and a Shift level. */
const TWO_LEVEL = 1;
const UNMAPPED = { typeIndexes: [0, 0, 0, 0], groupInfo: 0, width: 0, keysyms: [] } as const;

export interface SpareKeycodesOptions {
  readonly connection: X11Connection;
  readonly xkb: Xkb;
  readonly layout: Layout;
  readonly keymapSettleMs: number;
}

export class SpareKeycodes {
  readonly #places = new SpareKeys();
  /** What the lent keycodes had before. */
  readonly #originals = new Map<number, KeyRow>();
  #users = 0;
  /** Changes of the map go out one after the other. */
  readonly #order = new Semaphore({ places: 1 });
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private readonly options: SpareKeycodesOptions,
    private readonly record: KeycodeRecord,
    private readonly readers: Readers,
    private readonly writer: MapWriter,
  ) {}

  /** Gives back what a crashed run has left. */
  static async open(options: SpareKeycodesOptions): Promise<SpareKeycodes> {
    const { connection, xkb, layout } = options;
    const record = await KeycodeRecord.open(connection);
    const writer = await MapWriter.open(connection, xkb, layout);
    const programs = await Programs.open(connection);
    const readers = new Readers(connection, programs, options.keymapSettleMs);
    const spare = new SpareKeycodes(options, record, readers, writer);
    await spare.#giveBackLeft(await record.takeOver());
    spare.#followLayout();
    return spare;
  }

  /** How many characters can be lent a keycode at once. */
  get capacity(): number {
    this.#followLayout();
    return this.#places.capacity;
  }

  find(keysym: number): Stroke | undefined {
    return this.#places.find(keysym);
  }

  /**
   * Makes sure that all of these that the layout lacks can be pressed.
   * @throws ServiceError `unsupported`: too many at once; `unavailable`: a program has not looked up what was sent before; `conflict`: the layout keeps changing.
   */
  async acquire(keysyms: readonly number[], signal?: AbortSignal): Promise<void> {
    await this.#order.run(() => this.#acquire(keysyms, signal));
  }

  /** Acquired earlier; the program that has the focus now may not have read the map since. */
  notifyFocused(): void {
    this.writer.notifyFocused();
  }

  /** Notes that a character was pressed: it stays until the program has looked it up. */
  touch(keysym: number): void {
    if (!this.#places.find(keysym)) return;
    this.#places.touch(keysym);
    this.readers.noteSent();
  }

  /** A key that is held keeps its character. */
  pin(keysym: number): void {
    this.#places.pin(keysym);
  }

  unpin(keysym: number): void {
    this.#places.unpin(keysym);
  }

  /** Keeps everything until {@link endUse}. */
  beginUse(): void {
    this.#users++;
  }

  endUse(): void {
    this.#users--;
    this.readers.touch();
  }

  /** Gives everything back, when the programs have caught up or {@link PATIENCE_AT_END_MS} are over. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#order.idle();
    if (this.#places.mapped.size === 0) return;
    await this.readers.settle(PATIENCE_AT_END_MS);
    await this.#release();
  }

  async #acquire(keysyms: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    const { layout } = this.options;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await layout.refresh();
      this.#followLayout();
      const lacking = keysyms.filter((keysym) => !layout.keymap.find(keysym));
      const { chosen, lastUsed } = this.#choose(lacking);
      if (lastUsed > 0 && await this.readers.settle(PATIENCE_MS, signal) === "silent") {
        throw new ServiceError(
          "unavailable",
          "The program does not take the keys it was sent: it has not answered for ten seconds",
        );
      }
      if (!layout.fresh) continue;
      if (lacking.length === 0) return;
      const remaps = this.#places.assign(lacking, chosen);
      if (await this.#lend(remaps)) return this.notifyFocused();
    }
    throw new ServiceError("conflict", "The keyboard layout keeps changing; try again");
  }

  #choose(keysyms: readonly number[]): ReturnType<SpareKeys["choose"]> {
    const choice = this.#places.choose(keysyms);
    const missing = keysyms.filter((keysym) => !this.#places.find(keysym)).length;
    if (choice.chosen.length >= missing) return choice;
    throw new ServiceError(
      "unsupported",
      `The keyboard layout lacks ${missing} of these symbols and has only ${choice.chosen.length} spare keycodes for them`,
    );
  }

  async #lend(remaps: readonly Remap[]): Promise<boolean> {
    if (remaps.length === 0) return true;
    const { layout } = this.options;
    for (const { keycode } of remaps) {
      if (!layout.lent.has(keycode)) this.#originals.set(keycode, layout.rowOf(keycode)!);
    }
    this.#writeRecord();
    this.readers.touch();
    this.#timer ??= this.#startTimer(RELEASE_AFTER_MS);
    if (await this.writer.write(remaps.map(keyRow), { lent: true })) return true;
    this.#places.forget(new Set(remaps.map(({ keycode }) => keycode)));
    return false;
  }

  /** Gives back all that is not held. */
  async #release(): Promise<void> {
    this.#places.clear();
    this.readers.clear();
    await this.#write(() => {
      this.#followLayout();
      const released = [...this.options.layout.lent.difference(this.#places.mapped)];
      return released.map((keycode) => this.#originals.get(keycode) ?? { ...UNMAPPED, keycode });
    });
    this.#writeRecord();
    await this.options.connection.confirm();
    if (this.#places.mapped.size > 0) this.#timer ??= this.#startTimer(RELEASE_AFTER_MS); // keys are held
  }

  /** Keycodes that another program has taken are its own now. */
  #followLayout(): void {
    const { lent, free } = this.options.layout;
    this.#places.use(new Set([...free, ...lent]));
    this.#places.forget(this.#places.mapped.difference(lent));
  }

  /** Makes rows the layout's again. */
  async #write(rowsNow: () => readonly KeyRow[]): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await this.options.layout.refresh();
      const rows = rowsNow().toSorted((a, b) => a.keycode - b.keycode);
      if (await this.writer.write(rows, { lent: false })) return;
    }
  }

  #writeRecord(): void {
    this.record.write(
      [...this.#places.mapped].map((keycode) => ({
        keycode,
        symbols: this.#places.symbolsOf(keycode),
      })),
    );
  }

  async #giveBackLeft(left: readonly Remap[]): Promise<void> {
    const { layout } = this.options;
    await this.#write(() =>
      left.filter((remap) => sameSymbols(layout.rowOf(remap.keycode), remap))
        .map(({ keycode }) => ({ ...UNMAPPED, keycode }))
    );
  }

  #startTimer(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.#timer = undefined;
      if (!this.options.connection.connected) return;
      const rest = this.#users > 0 ? RELEASE_AFTER_MS : RELEASE_AFTER_MS - this.readers.idleMs;
      if (rest > 0) this.#timer = this.#startTimer(rest);
      else this.#order.run(() => this.#releaseInTime()).catch(() => {}); // the server went away, and the map with it
    }, ms);
  }

  async #releaseInTime(): Promise<void> {
    const verdict = await this.readers.ask();
    if (this.#users === 0 && this.readers.idleMs >= RELEASE_MS[verdict]) {
      return await this.#release();
    }
    this.#timer ??= this.#startTimer(ASK_AGAIN_MS);
  }
}

function keyRow({ keycode, symbols }: Remap): KeyRow {
  return { keycode, typeIndexes: [TWO_LEVEL, 0, 0, 0], groupInfo: 1, width: 2, keysyms: symbols };
}

function sameSymbols(row: KeyRow | undefined, { symbols }: Remap): boolean {
  return row?.keysyms[0] === symbols[0] && row.keysyms[1] === symbols[1];
}
