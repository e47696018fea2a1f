/** Shortcuts with Latin letters on layouts that have none: which key is pressed. */

import { expect } from "expect";
import { findKey } from "../../../../src/platform/keys.ts";
import { startRecordedDesktop } from "../../../support/desktop.ts";

const [KEY_A, KEY_S] = [38, 39];
const CONTROL = 4;

Deno.test("a shortcut presses the key that has its letter in another group", async () => {
  await using desktop = await startRecordedDesktop({ layout: ["us,ru"] });
  const { recorder, service } = desktop;
  await recorder.x.lockGroup(1);
  await service.type(""); // asks for the group
  await service.call("/api/keyboard/key", { key: "ctrl+a" });
  await service.call("/api/keyboard/hotkey", { keys: ["ctrl", "shift", "S"] });
  await service.call("/api/keyboard/hold", { key: "alt" });
  await service.call("/api/keyboard/key", { key: "s" });
  await service.call("/api/keyboard/release", { key: "alt" });
  await recorder.sync();
  const details = recorder.presses.map(({ detail }) => detail);
  expect([details[1], details[4], details[6]]).toEqual([KEY_A, KEY_S, KEY_S]);
  expect(recorder.presses[1]!.state & CONTROL).toBe(CONTROL);
});

Deno.test("a shortcut's letter that no group has is a key with that very letter", async () => {
  await using desktop = await startRecordedDesktop({ layout: ["gr"] });
  const { recorder, service } = desktop;
  await service.call("/api/keyboard/key", { key: "ctrl+a" });
  await recorder.sync();
  expect(recorder.presses.map(({ keysym }) => keysym)).toEqual([
    findKey("ctrl")!.keysym,
    findKey("a")!.keysym,
  ]);
});

for (const layout of ["gr", "ru"]) {
  Deno.test(`a shortcut gets no Shift after a text of many letters that ${layout} lacks`, async () => {
    await using desktop = await startRecordedDesktop({ layout: [layout] });
    const { recorder, service } = desktop;
    const latin = "abcdefghijklmnopqrstuvwxyzéèêëàâäùûüçñßæøåþð";
    for (const text of [latin, "漢".repeat(3) + latin]) {
      await service.type(text);
      await recorder.sync();
      expect(recorder.text.endsWith(text)).toBe(true);
      for (const letter of ["z", "a", "q"]) {
        const { length } = recorder.presses;
        await service.call("/api/keyboard/key", { key: `ctrl+${letter}` });
        await recorder.sync();
        expect(recorder.presses.slice(length).map(({ keysym, state }) => [keysym, state])).toEqual([
          [findKey("ctrl")!.keysym, 0],
          [findKey(letter)!.keysym, CONTROL],
        ]);
      }
    }
  });
}

Deno.test("without a modifier a letter is typed as it is, in every group", async () => {
  await using desktop = await startRecordedDesktop({ layout: ["us,ru"] });
  const { recorder, service } = desktop;
  await recorder.x.lockGroup(1);
  await service.type(""); // asks for the group
  for (const key of ["a", "shift+a", "ф"]) await service.call("/api/keyboard/key", { key });
  await service.type("aф");
  await recorder.sync();
  const KEY_A_IN_RU = recorder.presses.filter(({ detail }) => detail === KEY_A);
  expect(KEY_A_IN_RU.length).toBe(2); // ф, twice
});
