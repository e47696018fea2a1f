/** The keyboard, through `org_kde_kwin_fake_input`: keys by their numbers, in the active layout. */

import { ServiceError } from "../../../../core/errors.ts";
import { missing } from "../../../open_port.ts";
import type { Key, Keyboard, PlanOptions, TextPlan } from "../../../types/mod.ts";
import { isAscii, isCommandKey } from "../../x11/shortcuts.ts";
import type { KeyStroke } from "../keymap/keymap.ts";
import type { WaylandObject } from "../protocols/types.ts";
import type { InputQueue } from "./input_queue.ts";
import type { KdeLayout } from "./layout.ts";
import { type Paste, planText } from "./text_plan.ts";

const PRESSED = 1;
const RELEASED = 0;

export interface KdeKeyboardOptions {
  readonly device: WaylandObject<"org_kde_kwin_fake_input">;
  readonly queue: InputQueue;
  readonly layout: KdeLayout;
  readonly paste: Paste;
  /** Resolves when KWin has processed what was sent. */
  confirm(): Promise<void>;
}

/** A key that is down, with the modifier keys pressed for it. */
interface Down {
  readonly keycode: number;
  readonly modifierKeycodes: readonly number[];
}

export class KdeKeyboard implements Keyboard {
  readonly heldByOthers = missing("KWin does not tell which modifiers others hold down");
  /** Keysym -> the keys that were pressed for it. */
  readonly #down = new Map<number, Down>();
  /** Keycode -> the number of keys that need it down. */
  readonly #presses = new Map<number, number>();

  constructor(private readonly options: KdeKeyboardOptions) {}

  prepare(keys: readonly Key[]): void {
    let isShortcut = this.#isShortcut();
    for (const { keysym, name } of keys) {
      if (!this.#find(keysym, isShortcut)) throw noKey(name);
      isShortcut ||= isCommandKey(keysym);
    }
  }

  press({ keysym, name }: Key): void {
    if (this.#down.has(keysym)) return;
    const stroke = this.#find(keysym, this.#isShortcut());
    if (stroke === undefined) throw noKey(name);
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
    const { layout, paste, confirm } = this.options;
    await layout.refresh();
    await confirm(); // the state of the locks has come then
    return planText(text, {
      ...{ layout, paste, confirm, isSecret: options.isSecret ?? false },
      send: (keycode, isDown) => this.#send(keycode, isDown),
    });
  }

  /** Releases every key that this program holds down: KWin does not tell of others. */
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
    if (presses === 0) this.#send(keycode, true);
    this.#presses.set(keycode, presses + 1);
  }

  /** ... and releases it after the last. */
  #release(keycode: number): void {
    const presses = this.#presses.get(keycode) ?? 0;
    if (presses > 1) this.#presses.set(keycode, presses - 1);
    else {
      this.#presses.delete(keycode);
      this.#send(keycode, false);
    }
  }

  #send(keycode: number, isDown: boolean): void {
    const { device, queue } = this.options;
    queue.add(() => device.send("keyboard_key", keycode, isDown ? PRESSED : RELEASED));
  }
}

function noKey(name: string): ServiceError {
  return new ServiceError(
    "unsupported",
    `Cannot press "${name}": the active keyboard layout has no key for it, and KWin takes keys ` +
      "alone; characters can be typed with keyboard/type",
  );
}
