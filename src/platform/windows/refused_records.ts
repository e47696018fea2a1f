/** Tracks which keys and buttons are down, and which releases Windows has not accepted. */

import { KEYEVENTF, MOUSEEVENTF } from "../../../ffi/windows/user32.ts";
import type { InputRecord, KeyRecord } from "./input_records.ts";

const { LEFTDOWN, RIGHTDOWN, MIDDLEDOWN, XDOWN } = MOUSEEVENTF;
const { LEFTUP, RIGHTUP, MIDDLEUP, XUP } = MOUSEEVENTF;
const BUTTONS_DOWN = LEFTDOWN | RIGHTDOWN | MIDDLEDOWN | XDOWN;
const BUTTONS_UP = LEFTUP | RIGHTUP | MIDDLEUP | XUP;

/** The keys and buttons that Windows holds down for us. */
export class Pressed {
  readonly #devices = new Set<string>();

  /** Notes events that Windows has accepted. */
  note(taken: readonly InputRecord[]): void {
    for (const record of taken) {
      if (isRelease(record)) this.#devices.delete(deviceName(record));
      else if (isPress(record)) this.#devices.add(deviceName(record));
    }
  }

  /** The releases to send again: those, among refused events, of keys and buttons that are down. */
  owed(refused: readonly InputRecord[]): InputRecord[] {
    return refused.filter((record) => isRelease(record) && this.#devices.has(deviceName(record)));
  }
}

/** The key presses among refused events; these keys are not down. */
export function pressedKeys(refused: readonly InputRecord[]): KeyRecord[] {
  return refused.filter((record): record is KeyRecord => record.kind === "key" && isPress(record));
}

/** Whether both release the same key or button. */
export function isSameRelease(one: InputRecord, other: InputRecord): boolean {
  return isRelease(one) && isRelease(other) && deviceName(one) === deviceName(other);
}

function isRelease({ kind, flags }: InputRecord): boolean {
  return kind === "key" ? (flags & KEYEVENTF.KEYUP) !== 0 : (flags & BUTTONS_UP) !== 0;
}

function isPress({ kind, flags }: InputRecord): boolean {
  return kind === "key" ? (flags & KEYEVENTF.KEYUP) === 0 : (flags & BUTTONS_DOWN) !== 0;
}

/** Names the key or button of an event; a button's release flag is twice its press flag. */
function deviceName(record: InputRecord): string {
  if (record.kind === "key") return `key ${record.vk} ${record.vk === 0 ? record.scan : ""}`;
  const { flags, data = 0 } = record;
  return `button ${(flags & BUTTONS_DOWN) | ((flags & BUTTONS_UP) >> 1)} ${data}`;
}
