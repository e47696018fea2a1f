/**
 * The keyboard of compositors with zwp_virtual_keyboard_v1: a keyboard of our own, with the user's
 * layout and whatever characters that lacks.
 */

import { pause } from "../../../../core/deadline.ts";
import { ServiceError, tryTo } from "../../../../core/errors.ts";
import { missing } from "../../../capability.ts";
import { keyTaken } from "../../../keys.ts";
import type { Key, Keyboard, TextPlan } from "../../../types/mod.ts";
import { hasCommandKey, isCommandKey, toKeysyms } from "../../keys/keysyms.ts";
import type { WaylandClient } from "../client.ts";
import { EventClock, type Seat } from "../seat.ts";
import { type Keymap, type KeyStroke, openKeymap } from "../keymap/keymap.ts";
import { ScratchKeys } from "../keymap/scratch_keys.ts";
import { isBeyond16Bits, TextCommitter, VirtualKeyboard } from "./virtual_keyboard.ts";
import { awaitListeners, TypingPace, UnreadBytesReader } from "../unread_bytes.ts";

const LATIN_A = 0x61;

interface KeyboardOptions {
  readonly client: WaylandClient;
  readonly seat: Seat;
  readonly clock: EventClock;
  /** How long a scratch key keeps its character after it was used: X programs read keymaps late. */
  readonly keymapSettleMs: number;
}

/** A key that is down, with the modifier keys pressed for it. */
interface Down {
  readonly stroke: KeyStroke;
  readonly modifierKeycodes: readonly number[];
}

export class WlrootsKeyboard implements Keyboard {
  /** Keysym -> what was pressed for it. */
  readonly #down = new Map<number, Down>();
  /** Resolves when programs listen. */
  #warmUp: Promise<void> | undefined;
  /** The seat's layout for which `scratch` was made. */
  #layout: string | undefined;
  /** `performance.now()` of the last key from a scratch keycode. */
  #lastScratchUse = -Infinity;
  #isTyping = false;
  /** See {@link Seat.announcements}; when the keymap was sent last. */
  #announcements = 0;
  readonly #unread: UnreadBytesReader;

  readonly heldByOthers = missing(
    "Wayland reports only to the focused program which modifiers are held down; " +
      "those of other keyboards do not change what this service types",
  );

  private constructor(
    private readonly options: KeyboardOptions,
    private readonly device: VirtualKeyboard,
    private scratch: ScratchKeys,
  ) {
    this.#unread = new UnreadBytesReader(options.client.path);
  }

  /**
   * @throws ServiceError `unsupported`: the compositor has no virtual keyboards, or libxkbcommon is
   *   missing
   */
  static async open(options: KeyboardOptions): Promise<WlrootsKeyboard> {
    const { client, seat, clock } = options;
    const manager = client.bind("zwp_virtual_keyboard_manager_v1", 1);
    const isFirst = !seat.hasKeyboard;
    const object = manager.send("create_virtual_keyboard", seat.object);
    await seat.settleLayout();
    const scratch = new ScratchKeys(openLayout(seat.layout));
    const device = new VirtualKeyboard(object, clock, scratch.base);
    const keyboard = new WlrootsKeyboard(options, device, scratch);
    keyboard.#layout = seat.layout;
    keyboard.#load();
    await client.roundtrip();
    if (isFirst) {
      keyboard.#warmUp = awaitListeners(client.path).then(() => keyboard.#warmUp = undefined);
    }
    return keyboard;
  }

