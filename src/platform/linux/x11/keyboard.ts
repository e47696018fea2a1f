/** The keyboard through XTEST: keys are addressed by symbol, on any active layout. */

import type { Buffer } from "node:buffer";
import { ServiceError } from "../../../core/errors.ts";
import { keysymName, keyTaken, PressCounts } from "../../keys.ts";
import type { Capability, HeldByOthers, Key, Keyboard, TextPlan } from "../../types/mod.ts";
import type { Xkb, XTest } from "./client.ts";
import {
  callPacket,
  listKeyboards,
  requestPacket,
  requireExtension,
  type X11Connection,
  type XInput,
} from "./connection.ts";
import { MOD, type Stroke } from "./keymap.ts";
import { hasCommandKey, isAscii, isCommandKey } from "../keys/keysyms.ts";
import { Layout, usStroke } from "./layout.ts";
import { ScratchKeycodes } from "./scratch_keycodes.ts";
import { X11TextPlan } from "./text_plan.ts";

interface KeyboardOptions {
  readonly connection: X11Connection;
  readonly xtest: XTest;
  readonly xkb: Xkb;
  readonly keymapSettleMs: number;
}

/** Names of the modifiers that a person can hold down. */
const MODIFIER_NAMES: Readonly<Record<string, string>> = {
  Shift: "shift",
  Control: "ctrl",
  Alt: "alt",
  Meta: "meta",
  Super: "super",
  Hyper: "hyper",
  ISO_Level3_Shift: "altgr",
};

export class X11Keyboard implements Keyboard {
  /** Keysym -> the keycodes that were pressed for it, in this order: its modifiers come first. */
  readonly #down = new Map<number, readonly number[]>();
  /** Of keycodes. */
  readonly #presses = new PressCounts();

  readonly heldByOthers: Capability<HeldByOthers> = {
    ready: true,
    use: {
      seen: () => this.#heldByOthers(this.layout.state.current.baseMods) !== 0,
      modifiers: () => this.#modifiersOfOthers(),
    },
  };

  /** Called after each key that is pressed by itself, while it is followed who gets it. */
  afterPress: (() => void) | undefined;

  private constructor(
    private readonly options: KeyboardOptions,
    private readonly layout: Layout,
    private readonly scratch: ScratchKeycodes,
  ) {}

  static async open(options: KeyboardOptions): Promise<X11Keyboard> {
    const layout = await Layout.open(options.connection, options.xkb);
    const scratch = await ScratchKeycodes.open({ ...options, layout });
    return new X11Keyboard(options, layout, scratch);
  }

  /** Whether a key that was pressed here has not been released. */
  get isPressed(): boolean {
    return this.#down.size > 0;
  }

