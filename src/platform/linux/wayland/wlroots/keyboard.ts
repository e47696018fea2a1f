/**
 * The keyboard of compositors with zwp_virtual_keyboard_v1: a keyboard of our own, with the user's
 * layout and whatever characters that lacks.
 */

import { pause } from "../../../../core/deadline.ts";
import { ServiceError, tryTo } from "../../../../core/errors.ts";
import { missing } from "../../../capability.ts";
import { keyTaken } from "../../../press_counts.ts";
import type { Key, Keyboard, TextPlan } from "../../../types/mod.ts";
import { hasCommandKey, isCommandKey, toKeysyms } from "../../keys/keysyms.ts";
import type { WaylandClient } from "../client.ts";
import { EventClock, type Seat } from "../seat.ts";
import type { KeyStroke } from "../keymap/compiled_keymap.ts";
import { type Keymap, openKeymap } from "../keymap/keymap.ts";
import { ScratchKeys } from "../keymap/scratch_keys.ts";
import { TextCommitter, VirtualKeyboard } from "./virtual_keyboard.ts";
import { WlrootsTextPlan } from "./text_plan.ts";
import { awaitListeners, TypingPace, UnreadBytesReader } from "../unread_bytes.ts";

const LATIN_A = 0x61;

export interface KeyboardOptions {
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
      find: (keysym) => this.scratch.find(keysym),
      isOffLayout: (keysym) => this.scratch.isOffLayout(keysym),
      capacity: this.scratch.capacity - this.#down.size,
      keepKeymap: () => this.#keepKeymap(),
      remap: (lacking, signal) => this.#remap(lacking, { signal }),
      noteUse: (stroke) => this.#noteUse(stroke),
      keysFor: (mask) => this.scratch.base.keysFor(mask),
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
