/** Keys on sway, by the events that a page in Chromium gets. */

import { expect } from "expect";
import { openWaylandChromium, type WaylandBrowser } from "../../../../support/wayland/chromium.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { testIf } from "../../../../support/test_if.ts";
import { findKey } from "../../../../../src/platform/keys.ts";
import { attachKeyboard, openDevices, SHIFT_KEYCODE, type TestDevices } from "./devices.ts";

const missing = missingFor("sway", ["chromium"]);
const test = testIf(missing === undefined, missing ?? "");

const FIELD = { body: "<textarea id='field' autofocus></textarea>" };

interface Bench {
  readonly browser: WaylandBrowser;
  readonly devices: TestDevices;
}

type Check = (bench: Bench) => Promise<void>;

/**
 * Runs checks on one desktop, each with an empty field that has the focus; somebody has a keyboard
 * with the layout.
 */
function testOn(layout: string, checks: Readonly<Record<string, Check>>): void {
  test(`keys on the layout "${layout}"`, async (context) => {
    await using desktop = await startWaylandDesktop("sway");
    using _other = await attachKeyboard(desktop, layout);
    await using devices = await openDevices(desktop);
    await using browser = await openWaylandChromium(desktop, FIELD);
    for (const [name, check] of Object.entries(checks)) {
      await context.step(name, async () => {
        await browser.show(FIELD);
        await check({ browser, devices });
      });
    }
  });
}

testOn("us", {
  async "shortcuts select, copy and paste"({ browser, devices }) {
    await devices.type("copied ");
    for (const key of ["a", "c", "End", "v"]) {
      await devices.key(...(key === "End" ? [key] : ["ctrl", key]));
    }
    await browser.expectValue("#field", "copied copied ");
    const downs = browser.events("keydown").filter(({ modifiers }) => modifiers!.length > 0);
    expect(downs.map(({ key, code, modifiers }) => [key, code, ...modifiers!])).toContainEqual([
      "a",
      "KeyA",
      "ctrl",
    ]);
  },
  async "a character has the key of the layout, and Shift where that needs it"(
    { browser, devices },
  ) {
    await devices.type("aA!<\n");
    await browser.waitFor((events) => events.at(-1)?.key === "Enter", { type: "keyup" });
    expect(codes(browser)).toEqual([
      ...["KeyA", "ShiftLeft", "KeyA", "Digit1", "Comma", "Enter"],
    ]);
    await browser.expectValue("#field", "aA!<\n");
  },
  async "keys off the layout and named keys arrive"({ browser, devices }) {
    for (const name of ["é", "漢", "F5", "num7", "volumeup", "left", "home"]) {
      const before = browser.events("keyup").length;
      if (name !== "F5") await devices.key(name);
      else continue;
      await browser.waitFor((events) => events.length > before, { type: "keyup", what: name });
    }
    const keys = browser.events("keydown").map(({ key }) => key);
    expect(keys).toEqual(["é", "漢", "7", "AudioVolumeUp", "ArrowLeft", "Home"]);
    await browser.expectValue("#field", "é漢7");
  },
  async "a held key stays down beside others, and release-all releases it"({ browser, devices }) {
    const shift = findKey("shift")!;
    await devices.keyboard.prepare([shift]);
    devices.keyboard.press(shift);
    await devices.key("right");
    await devices.input.releaseAll();
    await devices.key("left");
    await browser.waitFor((events) => events.at(-1)?.key === "ArrowLeft", { type: "keyup" });
    const seen = browser.events("keydown").map(({ key, modifiers }) => [key, ...modifiers!]);
    expect(seen).toEqual([["Shift", "shift"], ["ArrowRight", "shift"], ["ArrowLeft"]]);
    expect(browser.events("keyup").map(({ key }) => key)).toContain("Shift");
  },
  async "Caps Lock does not change a text, and is on again afterwards"({ browser, devices }) {
    await devices.key("capslock");
    await devices.type("aBc");
    await devices.key("x");
    await devices.key("capslock");
    await devices.key("y");
    await browser.expectValue("#field", "aBcXy");
  },
  async "a shortcut's letter needs no Shift, whatever was typed before"({ browser, devices }) {
    const typed = Array.from({ length: 60 }, (_, index) => String.fromCodePoint(0x5000 + index));
    await devices.type(typed.join(""));
    await browser.expectValue("#field", typed.join(""));
    const letters = ["ζ", typed.at(-1)!];
    for (const letter of letters) await devices.key("ctrl", letter);
    const isEnd = (key: string) => key === "Control";
    await browser.waitFor((events) => events.filter(({ key }) => isEnd(key!)).length === 2, {
      type: "keyup",
    });
    const held = browser.events("keydown")
      .filter(({ key, modifiers }) => modifiers!.includes("ctrl") && !isEnd(key!));
    expect(held.map(({ key, modifiers }) => [key, ...modifiers!]))
      .toEqual(letters.map((letter) => [letter, "ctrl"]));
  },
  async "more characters than there are spare keys, again and again"({ browser, devices }) {
    const text = String.fromCodePoint(...Array.from({ length: 600 }, (_, index) => 0x5000 + index));
    await devices.type(text + text);
    await browser.expectValue("#field", text + text);
  },
});

