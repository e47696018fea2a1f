/** Scan codes, by which games, remote desktops and virtual machines know keys. */

import { expect } from "expect";
import { findKey } from "../../../src/platform/keys.ts";
import { InputQueue } from "../../../src/platform/windows/input_records.ts";
import { WindowsKeyboard } from "../../../src/platform/windows/keyboard.ts";
import { INPUT, KEYEVENTF } from "../../../ffi/windows/user32.ts";
import { FakeUser32 } from "../../support/windows/fake_user32.ts";

/** What Windows gives for Print, Pause and Num Lock. */
const GIVEN: Readonly<Record<number, number>> = { 0x2c: 0x54, 0x13: 0, 0x90: 0x45 };

class Layout extends FakeUser32 {
  readonly codes: string[] = [];

  override MapVirtualKeyExW(vk: number): number {
    return GIVEN[vk]!;
  }

  override SendInput(count: number, bytes: AllowSharedBufferSource | null, size: number): number {
    const { wScan, dwFlags } = INPUT.ki;
    const view = new DataView((bytes as Uint8Array).buffer);
    const extended = (view.getUint32(dwFlags, true) & KEYEVENTF.EXTENDEDKEY) !== 0;
    this.codes.push(`${extended ? "e0 " : ""}${view.getUint16(wScan, true).toString(16)}`);
    return super.SendInput(count, bytes, size);
  }
}

for (const [name, code] of [["Print", "e0 37"], ["Pause", "45"], ["Num_Lock", "e0 45"]] as const) {
  Deno.test(`${name} has the scan code of its own key, ${code}`, () => {
    const user32 = new Layout();
    const queue = new InputQueue(user32);
    const keyboard = new WindowsKeyboard(user32, queue);
    keyboard.press(findKey(name)!);
    queue.flush();
    expect(user32.codes).toEqual([code]);
  });
}
