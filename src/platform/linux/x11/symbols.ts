/** How every symbol can be pressed now: by the layout, or by a spare keycode that is mapped for it. */

import { ServiceError } from "../../../errors.ts";
import type { Xkb } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import type { KeyboardState, KeycodeRange } from "./keyboard_state.ts";
import { KeycodeRecord } from "./keycode_record.ts";
import { Keymap, MOD, type Stroke } from "./keymap.ts";
import { FocusedProgram } from "./settle.ts";
import { type Remap, SpareKeys } from "./spare_keys.ts";
import { getXkbMap, type XkbMap } from "./xkb_map.ts";

/** Spare keycodes are given back after this long without use. */
const CLEAR_AFTER_MS = 2_000;

export interface SymbolsOptions {
  readonly connection: X11Connection;
  readonly xkb: Xkb;
  readonly keymapSettleMs: number;
}

export class Symbols {
  #map!: XkbMap;
  #keymap!: Keymap;
  #stale = true;
  #state!: KeyboardState;
  /** Group and locked modifiers for which `#keymap` was made. */
  #madeFor = { group: -1, locked: -1 };
  readonly #spare = new SpareKeys();
  /** Keycodes that this connection has written: the server tells of our own changes too, and they are not the layout's. */
  readonly #written = new Set<number>();
  /** Changes of the map go out one after the other. */
  #writing: Promise<void> = Promise.resolve();
  /** Changes that the server has not confirmed yet. */
  #unconfirmed = 0;
  #users = 0;
  #lastUse = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private readonly options: SymbolsOptions,
    private readonly record: KeycodeRecord,
    private readonly program: FocusedProgram,
  ) {}

  static async open(options: SymbolsOptions): Promise<Symbols> {
    const record = await KeycodeRecord.open(options.connection);
    return new Symbols(options, record, await FocusedProgram.open(options.connection));
  }

  /** Loads the map and gives back what a crashed run has left mapped. */
  async start(state: KeyboardState): Promise<void> {
    this.#state = state;
    await this.#load();
    if (await this.record.reclaim((keycode) => this.#keymap.symbolsOf(keycode))) await this.#load();
  }

  /** Called for each change of the server's map. */
  mapChanged(range: KeycodeRange | "all"): void {
    if (range === "all" || !this.#isOurs(range)) this.#stale = true;
  }

  get keymap(): Keymap {
    return this.#keymap;
  }

  /** Whether what is known of the keyboard is still true, as far as the server has told. */
  get fresh(): boolean {
    return !this.#stale && this.#state.current.group === this.#madeFor.group &&
      this.#lockedLevels() === this.#madeFor.locked;
  }

  /** How many symbols that are not on the layout can be mapped at once. */
  get capacity(): number {
    return this.#spare.capacity;
  }

  onLayout(keysym: number): boolean {
    return this.#keymap.find(keysym) !== undefined;
  }

  /** @throws ServiceError `unavailable` when the keyboard's map changed since {@link ready}. */
  strokeOf(keysym: number): Stroke {
    const stroke = this.#keymap.find(keysym) ?? this.#spare.find(keysym);
    if (stroke) return stroke;
    throw new ServiceError("unavailable", "The keyboard layout changed meanwhile; try again");
  }

  /** Makes sure that all of these can be pressed; returns nothing when there was nothing to do. */
  ready(keysyms: readonly number[]): void | Promise<void> {
    if (!this.fresh) return this.refresh().then(() => this.ready(keysyms));
    const foreign = keysyms.filter((keysym) => !this.onLayout(keysym));
    if (foreign.every((keysym) => this.#spare.find(keysym))) return;
    return this.#mapForeign(foreign);
  }

  async refresh(): Promise<void> {
    if (this.#stale) await this.#load();
    if (!this.fresh) this.#makeKeymap();
  }

  /** Keeps mapped symbols until {@link endUse}. */
  beginUse(): void {
    this.#users++;
  }

  endUse(): void {
    this.#users--;
    this.#lastUse = performance.now();
  }

  touch(keysym: number): void {
    this.#spare.touch(keysym);
    this.#lastUse = performance.now();
  }

  pin(keysym: number): void {
    this.#spare.pin(keysym);
  }

  unpin(keysym: number): void {
    this.#spare.unpin(keysym);
    this.#lastUse = performance.now();
  }

  /** Gives all spare keycodes back, when the focused program has caught up. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#spare.mapped.size === 0) return;
    await this.program.caughtUp(this.#lastUse, this.options.keymapSettleMs);
    await this.#clear();
  }

  async #load(): Promise<void> {
    await this.#writing; // so that what is read is what we think we have written
    this.#stale = false; // before the request: a change after it must not be missed
    this.#map = await getXkbMap(this.options.connection, this.options.xkb);
    this.#makeKeymap();
    const mapped = [...this.#spare.mapped];
    const intact = mapped.filter((keycode) => this.#isIntact(keycode));
    if (intact.length === mapped.length && mapped.length > 0) return;
    // somebody else has changed the map: start again, with what is left of ours given back
    for (const keycode of this.#written.difference(new Set(intact))) this.#written.delete(keycode);
    this.#makeKeymap();
    this.#spare.reset([...this.#keymap.spareKeycodes(), ...intact].sort((a, b) => a - b));
    await this.#write(intact.map((keycode) => ({ first: keycode, keysyms: [0, 0] })));
  }

  #makeKeymap(): void {
    const { group } = this.#state.current;
    const locked = this.#lockedLevels();
    this.#keymap = new Keymap(this.#map, { group, locked, spare: this.#written });
    this.#madeFor = { group, locked };
  }

  /** Locked modifiers that count as held; Caps Lock does not: a key is the key, and texts are typed with it off. */
  #lockedLevels(): number {
    return this.#state.current.lockedMods & ~MOD.lock;
  }

  /** Our own changes are told before they are confirmed; whatever comes later is somebody else's. */
  #isOurs({ first, count }: KeycodeRange): boolean {
    if (this.#unconfirmed === 0) return false;
    for (let keycode = first; keycode < first + count; keycode++) {
      if (!this.#written.has(keycode)) return false;
    }
    return true;
  }

  #isIntact(keycode: number): boolean {
    const [plain, shifted] = this.#spare.symbolsOf(keycode);
    const [foundPlain, foundShifted = foundPlain] = this.#keymap.symbolsOf(keycode);
    return foundPlain === plain && foundShifted === shifted;
  }

  async #mapForeign(foreign: readonly number[]): Promise<void> {
    const { chosen, lastUsed } = this.#spare.choose(foreign);
    const missing = foreign.filter((keysym) => !this.#spare.find(keysym)).length;
    if (chosen.length < missing) {
      throw new ServiceError(
        "unsupported",
        `The keyboard layout lacks ${missing} of these symbols and has only ${chosen.length} spare keycodes for them`,
      );
    }
    await this.program.caughtUp(lastUsed, this.options.keymapSettleMs);
    const remaps = this.#spare.assign(foreign, chosen);
    await this.#write(remaps);
    this.#lastUse = performance.now();
    this.#timer ??= this.#startTimer(CLEAR_AFTER_MS);
  }

  #write(remaps: readonly Remap[]): Promise<void> {
    const write = this.#writing.then(() => this.#writeNow(remaps));
    this.#writing = write.catch(() => {}); // told to whoever asked for it
    return write;
  }

  async #writeNow(remaps: readonly Remap[]): Promise<void> {
    if (remaps.length === 0) return;
    const { client } = this.options.connection;
    const mapped = [...this.#spare.mapped];
    await this.record.write(
      mapped.map((keycode) => ({ first: keycode, keysyms: this.#spare.symbolsOf(keycode) })),
    );
    for (const { first, keysyms } of remaps) {
      for (let i = 0; i < keysyms.length / 2; i++) this.#written.add(first + i);
      client.ChangeKeyboardMapping(first, 2, keysyms);
    }
    this.#unconfirmed++;
    this.options.connection.confirm().catch(() => {}).finally(() => this.#unconfirmed--);
  }

  async #clear(): Promise<void> {
    const cleared = this.#spare.clear();
    await this.#write(cleared);
    await this.options.connection.confirm();
    this.#forget(cleared);
    if (this.#spare.mapped.size > 0) this.#timer ??= this.#startTimer(CLEAR_AFTER_MS); // keys are held
  }

  /** What was given back is the layout's again, whoever maps it next. */
  #forget(cleared: readonly Remap[]): void {
    const mapped = this.#spare.mapped;
    for (const { first, keysyms } of cleared) {
      for (let keycode = first; keycode < first + keysyms.length / 2; keycode++) {
        if (!mapped.has(keycode)) this.#written.delete(keycode);
      }
    }
  }

  #startTimer(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.#timer = undefined;
      if (!this.options.connection.connected) return;
      const rest = this.#users > 0
        ? CLEAR_AFTER_MS
        : this.#lastUse + CLEAR_AFTER_MS - performance.now();
      if (rest > 0) this.#timer = this.#startTimer(rest);
      else this.#clear().catch(() => {}); // the server went away, and the map with it
    }, ms);
  }
}
