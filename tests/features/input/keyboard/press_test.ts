/** Keys and combinations, as they arrive at a window on a real server. */

import { expect } from "expect";
import { WORDS } from "../../../../src/platform/key_names.ts";
import { findKey } from "../../../../src/platform/keys.ts";
import { startRecordedDesktop } from "../../../support/desktop.ts";
import type { Service } from "../../../support/service.ts";
import type { Recorder } from "../../../support/recorder.ts";
import { waitFor } from "../../../support/wait.ts";

const SHIFT = 1;
const CONTROL = 4;
const MOD1 = 8;

interface Stroke {
  readonly service: Service;
  readonly recorder: Recorder;
}

/** Presses `key` and gives the strokes that arrived. */
async function strokesOf({ service, recorder }: Stroke, key: string): Promise<string> {
  recorder.clear();
  await service.call("/api/keyboard/key", { key });
  await recorder.sync();
  return recorder.strokes;
}

Deno.test("pressKey() presses the right symbol for every word", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  const locks = new Set(["capslock", "numlock"]);
  for (const word of Object.keys(WORDS)) {
    recorder.clear();
    for (let i = 0; i < (locks.has(word) ? 2 : 1); i++) { // twice: off again
      await service.call("/api/keyboard/key", { key: word });
    }
    await recorder.sync();
    const wanted = findKey(word)!.keysym;
    const arrived = recorder.presses.map(({ keysym }) => keysym);
    expect({ word, arrived }).toEqual({ word, arrived: expect.arrayContaining([wanted]) });
    expect(await recorder.x.keysDown()).toEqual([]);
  }
});

Deno.test("pressKey() presses symbols and characters of all kinds", async () => {
  await using desktop = await startRecordedDesktop({ layout: ["de"] });
  const names = [
    "Page_Down",
    "KP_0",
    "Aacute",
    "XF86AudioPlay",
    "EuroSign",
    "Hangul",
    "F20",
    "kp_enter",
  ];
  for (const key of [...names, "a", "Z", "ß", "@", "é", "漢", "😀", " ", "{"]) {
    desktop.recorder.clear();
    await desktop.service.call("/api/keyboard/key", { key });
    await desktop.recorder.sync();
    const wanted = canonical(findKey(key)!.keysym);
    const arrived = desktop.recorder.presses.map(({ keysym }) => canonical(keysym));
    expect({ key, arrived }).toEqual({ key, arrived: expect.arrayContaining([wanted]) });
    expect(await desktop.recorder.x.keysDown()).toEqual([]);
  }
});

/** EuroSign has a number of its own and one as a Unicode character. */
function canonical(keysym: number): number {
  return keysym === 0x20ac ? 0x010020ac : keysym;
}

Deno.test("pressKey() presses combinations in order and releases them in reverse", async () => {
  await using desktop = await startRecordedDesktop();
  const table = {
    "ctrl+shift+t": "+Control_L +Shift_L +T -T -Shift_L -Control_L",
    "ctrl+A": "+Control_L +a -a -Control_L",
    "ctrl+alt+delete": "+Control_L +Alt_L +Delete -Delete -Alt_L -Control_L",
    "ctrl++": "+Control_L +Shift_L +plus -plus -Shift_L -Control_L",
    "+": "+Shift_L +plus -plus -Shift_L",
    "A": "+Shift_L +A -A -Shift_L",
    "a": "+a -a",
    "shift": "+Shift_L -Shift_L",
    "ctrl+ctrl+c": "+Control_L +c -c -Control_L",
    "Ctrl+Page_Down": "+Control_L +Next -Next -Control_L",
    "Control+ArrowRight": "+Control_L +Right -Right -Control_L",
    "ControlRight+KeyX": "+Control_R +x -x -Control_R",
    "Meta": "+Super_L -Super_L",
    "Meta+l": "+Super_L +l -l -Super_L",
    "MetaRight+ArrowUp": "+Super_R +Up -Up -Super_R",
  };
  for (const [key, strokes] of Object.entries(table)) {
    expect({ key, strokes: await strokesOf(desktop, key) }).toEqual({ key, strokes });
  }
});

Deno.test("pressKey() gives the last key of a combination its modifiers", async () => {
  await using desktop = await startRecordedDesktop();
  await strokesOf(desktop, "ctrl+shift+t");
  expect(desktop.recorder.presses.map(({ state }) => state)).toEqual([0, CONTROL, CONTROL | SHIFT]);
});

Deno.test("pressKey() gives a combination with X's own Meta no Shift", async () => {
  await using desktop = await startRecordedDesktop();
  await strokesOf(desktop, "Meta_L+x");
  const [x] = desktop.recorder.presses.slice(-1);
  expect(x).toMatchObject({ keysym: 0x78, state: MOD1 });
  expect(await desktop.recorder.x.keysDown()).toEqual([]);
});