testOn("de", {
  async "AltGr and umlauts are typed with the layout's keys"({ browser, devices }) {
    const text = "zyÖ@€{\\}äß";
    await devices.type(text);
    await browser.expectValue("#field", text);
    await devices.key("ctrl", "z");
    await browser.waitFor((events) => events.at(-1)?.key === "Control", { type: "keyup" });
    const keys = browser.events("keydown").map(({ key, code }) => `${key} ${code}`);
    expect(keys).toContain("z KeyY");
  },
});

testOn("ru,us", {
  async "each character has the layout in which it is, and shortcuts the Latin one"(
    { browser, devices },
  ) {
    const text = "Да, yes! нет, no?";
    await devices.type(text);
    await browser.expectValue("#field", text);
    expect(codes(browser)).toContain("KeyL"); // of the first letter
    for (const key of ["a", "c", "v", "v"]) await devices.key("ctrl", key);
    await browser.expectValue("#field", text + text);
  },
});

testOn("ru", {
  async "text and shortcuts work without Latin letters on the layout"({ browser, devices }) {
    await devices.type("Привет, world");
    await browser.expectValue("#field", "Привет, world");
    await devices.key("ctrl", "a");
    await devices.key("delete");
    await browser.expectValue("#field", "");
    expect(codes(browser)).toContain("KeyA");
  },
});

test("another layout and a held Shift of somebody else do not change what is typed", async () => {
  await using desktop = await startWaylandDesktop("sway");
  await using devices = await openDevices(desktop);
  await using browser = await openWaylandChromium(desktop, FIELD);
  await devices.type("yz ");
  await browser.expectValue("#field", "yz ");
  using german = await attachKeyboard(desktop, "de");
  await german.press(SHIFT_KEYCODE);
  await devices.client.roundtrip(); // it has been told of the other layout
  await devices.type("yzY ");
  await browser.expectValue("#field", "yz yzY ");
  await german.release(SHIFT_KEYCODE);
  const keys = browser.events("keydown").map(({ key, code }) => `${key} ${code}`);
  expect(keys.filter((each) => each.startsWith("z"))).toEqual(["z KeyZ", "z KeyY"]);
  expect(devices.keyboard.heldByOthers.ready).toBe(false);
});

test("sway loads its configuration again, and gives our keyboard its own keymap: text stays right", async () => {
  await using desktop = await startWaylandDesktop("sway");
  await using devices = await openDevices(desktop);
  await using browser = await openWaylandChromium(desktop, FIELD);
  let expected = "";
  for (const command of ["reload", "input * xkb_layout fr", "input * xkb_layout us"]) {
    for (const text of ["éaz", "漢aé"]) {
      await devices.type(text);
      expected += text;
    }
    await desktop.run("swaymsg", [command]);
    await devices.client.roundtrip();
  }
  await devices.type("é漢qz");
  await browser.expectValue("#field", `${expected}é漢qz`);
});

test("without any keyboard, the layout is the one that sway is configured for", async () => {
  await using desktop = await startWaylandDesktop("sway", { layout: "de" });
  await using devices = await openDevices(desktop);
  await using browser = await openWaylandChromium(desktop, FIELD);
  await devices.type("z");
  await browser.expectValue("#field", "z");
  expect(codes(browser)).toEqual(["KeyY"]);
});

function codes(browser: WaylandBrowser): (string | undefined)[] {
  return browser.events("keydown").map(({ code }) => code);
}
