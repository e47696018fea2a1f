/** The input of Windows: which events go out, in how many calls, and what becomes of refusals. */

import { expect } from "expect";
import { SM } from "../../../ffi/windows/user32.ts";
import { WORDS } from "../../../src/platform/key_names.ts";
import { findKey } from "../../../src/platform/keys.ts";
import type { HeldByOthers, Key } from "../../../src/platform/types/mod.ts";
import { WindowsInput } from "../../../src/platform/windows/displays.ts";
import { InputQueue } from "../../../src/platform/windows/input_records.ts";
import {
  findVirtualKey,
  namesOfVirtualKeys,
  WindowsKeyboard,
} from "../../../src/platform/windows/keyboard.ts";
import { WindowsMouse } from "../../../src/platform/windows/mouse.ts";
import { FakeUser32 } from "../../support/windows/fake_user32.ts";

const MONITOR = { x: 500, y: 0, width: 500, height: 500 };

Deno.test("everything that one operation sends goes in one call", async () => {
  const { input, user32 } = open();
  user32.cursor = { x: 510, y: 20 };
  input.mouse.move({ x: 10, y: 20 });
  input.mouse.press("left");
  input.mouse.release("left");
  await input.confirm();
  expect(user32.calls).toEqual(["mouse c001 33456,2686 0; mouse 2 0,0 0; mouse 4 0,0 0"]);
});

Deno.test("what is pressed before a wait is down during the wait", async () => {
  const { input, user32 } = open();
  input.mouse.press("middle");
  await Promise.resolve();
  expect(user32.calls).toEqual(["mouse 20 0,0 0"]);
  input.mouse.release("middle");
  await input.confirm();
  expect(user32.calls[1]).toBe("mouse 40 0,0 0");
});

Deno.test("left selects also where the buttons are swapped, and is released as it was pressed", async () => {
  const { input, user32 } = open();
  user32.metrics.set(SM.SWAPBUTTON, 1);
  input.mouse.press("left");
  user32.metrics.set(SM.SWAPBUTTON, 0);
  input.mouse.release("left");
  await input.confirm();
  expect(user32.calls).toEqual(["mouse 8 0,0 0; mouse 10 0,0 0"]);
});

Deno.test("back, forward and the wheels carry their numbers", async () => {
  const { input, user32 } = open();
  input.mouse.press("back");
  input.mouse.release("forward");
  input.mouse.scroll({ up: -2, right: 1 });
  await input.confirm();
  expect(user32.calls).toEqual([
    "mouse 80 0,0 1; mouse 100 0,0 2; mouse 800 0,0 -120; mouse 800 0,0 -120; mouse 1000 0,0 120",
  ]);
});

Deno.test("position() is that on the monitor", async () => {
  const { input, user32 } = open();
  user32.cursor = { x: 512, y: 34 };
  expect(await input.mouse.position()).toEqual({ x: 12, y: 34 });
});

Deno.test("an event that Windows does not take is permission_denied, on a foreign desktop unavailable", async () => {
  const { input, user32 } = open();
  user32.takes = 0;
  input.mouse.press("left");
  await expect(input.confirm()).rejects.toMatchObject({ code: "permission_denied" });
  input.mouse.release("left");
  user32.desktop = false;
  await expect(input.confirm()).rejects.toMatchObject({ code: "unavailable" });
  await expect(input.mouse.position()).rejects.toMatchObject({ code: "unavailable" });
  user32.takes = undefined;
  await input.confirm();
});

Deno.test("a symbol presses the modifiers that the layout needs, AltGr being Ctrl and the right Alt", async () => {
  const { input, user32 } = open();
  user32.layout.set("A", 0x141).set("@", 0x651);
  await tap(input, "A");
  await tap(input, "@");
  expect(user32.calls).toEqual([
    "key a0 down; key 41 down; key 41 up; key a0 up",
    "key a2 down; key a5e down; key 51 down; key 51 up; key a5e up; key a2 up",
  ]);
});

Deno.test("a modifier that is held already is not pressed again", async () => {
  const { input, user32 } = open();
  user32.layout.set("A", 0x141);
  input.keyboard.use.press(key("shiftright"));
  input.keyboard.use.press(key("A"));
  input.keyboard.use.release(key("A"));
  input.keyboard.use.release(key("shiftright"));
  await input.confirm();
  expect(user32.calls).toEqual(["key a1 down; key 41 down; key 41 up; key a1 up"]);
});