Deno.test("pressHotkey() presses in order and releases in reverse", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  await service.call("/api/keyboard/hotkey", { keys: ["ctrl", "SHIFT", "Left"] });
  await service.call("/api/keyboard/hotkey", { keys: ["alt", "F"] });
  await service.call("/api/keyboard/hotkey", { keys: ["+"] });
  await recorder.sync();
  expect(recorder.strokes).toBe([
    "+Control_L +Shift_L +Left -Left -Shift_L -Control_L",
    "+Alt_L +f -f -Alt_L",
    "+Shift_L +plus -plus -Shift_L",
  ].join(" "));
});

Deno.test("pressHotkey() presses sixteen keys, foreign ones among them", async () => {
  await using desktop = await startRecordedDesktop();
  const keys = ["ctrl", ..."abcdefgh", ..."漢字仮名", "f1", "f2", "é"];
  expect(keys.length).toBe(16);
  await desktop.service.call("/api/keyboard/hotkey", { keys });
  await desktop.recorder.sync();
  expect(desktop.recorder.presses.map(({ keysym }) => keysym)).toEqual(
    keys.map((key) => findKey(key)!.keysym),
  );
  expect(await desktop.recorder.x.keysDown()).toEqual([]);
});

Deno.test("unknown keys are refused, naming the nearest, and nothing is pressed", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  const single = await service.refused(422, "/api/keyboard/key", { key: "entr" });
  expect(single).toContain('"loc":["body","key"]');
  expect(single).toContain("value_error");
  expect(single).toContain("enter");
  const chord = await service.refused(422, "/api/keyboard/hotkey", { keys: ["ctrl", "shfit"] });
  expect(chord).toContain('"loc":["body","keys",1]');
  expect(chord).toContain("shift");
  for (const key of ["ctrl+", "+a", "ctrl+nonsense", "ctrl+++", "ab"]) {
    await service.refused(422, "/api/keyboard/key", { key });
  }
  await service.refused(422, "/api/keyboard/hold", { key: "ctrl+a" });
  await service.refused(422, "/api/keyboard/hotkey", { keys: [] });
  await service.refused(422, "/api/keyboard/hotkey", { keys: Array(17).fill("a") });
  await recorder.sync();
  expect(recorder.events).toEqual([]);
});

Deno.test("pressKey() holds a key down for as long as it was told", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  const pressed = service.call("/api/keyboard/key", { key: "ctrl+漢", duration_ms: 700 });
  await waitFor(async () => (await recorder.x.keysDown()).length === 2, { what: "the keys down" });
  expect(recorder.keyEvents.some(({ what }) => what === "release")).toBe(false);
  expect(await pressed).toBe(null);
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("pressKey() presses the key itself while Caps Lock is on, and leaves it on", async () => {
  await using desktop = await startRecordedDesktop();
  await desktop.recorder.x.setCapsLock(true);
  await desktop.service.call("/api/keyboard/key", { key: "ctrl+a" });
  await desktop.recorder.sync();
  expect(desktop.recorder.presses.length).toBe(2);
  expect(await desktop.recorder.x.capsLock()).toBe(true);
});

Deno.test("pressKey() and pressHotkey() press a key or a whole combination as often as they were told", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  await service.call("/api/keyboard/key", { key: "漢", repeat: 100 });
  await service.call("/api/keyboard/hotkey", { keys: ["shift", "tab"], repeat: 3 });
  await recorder.sync();
  expect(recorder.presses.filter(({ keysym }) => keysym === findKey("漢")!.keysym).length).toBe(
    100,
  );
  expect(recorder.strokes.split(" ").slice(200)).toEqual(
    Array(3).fill(["+Shift_L", "+ISO_Left_Tab", "-ISO_Left_Tab", "-Shift_L"]).flat(),
  );
  const times = recorder.presses.map(({ time }) => time);
  expect(new Set(times.slice(0, 100)).size).toBe(100); // none looks like the key's own repetition
});

Deno.test("release-all ends a key that is pressed again and again", async () => {
  await using desktop = await startRecordedDesktop();
  const { recorder, service } = desktop;
  const pressed = service.refused(409, "/api/keyboard/key", {
    key: "ctrl+a",
    duration_ms: 300_000,
    repeat: 100,
  });
  await waitFor(async () => (await recorder.x.keysDown()).length === 2, { what: "the keys down" });
  await service.call("/api/system/release-all", {});
  await pressed;
  expect(await recorder.x.keysDown()).toEqual([]);
});
