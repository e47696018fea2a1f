/**
 * A keyboard whose keys are sent by their numbers, for compositors that take no keymap from us: what
 * the active layout has is typed, everything else goes through the clipboard.
 */

import { ServiceError } from "../../../../core/errors.ts";
import {
  findKey,
  keysymOfCodePoint,
  keyTaken,
  PressCounts,
  splitIntoStrokes,
} from "../../../keys.ts";
import { available, missing } from "../../../capability.ts";
import type {
  Capability,
  HeldByOthers,
  Key,
  Keyboard,
  Pasting,
  PlanOptions,
  TextPlan,
} from "../../../types/mod.ts";
import type { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import { hasCommandKey, isAscii, isCommandKey, RETURN, TAB } from "../../keys/keysyms.ts";
import type { KeyStroke } from "../keymap/keymap.ts";
import { TypingPace, UnreadBytesReader } from "../unread_bytes.ts";
import type { ActiveLayout } from "./active_layout.ts";

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
    const pace = new TypingPace(this.#unread, { confirm });
    return planText(text, options, { layout, confirm, send, pace, paste: this.#paste() });
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

// Plans the typing of a text: what the active layout has by its keys, everything else through the
// clipboard.

/** Pastes texts, and puts back what was on the clipboard before. */
export type Paste = Capability<() => Pasting>;

interface TextDevices extends Pick<LayoutKeyboardOptions, "layout" | "send" | "confirm"> {
  readonly paste: Paste;
  readonly pace: TypingPace;
}

type Unit =
  | { readonly kind: "key"; readonly stroke: KeyStroke }
  | { readonly kind: "paste"; readonly text: string };

const CAPS_LOCK = 0xffe5;
/**
 * Characters between two that must be pasted are pasted with them if they are no more than this: each
 * paste takes as long as many keys.
 */
const MAX_BETWEEN = 40;
const MAX_PASTED = 1_000;
/** The most strokes to send before the service checks that its client is still connected. */
const SLICE = 25;

/**
 * @throws FieldError on `text` for control characters and lone surrogates
 * @throws ServiceError `unsupported` for characters that could only be pasted, where that cannot be
 * done or is not allowed
 */
function planText(text: string, options: PlanOptions, devices: TextDevices): TextPlan {
  const { isSecret = false, keysOnly = false } = options;
  const { layout, paste } = devices;
  const units = joinPastes(splitIntoStrokes(text), layout);
  const needsPaste = units.some(({ kind }) => kind === "paste");
  if (needsPaste && isSecret) throw secretNotPasted();
  if (needsPaste && keysOnly) throw new ServiceError("unsupported", ONLY_PASTED);
  if (needsPaste && !paste.ready) throw new ServiceError("unsupported", paste.reason);
  const pasting = needsPaste && paste.ready ? paste.use() : undefined;
  return new LayoutTextPlan(units, pasting, devices);
}

class LayoutTextPlan implements TextPlan {
  readonly sliceSize = SLICE;
  #hasBegun = false;
  /** Whether Caps Lock was on, and is to be put on again. */
  #hadCaps = false;

  constructor(
    private readonly units: readonly Unit[],
    private readonly pasting: Pasting | undefined,
    private readonly devices: TextDevices,
  ) {}

  get length(): number {
    return this.units.length;
  }

  async send(from: number, to: number, signal?: AbortSignal): Promise<void> {
    const { confirm, pace } = this.devices;
    if (!this.#hasBegun) this.#begin();
    for (let next = from; next < to;) {
      const unit = this.units[next]!;
      if (unit.kind === "paste") {
        await this.pasting!.paste(unit.text, signal);
        next++;
        continue;
      }
      await confirm(); // only what the compositor has passed on counts as unread
      const most = await pace.allow(signal, next);
      const end = this.#strikeKeys(next, Math.min(to, next + most));
      pace.note(end - next);
      next = end;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hadCaps) this.#strikeCapsLock();
    await this.pasting?.[Symbol.asyncDispose]();
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#hadCaps = this.devices.layout.isCapsLocked;
    if (this.#hadCaps) this.#strikeCapsLock();
  }

  #strikeCapsLock(): void {
    const stroke = this.devices.layout.find(CAPS_LOCK);
    if (stroke !== undefined) this.#strike(stroke.keycode);
  }

  /** Modifiers stay down while the next stroke needs the same ones. Returns where it ended. */
  #strikeKeys(from: number, to: number): number {
    let held = 0;
    let next = from;
    for (; next < to; next++) {
      const unit = this.units[next]!;
      if (unit.kind === "paste") break;
      const { keycode, modifiers } = unit.stroke;
      this.#changeModifiers(held, modifiers);
      held = modifiers;
      this.#strike(keycode);
    }
    this.#changeModifiers(held, 0);
    return next;
  }

  #strike(keycode: number): void {
    this.devices.send(keycode, true);
    this.devices.send(keycode, false);
  }

  #changeModifiers(from: number, to: number): void {
    const { keymap } = this.devices.layout;
    for (const keycode of keymap.keysFor(from & ~to)) this.devices.send(keycode, false);
    for (const keycode of keymap.keysFor(to & ~from)) this.devices.send(keycode, true);
  }
}

/** One unit per stroke; what must be pasted is joined, but never across an Enter or a Tab. */
function joinPastes(strokes: readonly string[], layout: ActiveLayout): Unit[] {
  const keys = strokes.map((stroke) => findStroke(stroke, layout));
  const units: Unit[] = [];
  for (let at = 0; at < strokes.length;) {
    const stroke = keys[at];
    if (stroke !== undefined) {
      units.push({ kind: "key", stroke });
      at++;
      continue;
    }
    const end = endOfPaste(strokes, keys, at);
    units.push({ kind: "paste", text: strokes.slice(at, end).join("") });
    at = end;
  }
  return units;
}

/** Behind the last character that must be pasted together with the one at `start`. */
function endOfPaste(
  strokes: readonly string[],
  keys: readonly (KeyStroke | undefined)[],
  start: number,
): number {
  let end = start + 1;
  for (let at = end; at < strokes.length && at - start < MAX_PASTED; at++) {
    if (strokes[at] === "\n" || strokes[at] === "\t" || at - end > MAX_BETWEEN) break;
    if (keys[at] === undefined) end = at + 1;
  }
  return end;
}

function findStroke(stroke: string, layout: ActiveLayout): KeyStroke | undefined {
  if (stroke === "\n") return layout.find(RETURN);
  if (stroke === "\t") return layout.find(TAB);
  const found = layout.find(keysymOfCodePoint(stroke.codePointAt(0)!));
  return found?.locked === 0 ? found : undefined; // keys of the keypad depend on Num Lock
}

const ONLY_PASTED =
  "Nothing was typed: some characters are not on the active keyboard layout: switch to a layout that " +
  'has them, or set method to "auto", which pastes them';

function secretNotPasted(): ServiceError {
  return new ServiceError(
    "unsupported",
    "Nothing was typed: this layout lacks characters of the stored value, and the clipboard, " +
      "which other programs can read, is not used for secrets: switch to a layout that has the " +
      "characters",
  );
}
