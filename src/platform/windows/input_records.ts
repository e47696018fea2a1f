/** Encodes mouse and keyboard events as INPUT structures for SendInput. */

import {
  INPUT,
  INPUT_KEYBOARD,
  INPUT_MOUSE,
  KEYEVENTF,
  MOUSEEVENTF,
  type User32,
} from "../../../ffi/windows/user32.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Point, Region } from "../types/mod.ts";
import { desktopFailure } from "./screen.ts";

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

type InputRecord = MouseRecord | KeyRecord;

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

// Queues input events for Windows: all events that one operation sends together go in one call, so
// that no other input can come between them.

export type InputCalls = Pick<User32, "SendInput" | "OpenInputDesktop" | "CloseDesktop">;

const MAX_RECORDS = 4_096;

export class InputQueue {
  #records: InputRecord[] = [];
  #scheduled = false;
  #failure: ServiceError | undefined;
  /** Releases that Windows did not accept. */
  #owed: InputRecord[] = [];
  /** The keys and buttons that Windows holds down for us. */
  readonly #pressed = new Set<string>();
  /** Called with the keys that Windows did not press. */
  notPressed: (keys: readonly KeyRecord[]) => void = () => {};

  constructor(private readonly user32: InputCalls) {}

  /** The events are sent by the next {@link flush}, or in the next microtask. */
  add(...records: readonly InputRecord[]): void {
    this.#records.push(...records);
    if (this.#records.length >= MAX_RECORDS) this.send();
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.send();
    });
  }

  /**
   * Sends all waiting events.
   * @throws ServiceError `unavailable` or `permission_denied`: Windows has not accepted every event
   * since the last call.
   */
  flush(): void {
    this.#addOwed();
    this.send();
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  /**
   * Sends all waiting events, after the releases that were not accepted before; keeps a failure for
   * the next {@link flush}.
   */
  send(): void {
    if (this.#records.length > 0) this.#addOwed();
    while (this.#records.length > 0) {
      const records = this.#records.splice(0, MAX_RECORDS);
      const taken = this.user32.SendInput(records.length, encodeInput(records), INPUT.size);
      this.#note(records.slice(0, taken));
      if (taken === records.length) continue;
      const refused = records.slice(taken);
      this.#owed.push(...refused.filter((record) => this.hasPressed(record)));
      this.notPressed(refused.filter((record) => record.kind === "key").filter(isPress));
      this.#failure ??= desktopFailure(
        this.user32,
        "Cannot send input",
        new ServiceError(
          "permission_denied",
          `Cannot send input: Windows accepted ${taken} of ${records.length} events; a program has ` +
            "blocked input, or the foreground window runs as administrator: run the service as administrator too",
        ),
      );
    }
  }

  /** Whether Windows holds down, for us, the key or button that this event releases. */
  hasPressed(release: InputRecord): boolean {
    return isRelease(release) && this.#pressed.has(deviceName(release));
  }

  /** Whether a release of the same key or button waits to be sent, for the first time or again. */
  isReleasing(release: InputRecord): boolean {
    const device = deviceName(release);
    return [...this.#owed, ...this.#records]
      .some((each) => isRelease(each) && deviceName(each) === device);
  }

  #addOwed(): void {
    this.#records.unshift(...this.#owed.splice(0));
  }

  #note(taken: readonly InputRecord[]): void {
    for (const record of taken) {
      if (isRelease(record)) this.#pressed.delete(deviceName(record));
      else if (isPress(record)) this.#pressed.add(deviceName(record));
    }
  }
}

const { LEFTDOWN, RIGHTDOWN, MIDDLEDOWN, XDOWN } = MOUSEEVENTF;
const { LEFTUP, RIGHTUP, MIDDLEUP, XUP } = MOUSEEVENTF;
const BUTTONS_DOWN = LEFTDOWN | RIGHTDOWN | MIDDLEDOWN | XDOWN;
const BUTTONS_UP = LEFTUP | RIGHTUP | MIDDLEUP | XUP;

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
