/** The bytes that SendInput, CreateDIBSection and GetMonitorInfoW are given or give, on any system. */

import { expect } from "expect";
import { CURSORINFO, ICONINFO, INPUT, MONITORINFOEXW } from "../../../ffi/windows/user32.ts";
import {
  encodeInput,
  moveRecord,
  unitRecord,
} from "../../../src/platform/windows/input_records.ts";
import { bitmapHeader, decodeMonitor } from "../../../src/platform/windows/screen.ts";

Deno.test("sizes are those of winuser.h on a 64-bit system", () => {
  expect({
    INPUT: INPUT.size,
    MONITORINFOEXW: MONITORINFOEXW.size,
    CURSORINFO: CURSORINFO.size,
    ICONINFO: ICONINFO.size,
  }).toEqual({ INPUT: 40, MONITORINFOEXW: 104, CURSORINFO: 24, ICONINFO: 32 });
});

Deno.test("encodeInput() lays out MOUSEINPUT and KEYBDINPUT", () => {
  const bytes = encodeInput([
    { kind: "mouse", flags: 0xc001, at: { x: 0x1234, y: 0xfffe }, data: -120 },
    { kind: "key", vk: 0xa5, scan: 0x38, flags: 3 },
  ]);
  expect(hex(bytes.subarray(0, 40))).toBe(
    "00000000 00000000 34120000 feff0000 88ffffff 01c00000 00000000 00000000 00000000 00000000",
  );
  expect(hex(bytes.subarray(40))).toBe(
    "01000000 00000000 a5003800 03000000 00000000 00000000 00000000 00000000 00000000 00000000",
  );
});

Deno.test("unitRecord() is a UTF-16 unit without a virtual key", () => {
  expect(unitRecord(0xd83d, "up")).toEqual({ kind: "key", vk: 0, scan: 0xd83d, flags: 6 });
});

Deno.test("moveRecord() leads to the same pixel by Windows' rounding and by the nearest one", () => {
  const screens = [
    { x: 0, y: 0, width: 1_280, height: 1_024 },
    { x: -1_920, y: -200, width: 5_760, height: 2_360 },
    { x: 7, y: 3, width: 1, height: 32_767 },
  ];
  for (const screen of screens) {
    for (let i = 0; i < 4_000; i++) {
      const x = screen.x + i * 7_919 % screen.width;
      const y = screen.y + (i === 0 ? screen.height - 1 : i * 104_729 % screen.height);
      const { at } = moveRecord({ x, y }, screen);
      const down = (value: number, size: number) => Math.floor(value * size / 65_536);
      const nearest = (value: number, size: number) => Math.round(value * (size - 1) / 65_535);
      expect({ x: screen.x + down(at!.x, screen.width), y: screen.y + down(at!.y, screen.height) })
        .toEqual({ x, y });
      expect({
        x: screen.x + nearest(at!.x, screen.width),
        y: screen.y + nearest(at!.y, screen.height),
      }).toEqual({ x, y });
    }
  }
});

Deno.test("bitmapHeader() asks for 32 bits per pixel, the top row first", () => {
  expect(hex(bitmapHeader({ width: 640, height: 480 }))).toBe(
    "28000000 80020000 20feffff 01002000 00000000 00000000 00000000 00000000 00000000 00000000",
  );
});

Deno.test("decodeMonitor() reads where a monitor is, also left of the primary one", () => {
  const bytes = new Uint8Array(MONITORINFOEXW.size);
  const view = new DataView(bytes.buffer);
  [-1_920, -200, 0, 880].forEach((value, i) =>
    view.setInt32(MONITORINFOEXW.rcMonitor + i * 4, value, true)
  );
  view.setUint32(MONITORINFOEXW.dwFlags, 1, true);
  [..."\\\\.\\DISPLAY2"].forEach((character, i) =>
    view.setUint16(MONITORINFOEXW.szDevice + i * 2, character.charCodeAt(0), true)
  );
  expect(decodeMonitor(bytes)).toEqual({
    name: "\\\\.\\DISPLAY2",
    primary: true,
    x: -1_920,
    y: -200,
    width: 1_920,
    height: 1_080,
  });
});

/** Groups of four bytes. */
function hex(bytes: Uint8Array): string {
  const groups = Array.from(
    { length: bytes.length / 4 },
    (_, i) => bytes.subarray(i * 4, i * 4 + 4),
  );
  return groups.map((group) => group.toHex()).join(" ");
}