  prepare(keys: readonly Key[]): void | Promise<void> {
    if (this.#warmUp !== undefined) return this.#warmUp.then(() => this.prepare(keys));
    this.#followLayout();
    let isShortcut = hasCommandKey(this.#down);
    const [lacking, plain]: [number[], Set<number>] = [[], new Set()];
    for (const { keysym } of keys) {
      if (!this.#find(keysym, isShortcut)) {
        lacking.push(keysym);
        if (isShortcut) plain.add(keysym);
      }
      isShortcut ||= isCommandKey(keysym);
    }
    if (lacking.length > 0) return this.#remap(lacking, { plain });
  }

  press({ keysym, name }: Key): void {
    if (this.#down.has(keysym)) return;
    const stroke = this.#find(keysym, hasCommandKey(this.#down));
    if (stroke === undefined) {
      throw new ServiceError(
        "unavailable",
        "The keyboard layout changed in the meantime; try again",
      );
    }
    const { device, scratch: { base } } = this;
    const isModifier = base.modifiersOf(stroke.keycode).held !== 0;
    if (device.isDown(stroke.keycode) && !isModifier) throw keyTaken(name);
    const modifierKeycodes = base.keysFor(stroke.modifiers & ~device.held);
    for (const keycode of modifierKeycodes) device.press(keycode);
    this.#down.set(keysym, { stroke, modifierKeycodes: isModifier ? [] : modifierKeycodes });
    this.#setLayoutOfKeys(stroke);
    device.press(stroke.keycode);
    // a modifier on a shared key (Shift and Alt make Meta) must not leave Shift down for the next
    if (isModifier) { for (const keycode of modifierKeycodes) device.release(keycode); }
    this.#noteUse(stroke);
  }

  release({ keysym }: Key): void {
    const down = this.#down.get(keysym);
    if (down === undefined) return;
    this.#down.delete(keysym);
    this.device.release(down.stroke.keycode);
    for (const keycode of down.modifierKeycodes.toReversed()) this.device.release(keycode);
    this.#setLayoutOfKeys([...this.#down.values()].at(-1)?.stroke, down.stroke.locked);
    this.#noteUse(down.stroke);
  }

  async plan(text: string): Promise<TextPlan> {
    const keysyms = toKeysyms(text);
    await this.#warmUp;
    this.#followLayout();
    return new WlrootsTextPlan(keysyms, {
      device: this.device,
      pace: new TypingPace(this.#unread, { confirm: () => this.options.client.roundtrip() }),
      begin: () => this.#isTyping = true,
      end: () => this.#isTyping = false,
      scratch: () => this.scratch,
      capacity: this.scratch.capacity - this.#down.size,
      keepKeymap: () => this.#keepKeymap(),
      remap: (lacking, signal) => this.#remap(lacking, { signal }),
      noteUse: (stroke) => this.#noteUse(stroke),
      openCommitter: () => TextCommitter.open(this.options.client, this.options.seat),
    });
  }

  /** Releases every key of this keyboard; those of others cannot be released. */
  releaseAll(): void {
    for (const keysym of [...this.#down.keys()]) this.release({ name: "", keysym });
    this.device.releaseAll();
    this.device.setLocks({ group: 0 });
  }

  /** Releases every key, and takes the keyboard away. */
  close(): void {
    this.releaseAll();
    this.device.destroy();
  }

  /** Follows the user to another layout, while nothing depends on the old one. */
  #followLayout(): void {
    const { seat } = this.options;
    const mayChange = this.#down.size === 0 && !this.#isTyping;
    if (mayChange && seat.layout !== this.#layout) {
      this.#layout = seat.layout;
      this.scratch = new ScratchKeys(openLayout(seat.layout));
      this.#load();
    } else this.#keepKeymap();
  }

  /** Sends the keymap again if the compositor may have given the keyboard another one. */
  #keepKeymap(): void {
    if (this.options.seat.announcements !== this.#announcements) this.#load();
  }

  #find(keysym: number, isShortcut: boolean): KeyStroke | undefined {
    return isShortcut ? this.scratch.findPlain(keysym) : this.scratch.find(keysym);
  }

  async #remap(
    keysyms: readonly number[],
    { signal, plain }: {
      readonly signal?: AbortSignal | undefined;
      readonly plain?: ReadonlySet<number>;
    },
  ): Promise<void> {
    try {
      const hasEvicted = this.scratch.remap(keysyms, new Set(this.#down.keys()), plain);
      const settled = this.#lastScratchUse + this.options.keymapSettleMs - performance.now();
      if (hasEvicted && settled > 0) await pause(settled, signal);
      this.#load();
    } catch (error) {
      this.scratch = new ScratchKeys(this.scratch.base); // the compositor did not get the others
      throw error;
    }
  }

  /** @throws ServiceError `unavailable`: no descriptor is left to send the keymap with */
  #load(): void {
    this.#announcements = this.options.seat.announcements;
    try {
      this.device.load(this.scratch.keymap, this.scratch.base);
    } catch (cause) {
      throw new ServiceError("unavailable", `Cannot type: ${(cause as Error).message}`, { cause });
    }
  }

  /** Chooses the layout in which a key has its symbol, and its lock. */
  #setLayoutOfKeys(stroke: KeyStroke | undefined, unlocked = 0): void {
    const { locked } = this.device.locks;
    const wanted = stroke?.locked ?? 0;
    this.device.setLocks({ group: stroke?.group ?? 0, locked: locked & ~unlocked | wanted });
  }

  #noteUse({ keycode }: KeyStroke): void {
    if (this.scratch.isScratch(keycode)) this.#lastScratchUse = performance.now();
  }
}

/**
 * The layout to type on: the user's, if it has Latin letters, which shortcuts need; else the US
 * layout, and the user's characters on scratch keys.
 */
function openLayout(text: string | undefined): Keymap {
  const keymap = openAny(text);
  if (keymap.keyFor(LATIN_A) !== undefined) return keymap;
  return openKeymap({ layouts: "us" });
}

/** @throws ServiceError `unsupported` */
function openAny(text: string | undefined): Keymap {
  // an odd keymap of the compositor's must not take the keyboard away
  const own = text === undefined ? undefined : tryTo(() => openKeymap(text));
  try {
    return own ?? openKeymap();
  } catch (error) {
    throw new ServiceError("unsupported", `Cannot type: ${(error as Error).message}`);
  }
}

// A text as strokes on a virtual keyboard, whose keymap is changed when it lacks a character.

/** The most strokes to send before the service checks that its client is still connected. */
const SLICE = 50;

interface TextPlanOptions {
  readonly device: VirtualKeyboard;
  readonly pace: TypingPace;
  /** Called before the first stroke, and after the last. */
  begin(): void;
  end(): void;
  /** The keys of now: they can be others after {@link TextPlanOptions.remap}. */
  scratch(): ScratchKeys;
  /** The most symbols that can have scratch keys together. */
  readonly capacity: number;
  /** Called between bursts: another program may have changed the keymap. */
  keepKeymap(): void;
  remap(keysyms: readonly number[], signal?: AbortSignal): Promise<void>;
  noteUse(stroke: KeyStroke): void;
  /** For characters that not every program takes from keys; `undefined` where there is none. */
  openCommitter(): Promise<TextCommitter | undefined>;
}

class WlrootsTextPlan implements TextPlan {
  readonly sliceSize = SLICE;
  #begun = false;
  /** Modifiers that were locked (Caps Lock), and are locked again at the end. */
  #locked = 0;
  #committer: TextCommitter | undefined;

  constructor(
    private readonly keysyms: readonly number[],
    private readonly options: TextPlanOptions,
  ) {}

  get length(): number {
    return this.keysyms.length;
  }

  async send(from: number, to: number, signal?: AbortSignal): Promise<void> {
    if (!this.#begun) await this.#begin();
    for (let next = from; next < to;) {
      const most = await this.options.pace.allow(signal, next);
      this.options.keepKeymap();
      if (this.#isCommitted(next)) next = await this.#commit(next, to, signal);
      else if (this.options.scratch().find(this.keysyms[next]!) === undefined) {
        await this.options.remap(this.#chooseSymbols(next), signal);
      } else next = this.#sendReady(next, Math.min(to, next + most));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#begun) return;
    this.#committer?.[Symbol.dispose]();
    this.options.device.setLocks({ locked: this.#locked, group: 0 });
    this.options.end();
    await Promise.resolve();
  }

  async #begin(): Promise<void> {
    this.#begun = true;
    this.#locked = this.options.device.locks.locked;
    this.options.begin();
    if (this.keysyms.some(isBeyond16Bits)) this.#committer = await this.options.openCommitter();
  }

  #isCommitted(index: number): boolean {
    return this.#committer?.isReady === true && isBeyond16Bits(this.keysyms[index]!);
  }

  /** Commits the characters from `from` that need it, at most to `to`; returns the next stroke. */
  async #commit(from: number, to: number, signal?: AbortSignal): Promise<number> {
    let end = from + 1;
    while (end < to && this.#isCommitted(end)) end++;
    await this.#committer!.commit(this.keysyms.slice(from, end), signal);
    return end;
  }

  /** Sends the strokes from `from` that have keys, at most to `to`; returns the next one. */
  #sendReady(from: number, to: number): number {
    const { device, scratch, noteUse, pace } = this.options;
    let held = 0; // modifiers stay down while the next stroke needs the same ones
    let next = from;
    try {
      for (; next < to; next++) {
        const stroke = scratch().find(this.keysyms[next]!);
        if (stroke === undefined || this.#isCommitted(next)) break;
        if (stroke.modifiers !== held) this.#changeModifiers(held, stroke.modifiers);
        held = stroke.modifiers;
        const { keycode, group, locked } = stroke;
        device.setLocks({ group, locked });
        device.press(keycode);
        device.release(keycode);
        noteUse(stroke);
      }
    } finally {
      this.#changeModifiers(held, 0);
      pace.note(next - from);
    }
    return next;
  }

  #changeModifiers(from: number, to: number): void {
    const { device, scratch } = this.options;
    const { base } = scratch();
    for (const keycode of base.keysFor(from & ~to)) device.release(keycode);
    for (const keycode of base.keysFor(to & ~from)) device.press(keycode);
  }

  /** The symbols from `start` on that the layout lacks, as many as have keys together. */
  #chooseSymbols(start: number): number[] {
    const { capacity } = this.options;
    const chosen = new Set<number>();
    for (let index = start; index < this.keysyms.length && chosen.size < capacity; index++) {
      if (this.options.scratch().isOffLayout(this.keysyms[index]!)) {
        chosen.add(this.keysyms[index]!);
      }
    }
    return [...chosen];
  }
}
