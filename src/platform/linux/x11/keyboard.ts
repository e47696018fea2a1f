/** The keyboard, through XTEST: keys by symbol on whatever layout is active. */

import { ServiceError } from "../../../errors.ts";
import { keysymName } from "../../keys.ts";
import type { Key, Keyboard, TextPlan } from "../../types.ts";
import type { Xkb, XTest } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { KeyboardState } from "./keyboard_state.ts";
import { MOD } from "./keymap.ts";
import { Symbols } from "./symbols.ts";
import { X11TextPlan } from "./text_plan.ts";

export interface KeyboardOptions {
  readonly connection: X11Connection;
  readonly xtest: XTest;
  readonly xkb: Xkb;
  readonly keymapSettleMs: number;
}

/** Words for the modifiers that a person may hold down. */
const MODIFIER_NAMES: Readonly<Record<string, string>> = {
  Shift: "shift",
  Control: "ctrl",
  Alt: "alt",
  Meta: "meta",
  Super: "super",
  Hyper: "hyper",
  ISO_Level3_Shift: "altgr",
};

/** A key that is down, with the modifier keys that were pressed for it. */
interface Down {
  readonly keycode: number;
  readonly modifierKeycodes: readonly number[];
}

export class X11Keyboard implements Keyboard {
  /** Keysym -> what was pressed for it. */
  readonly #down = new Map<number, Down>();
  /** Keycode -> how many keys need it down. */
  readonly #presses = new Map<number, number>();

  private constructor(
    private readonly options: KeyboardOptions,
    private readonly symbols: Symbols,
    private readonly state: KeyboardState,
  ) {}

  static async open(options: KeyboardOptions): Promise<X11Keyboard> {
    const symbols = await Symbols.open(options);
    const state = await KeyboardState.open(
      options.connection,
      options.xkb,
      (range) => symbols.mapChanged(range),
    );
    await symbols.start(state);
    return new X11Keyboard(options, symbols, state);
  }

  prepare(keys: readonly Key[]): void | Promise<void> {
    return this.symbols.ready(keys.map((key) => key.keysym));
  }

  press({ keysym, name }: Key): void {
    if (this.#down.has(keysym)) return;
    const stroke = this.symbols.strokeOf(keysym);
    if (this.#presses.has(stroke.keycode) && !this.symbols.keymap.modifiersOf(stroke.keycode)) {
      throw new ServiceError(
        "conflict",
        `Cannot press "${name}": its key is held down for another symbol`,
      );
    }
    const missing = stroke.mods & ~this.#ownModifiers();
    const modifierKeycodes = missing ? this.symbols.keymap.modifierKeycodes(missing) : [];
    // a modifier that shares its key (Shift and Alt are Meta) must not leave Shift down for the next key
    const passing = this.symbols.keymap.modifiersOf(stroke.keycode) !== 0;
    this.#down.set(keysym, {
      keycode: stroke.keycode,
      modifierKeycodes: passing ? [] : modifierKeycodes,
    });
    this.symbols.pin(keysym);
    for (const keycode of [...modifierKeycodes, stroke.keycode]) this.#press(keycode);
    if (passing) { for (const keycode of modifierKeycodes.toReversed()) this.#release(keycode); }
  }

  release({ keysym }: Key): void {
    const down = this.#down.get(keysym);
    if (!down) return;
    this.#down.delete(keysym);
    this.#release(down.keycode);
    for (const keycode of down.modifierKeycodes.toReversed()) this.#release(keycode);
    this.symbols.unpin(keysym);
    this.symbols.touch(keysym);
  }

  mayHaveForeignModifiers(): boolean {
    return this.#foreign(this.state.current.baseMods) !== 0;
  }

  async foreignModifiers(): Promise<string[]> {
    const { baseMods } = await this.state.refresh();
    const foreign = this.#foreign(baseMods);
    const bits = Array.from({ length: 8 }, (_, i) => 1 << i).filter((bit) => foreign & bit);
    return bits.map((bit) => this.#nameOf(bit));
  }

  async plan(text: string): Promise<TextPlan> {
    await this.state.refresh();
    await this.symbols.refresh();
    return await X11TextPlan.make(text, {
      symbols: this.symbols,
      state: this.state,
      strike: (keycode) => this.#strike(keycode),
      changeModifiers: (from, to) => this.#changeModifiers(from, to),
    });
  }

  /** Releases what the server says is down, whoever pressed it through XTEST. */
  async releaseAll(): Promise<void> {
    const { connection } = this.options;
    for (const keysym of [...this.#down.keys()]) this.release({ name: "", keysym });
    const bits = await connection.call<Uint8Array>((done) => connection.client.QueryKeymap(done));
    bits.forEach((byte, index) => {
      for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) this.#send(index * 8 + bit, false);
    });
  }

  /** Releases every key and gives the spare keycodes back. */
  async close(): Promise<void> {
    await this.releaseAll();
    await this.symbols.close();
    await this.options.connection.confirm();
  }

  /** A keycode goes down with the first key that needs it ... */
  #press(keycode: number): void {
    const presses = this.#presses.get(keycode) ?? 0;
    if (presses === 0) this.#send(keycode, true);
    this.#presses.set(keycode, presses + 1);
  }

  /** ... and up with the last. */
  #release(keycode: number): void {
    const presses = this.#presses.get(keycode) ?? 0;
    if (presses > 1) this.#presses.set(keycode, presses - 1);
    else {
      this.#presses.delete(keycode);
      this.#send(keycode, false);
    }
  }

  #strike(keycode: number): void {
    this.#send(keycode, true);
    this.#send(keycode, false);
  }

  /** Releases and presses modifier keys, so that `to` is down where `from` was. */
  #changeModifiers(from: number, to: number): void {
    const { keymap } = this.symbols;
    for (const keycode of keymap.modifierKeycodes(from & ~to)) this.#send(keycode, false);
    for (const keycode of keymap.modifierKeycodes(to & ~from)) this.#send(keycode, true);
  }

  #send(keycode: number, down: boolean): void {
    const { xtest } = this.options;
    xtest.FakeInput(down ? xtest.KeyPress : xtest.KeyRelease, keycode, 0, 0, 0, 0);
  }

  #ownModifiers(): number {
    let mask = 0;
    for (const keycode of this.#presses.keys()) mask |= this.symbols.keymap.modifiersOf(keycode);
    return mask;
  }

  #foreign(baseMods: number): number {
    if (baseMods === 0) return 0;
    const harmless = MOD.lock | this.symbols.keymap.numLockMask;
    return baseMods & ~this.#ownModifiers() & ~harmless;
  }

  #nameOf(bit: number): string {
    const name = keysymName(this.symbols.keymap.symbolOfModifier(bit) ?? 0) ?? `modifier ${bit}`;
    return MODIFIER_NAMES[name.replace(/_[LR]$/, "")] ?? name;
  }
}