Deno.test("ctrl+c works on a layout without Latin letters, ctrl+é is refused, é alone is sent as it is", async () => {
  const { input, user32 } = open();
  const { use: keyboard } = input.keyboard;
  const chord = [key("ctrl"), key("c")];
  await keyboard.prepare(chord);
  for (const each of chord) keyboard.press(each);
  for (const each of chord.toReversed()) keyboard.release(each);
  await input.confirm();
  await tap(input, "é");
  expect(user32.calls).toEqual([
    "key a2 down; key 43 down; key 43 up; key a2 up",
    "unit e9 down; unit e9 up",
  ]);
  expect(() => keyboard.prepare([key("ctrl"), key("é")])).toThrow("not on the active keyboard");
});

Deno.test("a key that is down for one symbol is not pressed for another", () => {
  const { input: { keyboard: { use: keyboard } }, user32 } = open();
  user32.layout.set("a", 0x41).set("A", 0x141);
  keyboard.press(key("a"));
  expect(() => keyboard.press(key("A"))).toThrow("held down for another symbol");
});

Deno.test("a text is sent unit by unit, with Enter and Tab as keys", async () => {
  const { input, user32 } = open();
  await using plan = await input.keyboard.use.plan("é😀\r\n\t");
  expect(plan.length).toBe(4);
  await plan.send(0, 2);
  await input.confirm();
  await plan.send(2, 4);
  await input.confirm();
  expect(user32.calls).toEqual([
    "unit e9 down; unit e9 up; unit d83d down; unit d83d up; unit de00 down; unit de00 up",
    "key d down; key d up; key 9 down; key 9 up",
  ]);
  await expect(input.keyboard.use.plan("ab\u0007")).rejects
    .toMatchObject({ field: "text", message: "Characters that cannot be typed: U+0007 at 2" });
});

Deno.test("modifiers of somebody else are named, our own are not, and releaseAll() releases both", async () => {
  const { input, user32 } = open();
  input.keyboard.use.press(key("ctrl"));
  await input.confirm();
  for (const vk of [0xa1, 0x5b, 0x41, 0x03, 0x04]) user32.down.add(vk);
  expect(othersOn(input).seen()).toBe(true);
  expect(await othersOn(input).modifiers()).toEqual(["shift", "win"]);
  user32.calls.length = 0;
  await input.releaseAll();
  expect(user32.calls).toEqual([
    "key a2 up",
    "key 3e up; key 41 up; key 5be up; key a1 up; mouse 40 0,0 0",
  ]);
  expect(othersOn(input).seen()).toBe(false);
});

Deno.test("every word of the interface has a virtual key, and every name of the table a keysym", () => {
  const without = Object.keys(WORDS).filter((word) =>
    findVirtualKey(key(word).keysym) === undefined
  );
  expect(without).toEqual([]);
  expect(namesOfVirtualKeys().filter((name) => findKey(name) === undefined)).toEqual([]);
});

Deno.test("Break is a key of its own, as Ctrl and Pause make it", async () => {
  const { input, user32 } = open();
  for (const name of ["pause", "break"]) await tap(input, name);
  expect(user32.calls).toEqual(["key 13 down; key 13 up", "key 3e down; key 3e up"]);
});

Deno.test("a key that Windows does not have is unsupported", () => {
  const { input: { keyboard: { use: keyboard } } } = open();
  expect(() => keyboard.prepare([key("XF86Eject")])).toThrow("Windows has no such key");
});

function open() {
  const user32 = new FakeUser32();
  const queue = new InputQueue(user32);
  const keyboard = new WindowsKeyboard(user32, queue);
  const mouse = new WindowsMouse({ user32, queue, monitor: () => MONITOR });
  return { input: new WindowsInput(mouse, keyboard, queue), user32 };
}

async function tap(input: WindowsInput, name: string): Promise<void> {
  input.keyboard.use.press(key(name));
  input.keyboard.use.release(key(name));
  await input.confirm();
}

function key(name: string): Key {
  return findKey(name)!;
}

function othersOn({ keyboard: { use: { heldByOthers } } }: WindowsInput): HeldByOthers {
  return heldByOthers.use;
}
