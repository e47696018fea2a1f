/** Encodes mouse and keyboard events as INPUT structures for SendInput. */

import {
  INPUT,
  INPUT_KEYBOARD,
  INPUT_MOUSE,
  KEYEVENTF,
  MOUSEEVENTF,
} from "../../../ffi/windows/user32.ts";
import type { Point, Region } from "../types/mod.ts";

/** One mouse event. */
export interface MouseRecord {
  readonly kind: "mouse";
  readonly flags: number;
  /** A point in 65536ths of the virtual screen. */
  readonly at?: Point;
  /** The wheel's rotation, or the number of an X button. */
  readonly data?: number;
}

/** One keyboard event: for a key, or for a UTF-16 unit that no key types (`vk` 0, flag UNICODE). */
export interface KeyRecord {
  readonly kind: "key";
  readonly vk: number;
  readonly scan: number;
  readonly flags: number;
}

export type InputRecord = MouseRecord | KeyRecord;

/** The structures, one after the other. */
export function encodeInput(records: readonly InputRecord[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(records.length * INPUT.size);
  const view = new DataView(bytes.buffer);
  records.forEach((record, index) => encode(view, index * INPUT.size, record));
  return bytes;
}

/**
 * A move to a pixel of the virtual screen. Windows counts in 65536ths of the screen and rounds
 * down; the middle of the pixel leads to the same pixel whether it rounds up or down.
 */
export function moveRecord({ x, y }: Point, screen: Region): MouseRecord {
  const at = {
    x: Math.floor((x - screen.x + 0.5) * 65_536 / screen.width),
    y: Math.floor((y - screen.y + 0.5) * 65_536 / screen.height),
  };
  const flags = MOUSEEVENTF.MOVE | MOUSEEVENTF.ABSOLUTE | MOUSEEVENTF.VIRTUALDESK;
  return { kind: "mouse", flags, at };
}

/** Presses or releases a UTF-16 unit. */
export function unitRecord(unit: number, direction: "down" | "up"): KeyRecord {
  const flags = KEYEVENTF.UNICODE | (direction === "up" ? KEYEVENTF.KEYUP : 0);
  return { kind: "key", vk: 0, scan: unit, flags };
}

function encode(view: DataView, at: number, record: InputRecord): void {
  if (record.kind === "mouse") {
    const { mi } = INPUT;
    view.setUint32(at + INPUT.type, INPUT_MOUSE, true);
    view.setInt32(at + mi.dx, record.at?.x ?? 0, true);
    view.setInt32(at + mi.dy, record.at?.y ?? 0, true);
    view.setInt32(at + mi.mouseData, record.data ?? 0, true);
    view.setUint32(at + mi.dwFlags, record.flags, true);
    return;
  }
  const { ki } = INPUT;
  view.setUint32(at + INPUT.type, INPUT_KEYBOARD, true);
  view.setUint16(at + ki.wVk, record.vk, true);
  view.setUint16(at + ki.wScan, record.scan, true);
  view.setUint32(at + ki.dwFlags, record.flags, true);
}
