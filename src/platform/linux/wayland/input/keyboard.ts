/**
 * A keyboard whose keys are sent by their numbers, for compositors that take no keymap from us: what
 * the active layout has is typed, everything else goes through the clipboard.
 */

import { ServiceError } from "../../../../core/errors.ts";
import { findKey } from "../../../keys.ts";
import { available, missing } from "../../../capability.ts";
import type {
  Capability,
  HeldByOthers,
  Key,
  Keyboard,
  PlanOptions,
  TextPlan,
} from "../../../types/mod.ts";
import type { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import { keyTaken, PressCounts } from "../../../press_counts.ts";
import { hasCommandKey, isAscii, isCommandKey } from "../../keys/keysyms.ts";
import type { KeyStroke } from "../keymap/compiled_keymap.ts";
import { TypingPace, UnreadBytesReader } from "../unread_bytes.ts";
import type { ActiveLayout } from "./active_layout.ts";
import { type Paste, planText } from "./text_plan.ts";

export interface LayoutKeyboardOptions {
  /** The compositor, as messages name it. */
  readonly compositor: string;
  readonly layout: ActiveLayout;
  /** Takes the characters that the layout has no keys for. */
  readonly clipboard: Capability<LinuxClipboard>;
  /** Whether text may pass through the clipboard. */
  readonly clipboardTyping: boolean;
  /** The compositor's socket, by which the kernel reports how far programs are behind. */
  readonly socket: string;
  /** Sends a key by its number, as in `linux/input-event-codes.h`; keeps the order. */
  send(keycode: number, isDown: boolean): void;
  /** Resolves when the compositor has processed what was sent. */
  confirm(): Promise<void>;
}

const PASTE_KEYS: readonly Key[] = [findKey("ctrl")!, findKey("v")!];
const UNTYPED = "Nothing was typed: some characters are not on the active keyboard layout";

export class LayoutKeyboard implements Keyboard {
  readonly heldByOthers: Capability<HeldByOthers>;
  /** Keysym -> the keycodes that were pressed for it, in this order: its modifiers come first. */
  readonly #down = new Map<number, readonly number[]>();
  /** Of keycodes. */
  readonly #presses = new PressCounts();

  readonly #unread: UnreadBytesReader;

  constructor(private readonly options: LayoutKeyboardOptions) {
    const { compositor, socket } = options;
    this.#unread = new UnreadBytesReader(socket);
    this.heldByOthers = missing(
      `${compositor} does not report which modifiers are held down on other devices`,
    );
  }

  prepare(keys: readonly Key[]): void {
    let isShortcut = hasCommandKey(this.#down);
    for (const { keysym, name } of keys) {
      if (!this.#find(keysym, isShortcut)) throw this.#noKey(name);
      isShortcut ||= isCommandKey(keysym);
    }
  }

  press({ keysym, name }: Key): void {
    if (this.#down.has(keysym)) return;
    const stroke = this.#find(keysym, hasCommandKey(this.#down));
    if (stroke === undefined) throw this.#noKey(name);
    const { keymap } = this.options.layout;
    const { keycode } = stroke;
    const isModifier = keymap.modifiersOf(keycode).held !== 0;
    if (this.#presses.has(keycode) && !isModifier) throw keyTaken(name);
    const keycodes = [...keymap.keysFor(stroke.modifiers & ~this.#ownModifiers()), keycode];
    this.#down.set(keysym, keycodes);
    for (const each of keycodes) this.#press(each);
  }

  release({ keysym }: Key): void {
    const down = this.#down.get(keysym);
    if (down === undefined) return;
    this.#down.delete(keysym);
    for (const each of down.toReversed()) this.#release(each);
  }

  async plan(text: string, options: PlanOptions = { delayMs: 0 }): Promise<TextPlan> {
    const { layout, confirm, send } = this.options;
    await layout.refresh();
    await confirm(); // the state of the locks has come then
    return planText(text, {
      layout,
      paste: this.#paste(),
      confirm,
      isSecret: options.isSecret ?? false,
      keysOnly: options.keysOnly ?? false,
      send,
      pace: new TypingPace(this.#unread, { confirm }),
    });
  }

  /** Releases every key that this program holds down: the compositor does not report others. */
  releaseAll(): void {
    for (const keysym of [...this.#down.keys()]) this.release({ name: "", keysym });
  }

  #paste(): Paste {
    const { clipboard, clipboardTyping } = this.options;
    if (!clipboardTyping) {
      return missing(
        `${UNTYPED}, and --no-clipboard-typing forbids pasting them: switch to a layout that has them`,
      );
    }
    if (!clipboard.ready) {
      return missing(
        `${UNTYPED}, and they cannot be pasted: switch to a layout that has them. ${clipboard.reason}`,
      );
    }
    return available(() => clipboard.use.beginPasting(() => this.#pressPaste()));
  }

  async #pressPaste(): Promise<void> {
    this.prepare(PASTE_KEYS);
    try {
      for (const key of PASTE_KEYS) this.press(key);
    } finally {
      for (const key of PASTE_KEYS.toReversed()) this.release(key);
    }
    await this.options.confirm();
  }

  /** In a shortcut a Latin letter means the key that has it in another layout. */
  #find(keysym: number, isShortcut: boolean): KeyStroke | undefined {
    const { layout } = this.options;
    const stroke = layout.find(keysym);
    return stroke ?? (isShortcut && isAscii(keysym) ? layout.findInAny(keysym) : undefined);
  }

  #ownModifiers(): number {
    const { keymap } = this.options.layout;
    let mask = 0;
    for (const keycode of this.#presses.keys()) mask |= keymap.modifiersOf(keycode).held;
    return mask;
  }

  /** Presses a key for the first symbol that needs it ... */
  #press(keycode: number): void {
    if (this.#presses.press(keycode)) this.options.send(keycode, true);
  }

  /** ... and releases it after the last. */
  #release(keycode: number): void {
    if (this.#presses.release(keycode)) this.options.send(keycode, false);
  }

  #noKey(name: string): ServiceError {
    const { compositor } = this.options;
    return new ServiceError(
      "unsupported",
      `Cannot press "${name}": the active keyboard layout has no key for it, and ${compositor} accepts ` +
        "only keys; type characters with keyboard/type",
    );
  }
}
