/**
 * Plans the typing of a text: what the active layout has by its keys, everything else through the
 * clipboard.
 */

import { ServiceError } from "../../../../core/errors.ts";
import { keysymOfCodePoint } from "../../../keys.ts";
import { splitIntoStrokes } from "../../../strokes.ts";
import type { Capability, Pasting, TextPlan } from "../../../types/mod.ts";
import { RETURN, TAB } from "../../keys/keysyms.ts";
import type { KeyStroke } from "../keymap/compiled_keymap.ts";
import type { TypingPace } from "../unread_bytes.ts";
import type { ActiveLayout } from "./active_layout.ts";

/** Pastes texts, and puts back what was on the clipboard before. */
export type Paste = Capability<() => Pasting>;

export interface TextDevices {
  readonly layout: ActiveLayout;
  readonly paste: Paste;
  readonly isSecret: boolean;
  readonly keysOnly: boolean;
  readonly pace: TypingPace;
  send(keycode: number, isDown: boolean): void;
  /** Resolves when the compositor has processed what was sent. */
  confirm(): Promise<void>;
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
export function planText(text: string, devices: TextDevices): TextPlan {
  const { layout, paste, isSecret, keysOnly } = devices;
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
