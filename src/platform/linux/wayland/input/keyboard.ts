/**
 * A keyboard whose keys are sent by their numbers, for compositors that take no keymap from us: what
 * the active layout has is typed, everything else goes through the clipboard.
 */

import { ServiceError } from "../../../../core/errors.ts";
import { missing } from "../../../open_port.ts";
import type {
  HeldByOthers,
  Key,
  Keyboard,
  PlanOptions,
  Port,
  TextPlan,
} from "../../../types/mod.ts";
import { isAscii, isCommandKey } from "../../x11/shortcuts.ts";
import type { KeyStroke } from "../keymap/keymap.ts";
import type { ActiveLayout } from "./active_layout.ts";
import { TypingPace } from "../typing_pace.ts";
import type { UnreadBytesReader } from "../unread_bytes.ts";
import { type Paste, planText } from "./text_plan.ts";

export interface LayoutKeyboardOptions {
  /** The compositor, as messages name it. */
  readonly compositor: string;
  readonly layout: ActiveLayout;
  readonly paste: Paste;
  /** Tells how far programs are behind; without it, texts are sent at a fixed pace. */
  readonly unread?: UnreadBytesReader;
  /** Sends a key by its number, as in `linux/input-event-codes.h`; keeps the order. */
  send(keycode: number, isDown: boolean): void;
  /** Resolves when the compositor has processed what was sent. */
  confirm(): Promise<void>;
}

/** A key that is down, with the modifier keys pressed for it. */
interface Down {
  readonly keycode: number;
  readonly modifierKeycodes: readonly number[];
}

export class LayoutKeyboard implements Keyboard {
  readonly heldByOthers: Port<HeldByOthers>;
  /** Keysym -> the keys that were pressed for it. */
  readonly #down = new Map<number, Down>();
  /** Keycode -> the number of keys that need it down. */
  readonly #presses = new Map<number, number>();

  constructor(private readonly options: LayoutKeyboardOptions) {
    const { compositor } = options;
    this.heldByOthers = missing(`${compositor} does not tell which modifiers others hold down`);
  }

  prepare(keys: readonly Key[]): void {
    let isShortcut = this.#isShortcut();
    for (const { keysym, name } of keys) {
      if (!this.#find(keysym, isShortcut)) throw this.#noKey(name);
      isShortcut ||= isCommandKey(keysym);
    }
  }

  press({ keysym, name }: Key): void {
    if (this.#down.has(keysym)) return;
    const stroke = this.#find(keysym, this.#isShortcut());
    if (stroke === undefined) throw this.#noKey(name);
    const { keymap } = this.options.layout;
    const { keycode } = stroke;
    const isModifier = keymap.modifiersOf(keycode).held !== 0;
    if (this.#presses.has(keycode) && !isModifier) {
      throw new ServiceError(
        "conflict",
        `Cannot press "${name}": its key is held down for another symbol`,
      );
    }
    const modifierKeycodes = keymap.keysFor(stroke.modifiers & ~this.#ownModifiers());
    this.#down.set(keysym, { keycode, modifierKeycodes });
    for (const each of [...modifierKeycodes, keycode]) this.#press(each);
  }

  release({ keysym }: Key): void {
    const down = this.#down.get(keysym);
    if (down === undefined) return;
    this.#down.delete(keysym);
    this.#release(down.keycode);
    for (const keycode of down.modifierKeycodes.toReversed()) this.#release(keycode);
  }

  async plan(text: string, options: PlanOptions = { delayMs: 0 }): Promise<TextPlan> {
    const { layout, paste, confirm, send, unread } = this.options;
    await layout.refresh();
    await confirm(); // the state of the locks has come then
    return planText(text, {
      ...{ layout, paste, confirm, isSecret: options.isSecret ?? false },
      keysOnly: options.keysOnly ?? false,
      send,
      pace: unread && new TypingPace(unread),
    });
  }

  /** Releases every key that this program holds down: the compositor does not tell of others. */
  releaseAll(): void {
    for (const keysym of [...this.#down.keys()]) this.release({ name: "", keysym });
  }

  /** In a shortcut a Latin letter means the key that has it in another layout. */
  #find(keysym: number, isShortcut: boolean): KeyStroke | undefined {
    const { layout } = this.options;
    const stroke = layout.find(keysym);
    return stroke ?? (isShortcut && isAscii(keysym) ? layout.findInAny(keysym) : undefined);
  }

  #isShortcut(): boolean {
    for (const keysym of this.#down.keys()) if (isCommandKey(keysym)) return true;
    return false;
  }

  #ownModifiers(): number {
    const { keymap } = this.options.layout;
    let mask = 0;
    for (const keycode of this.#presses.keys()) mask |= keymap.modifiersOf(keycode).held;
    return mask;
  }

  /** Presses a key for the first symbol that needs it ... */
  #press(keycode: number): void {
    const presses = this.#presses.get(keycode) ?? 0;
    if (presses === 0) this.options.send(keycode, true);
    this.#presses.set(keycode, presses + 1);
  }

  /** ... and releases it after the last. */
  #release(keycode: number): void {
    const presses = this.#presses.get(keycode) ?? 0;
    if (presses > 1) this.#presses.set(keycode, presses - 1);
    else {
      this.#presses.delete(keycode);
      this.options.send(keycode, false);
    }
  }

  #noKey(name: string): ServiceError {
    const { compositor } = this.options;
    return new ServiceError(
      "unsupported",
      `Cannot press "${name}": the active keyboard layout has no key for it, and ${compositor} takes ` +
        "keys alone; characters can be typed with keyboard/type",
    );
  }
}
