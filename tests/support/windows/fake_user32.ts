/** The calls of user32.dll that input makes, without a Windows: it keeps what was sent and what is down. */

import { INPUT, KEYEVENTF, SM } from "../../../ffi/windows/user32.ts";
import type { InputCalls } from "../../../src/platform/windows/input_records.ts";
import type { KeyboardCalls } from "../../../src/platform/windows/keyboard.ts";
import type { MouseCalls } from "../../../src/platform/windows/mouse.ts";

const POINTER = { __brand: "fake" } as unknown as Deno.PointerObject;
const NOT_ON_LAYOUT = -1;

export class FakeUser32 implements InputCalls, MouseCalls, KeyboardCalls {
  /** One line for each call of SendInput: `mouse 8001 10,20 0` or `key 41 0 down`, joined by `; `. */
  readonly calls: string[] = [];
  /** Virtual keys that are down. */
  readonly down = new Set<number>();
  readonly metrics = new Map<number, number>([
    [SM.CXVIRTUALSCREEN, 1_000],
    [SM.CYVIRTUALSCREEN, 500],
  ]);
  /** Character -> what VkKeyScanExW gives. */
  readonly layout = new Map<string, number>();
  cursor = { x: 0, y: 0 };
  /** How many events each call takes; all of them where it is not set. */
  takes: number | undefined;
  /** Whether the desktop that is shown is ours. */
  desktop = true;

  SendInput(count: number, bytes: AllowSharedBufferSource | null, size: number): number {
    const view = new DataView((bytes as Uint8Array).buffer);
    const records = Array.from({ length: count }, (_, i) => this.#take(view, i * size));
    this.calls.push(records.join("; "));
    return this.takes ?? count;
  }

  OpenInputDesktop(): Deno.PointerValue {
    return this.desktop ? POINTER : null;
  }

  CloseDesktop(): number {
    return 1;
  }

  GetCursorPos(point: AllowSharedBufferSource | null): number {
    if (!this.desktop) return 0;
    (point as Int32Array).set([this.cursor.x, this.cursor.y]);
    return 1;
  }

  GetSystemMetrics(index: number): number {
    return this.metrics.get(index) ?? 0;
  }

  GetAsyncKeyState(vk: number): number {
    return this.down.has(vk) ? -32_768 : 0;
  }

  VkKeyScanExW(unit: number): number {
    return this.layout.get(String.fromCharCode(unit)) ?? NOT_ON_LAYOUT;
  }

  MapVirtualKeyExW(vk: number): number {
    return vk & 0x7f;
  }

  GetKeyboardLayout(): Deno.PointerValue {
    return POINTER;
  }

  GetForegroundWindow(): bigint {
    return 5n;
  }

  GetWindowThreadProcessId(): number {
    return 7;
  }

  #take(view: DataView, at: number): string {
    const { mi, ki } = INPUT;
    if (view.getUint32(at + INPUT.type, true) === 0) {
      const flags = view.getUint32(at + mi.dwFlags, true).toString(16);
      const [x, y] = [view.getInt32(at + mi.dx, true), view.getInt32(at + mi.dy, true)];
      return `mouse ${flags} ${x},${y} ${view.getInt32(at + mi.mouseData, true)}`;
    }
    const vk = view.getUint16(at + ki.wVk, true);
    const scan = view.getUint16(at + ki.wScan, true);
    const flags = view.getUint32(at + ki.dwFlags, true);
    const up = (flags & KEYEVENTF.KEYUP) !== 0;
    if (up) this.down.delete(vk);
    else this.down.add(vk);
    const kind = (flags & KEYEVENTF.UNICODE) !== 0
      ? `unit ${scan.toString(16)}`
      : `key ${vk.toString(16)}${(flags & KEYEVENTF.EXTENDEDKEY) !== 0 ? "e" : ""}`;
    return `${kind} ${up ? "up" : "down"}`;
  }
}