  prepare(keys: readonly Key[]): void | Promise<void> {
    if (!this.layout.fresh) return this.layout.refresh().then(() => this.prepare(keys));
    let shortcut = hasCommandKey(this.#down);
    const [lacking, plain]: [number[], number[]] = [[], []];
    for (const { keysym } of keys) {
      if (!this.#layoutStroke(keysym, shortcut)) (shortcut ? plain : lacking).push(keysym);
      shortcut ||= isCommandKey(keysym);
    }
    if (lacking.length === 0 && plain.length === 0) return;
    const { scratch } = this;
    const hasAll = lacking.every((keysym) => scratch.keys.find(keysym)) &&
      plain.every((keysym) => scratch.keys.findPlain(keysym));
    if (hasAll) return scratch.writer.notifyFocused();
    return this.#acquire(lacking, plain);
  }

  press({ keysym, name }: Key): void {
    if (this.#down.has(keysym)) return;
    const stroke = this.#requireStroke(keysym);
    if (this.#presses.has(stroke.keycode) && !this.layout.keymap.realModifiers(stroke.keycode)) {
      throw keyTaken(name);
    }
    const missing = stroke.mods & ~this.#ownModifiers();
    const modifierKeycodes = missing ? this.layout.keymap.modifierKeycodes(missing) : [];
    // a modifier on a shared key (Shift and Alt make Meta) must not leave Shift down for the next
    // key
    const passing = this.layout.keymap.realModifiers(stroke.keycode) !== 0;
    const keycodes = [...modifierKeycodes, stroke.keycode];
    this.#down.set(keysym, passing ? [stroke.keycode] : keycodes);
    this.scratch.keys.pin(keysym);
    for (const keycode of keycodes) this.#press(keycode);
    if (passing) { for (const keycode of modifierKeycodes.toReversed()) this.#release(keycode); }
    this.afterPress?.();
  }

  release({ keysym }: Key): void {
    const down = this.#down.get(keysym);
    if (!down) return;
    this.#down.delete(keysym);
    for (const keycode of down.toReversed()) this.#release(keycode);
    this.scratch.keys.unpin(keysym);
    this.scratch.touch(keysym);
  }

  /** Plans a text; sends nothing that changes the server. */
  async plan(text: string): Promise<TextPlan> {
    const { connection } = this.options;
    await Promise.all([this.layout.state.refresh(), connection.confirm()]);
    await this.layout.refresh();
    return new X11TextPlan(text, {
      connection,
      layout: this.layout,
      scratch: this.scratch,
      strike: (keycode) => this.#strike(keycode),
      changeModifiers: (from, to) => this.#changeModifiers(from, to),
    });
  }

  /**
   * Releases every key that is down through XTEST, whichever client pressed it. One that a person
   * holds stays down, unless the server does not tell the two apart.
   */
  async releaseAll(): Promise<void> {
    for (const keysym of [...this.#down.keys()]) this.release({ name: "", keysym });
    const { connection } = this.options;
    const down = keysIn(await connection.request("QueryKeymap"));
    if (down.length === 0) return;
    for (const keycode of await injectedKeys(connection) ?? down) this.#send(keycode, false);
  }

  /** Releases every key and returns the scratch keycodes. */
  async close(): Promise<void> {
    await this.releaseAll();
    await this.scratch.close();
    await this.options.connection.confirm();
  }

  /** @throws ServiceError `unavailable` when the layout has changed since {@link prepare}. */
  #requireStroke(keysym: number): Stroke {
    const isShortcut = hasCommandKey(this.#down);
    const stroke = this.#layoutStroke(keysym, isShortcut) ??
      (isShortcut ? this.scratch.keys.findPlain(keysym) : this.scratch.keys.find(keysym));
    if (stroke) return stroke;
    throw new ServiceError("unavailable", "The keyboard layout changed in the meantime; try again");
  }

  /**
   * In a shortcut a Latin letter means the key that has it in another group, because programs look
   * there, too. If no group has it, it gets a scratch keycode, as in a text; if none is free, the key
   * of the US layout is used.
   */
  #layoutStroke(keysym: number, shortcut: boolean): Stroke | undefined {
    const { keymap } = this.layout;
    const stroke = keymap.find(keysym);
    if (stroke || !shortcut || !isAscii(keysym)) return stroke;
    return keymap.findInOtherGroups(keysym) ??
      (this.scratch.capacity === 0 ? usStroke(keysym) : undefined);
  }

  /** Those of a shortcut last: they take no level from the others, which are a modifier's at most. */
  async #acquire(lacking: readonly number[], plain: readonly number[]): Promise<void> {
    if (lacking.length > 0) await this.scratch.acquire(lacking);
    if (plain.length > 0) await this.scratch.acquire(plain, { needs: "plain" });
  }

  /** Presses a keycode for the first key that needs it ... */
  #press(keycode: number): void {
    if (this.#presses.press(keycode)) this.#send(keycode, true);
  }

  /** ... and releases it after the last. */
  #release(keycode: number): void {
    if (this.#presses.release(keycode)) this.#send(keycode, false);
  }

  #strike(keycode: number): void {
    this.#send(keycode, true);
    this.#send(keycode, false);
  }

  /** Releases and presses modifier keys to get from the mask `from` to the mask `to`. */
  #changeModifiers(from: number, to: number): void {
    const { keymap } = this.layout;
    for (const keycode of keymap.modifierKeycodes(from & ~to)) this.#send(keycode, false);
    for (const keycode of keymap.modifierKeycodes(to & ~from)) this.#send(keycode, true);
  }

  #send(keycode: number, down: boolean): void {
    const { xtest } = this.options;
    xtest.FakeInput(down ? xtest.KeyPress : xtest.KeyRelease, keycode, 0, 0, 0, 0);
  }

  #ownModifiers(): number {
    let mask = 0;
    for (const keycode of this.#presses.keys()) mask |= this.layout.keymap.realModifiers(keycode);
    return mask;
  }

  async #modifiersOfOthers(): Promise<string[]> {
    const { baseMods } = await this.layout.state.refresh();
    const others = this.#heldByOthers(baseMods);
    const bits = Array.from({ length: 8 }, (_, i) => 1 << i).filter((bit) => others & bit);
    return bits.map((bit) => this.#modifierName(bit));
  }

  #heldByOthers(baseMods: number): number {
    if (baseMods === 0) return 0;
    const harmless = MOD.lock | this.layout.keymap.numLockMask;
    return baseMods & ~this.#ownModifiers() & ~harmless;
  }

  #modifierName(bit: number): string {
    const name = keysymName(this.layout.keymap.modifierSymbol(bit) ?? 0) ?? `modifier ${bit}`;
    return MODIFIER_NAMES[name.replace(/_[LR]$/, "")] ?? name;
  }
}

// Which keys are down because programs press them through XTEST: the server gives them to a
// keyboard of their own (The X Input Extension, version 1, ListInputDevices and QueryDeviceState;
// `XIproto.h`). What a person holds on a real keyboard is not among them.

const QUERY_DEVICE_STATE = 30;
/** The classes of a device, from byte 8 of the reply on; the bits of the keys within theirs. */
const FIRST_CLASS = 24;
const KEYS = { start: 4, end: 36 };

/** The keycodes; `undefined` where the server does not tell. */
async function injectedKeys(
  connection: X11Connection,
): Promise<readonly number[] | undefined> {
  const xinput = await requireExtension<XInput>(connection, "xinput");
  if (xinput === undefined) return undefined;
  const keyboards = await listKeyboards(connection, xinput);
  const keyboard = keyboards.find(({ name }) => name.includes("XTEST"));
  if (keyboard === undefined) return undefined;
  const packet = requestPacket(xinput, QUERY_DEVICE_STATE, 8);
  packet[4] = keyboard.id;
  const find = (body: Buffer) => findKeys(body, xinput.InputClass.Key);
  const bits = await callPacket(connection, packet, find);
  return bits === undefined ? undefined : keysIn(bits);
}

function findKeys(body: Buffer, keyClass: number): Uint8Array | undefined {
  let at = FIRST_CLASS;
  for (let left = body[0]!; left > 0 && at < body.length; left--, at += body[at + 1]!) {
    if (body[at] === keyClass) return body.subarray(at + KEYS.start, at + KEYS.end);
  }
  return undefined;
}

/** The keycodes in a map of bits, the first of which is keycode 0. */
function keysIn(bits: Uint8Array): readonly number[] {
  return Array.from({ length: 8 * bits.length }, (_, keycode) => keycode)
    .filter((keycode) => bits[keycode >> 3]! & 1 << (keycode & 7));
}
