/** The keyboard of Windows: what arrives in an EDIT control of another program. */

import { expect } from "expect";
import type { HeldByOthers } from "../../../src/platform/types/mod.ts";
import type { WindowsInput } from "../../../src/platform/windows/displays.ts";
import {
  chord,
  keyNamed,
  openDesktop,
  openEditWindow,
  type,
} from "../../support/windows/desktop.ts";

const ignore = Deno.build.os !== "windows";

Deno.test({
  name: "a text arrives whole: accents, Han characters, emoji, line breaks and tabs",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    await type(desktop, "aB1!é 漢字 😀\n\tßЖ€");
    await editor.holds("aB1!é 漢字 😀\n\tßЖ€");
    const enter = editor.messages.find(({ name, code }) => name === "keydown" && code === 0x0d);
    expect(enter).toBeDefined();
  },
});

Deno.test({
  name: "a long text loses nothing and keeps its order",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    const text = Array.from({ length: 40 }, (_, i) => `${i}:äöü😀漢;`).join("");
    await type(desktop, text);
    await editor.holds(text);
  },
});

Deno.test({
  name: "Caps Lock does not change a text",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    await chord(desktop, "capslock");
    try {
      await type(desktop, "Abc é");
      await editor.holds("Abc é");
    } finally {
      await chord(desktop, "capslock");
    }
  },
});

Deno.test({
  name: "chords select, copy, paste and move as a person's do",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    await type(desktop, "one two");
    await editor.holds("one two");
    await chord(desktop, "home");
    for (let i = 0; i < 3; i++) await chord(desktop, "shift", "right");
    await chord(desktop, "ctrl", "c");
    await chord(desktop, "end");
    await chord(desktop, "ctrl", "v");
    await editor.holds("one twoone");
    await chord(desktop, "ctrl", "home");
    await chord(desktop, "ctrl", "shift", "end");
    await chord(desktop, "delete");
    await editor.holds("");
    await chord(desktop, "A");
    await chord(desktop, "?");
    await chord(desktop, "shift", "b");
    await chord(desktop, "backspace");
    await chord(desktop, "enter");
    await editor.holds("A?\n");
  },
});

Deno.test({
  name:
    "a character that the layout lacks can be pressed alone, and is refused together with others",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    await chord(desktop, "漢");
    await editor.holds("漢");
    await expect(chord(desktop, "ctrl", "漢")).rejects.toMatchObject({ code: "unsupported" });
    await expect(chord(desktop, "XF86Eject")).rejects.toMatchObject({ code: "unsupported" });
  },
});

Deno.test({
  name: "keys of the keypad and of the block beside it differ by the extended flag",
  ignore,
  fn: async () => {
    await using desktop = openDesktop();
    await using editor = await openEditWindow();
    const names = ["left", "KP_Left", "enter", "KP_Enter", "delete", "KP_Delete", "KP_7"];
    for (const name of names) await chord(desktop, name);
    const down = await editor.received(["keydown"], names.length);
    expect(down.map(({ code, extended }) => `${code?.toString(16)} ${extended}`)).toEqual([
      ...["25 true", "25 false", "d false", "d true", "2e true", "2e false", "67 false"],
    ]);
    expect(down[0]!.scan).toBe(0x4b);
  },
});

Deno.test({
  name: "heldByOthers names what somebody else holds, and releaseAll() releases it",
  ignore,
  fn: async () => {
    await using other = openDesktop();
    await using desktop = openDesktop();
    await using _window = await openEditWindow();
    expect(othersOn(desktop.input).seen()).toBe(false);
    other.input.keyboard.use.press(keyNamed("shift"));
    other.input.keyboard.use.press(keyNamed("ctrlright"));
    await other.input.confirm();
    expect(othersOn(desktop.input).seen()).toBe(true);
    expect(await othersOn(desktop.input).modifiers()).toEqual(["shift", "ctrl"]);
    expect(await othersOn(other.input).modifiers()).toEqual([]);
    await desktop.input.releaseAll();
    expect(await othersOn(desktop.input).modifiers()).toEqual([]);
  },
});

function othersOn({ keyboard: { use: { heldByOthers } } }: WindowsInput): HeldByOthers {
  return heldByOthers.use;
}
