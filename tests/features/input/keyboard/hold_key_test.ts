/** Keys that stay down: after the request, during a text, and never for ever. */

import { expect } from "expect";
import { testApp } from "../../../support/client.ts";
import { startRecordedDesktop } from "../../../support/desktop.ts";
import { waitFor } from "../../../support/wait.ts";
import { DisplaySessions } from "../../../../src/features/input/display_sessions.ts";

const SHIFT_L = 0xffe1;

Deno.test("holdKey() keeps keys down until releaseKey(), and held lists them", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const { x } = recorder;
  expect(await service.call("/api/keyboard/held")).toEqual([]);
  expect(await service.call("/api/keyboard/hold", { key: "Shift" })).toBe(null);
  expect(await service.call("/api/keyboard/hold", { key: "漢" })).toBe(null);
  await service.call("/api/keyboard/hold", { key: "shift" }); // again: nothing more happens
  expect(await service.call("/api/keyboard/held")).toHaveLength(2);
  expect((await service.call("/api/keyboard/held") as string[]).map((name) => name.toLowerCase()))
    .toContain("漢");
  expect(await x.keysDown()).toContain(await x.keycodeOf(SHIFT_L));
  expect((await x.keysDown()).length).toBe(2);
  expect(await service.call("/api/keyboard/release", { key: "漢" })).toBe(null);
  await service.call("/api/keyboard/release", { key: "SHIFTLEFT" }); // the same key
  await service.call("/api/keyboard/release", { key: "a" }); // not held: left alone
  expect(await service.call("/api/keyboard/held")).toEqual([]);
  expect(await x.keysDown()).toEqual([]);
  await recorder.sync();
  expect(recorder.strokes).toBe("+Shift_L +1006f22 -1006f22 -Shift_L");
});

Deno.test("a key that is held counts for keys and clicks", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/keyboard/hold", { key: "ctrl" });
  await service.call("/api/keyboard/key", { key: "a" });
  await service.call("/api/keyboard/key", { key: "ctrl+b" }); // ctrl is down already, and stays
  await service.call("/api/mouse/left-click", { x: 9, y: 9 });
  await recorder.sync();
  expect(recorder.strokes).toBe("+Control_L +a -a +b -b");
  expect(recorder.buttonEvents[0]!.state).toBe(4);
  await service.call("/api/keyboard/release", { key: "ctrl" });
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("a text is typed plain while Shift and Ctrl are held, and they are down again after it", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const { x } = recorder;
  await service.call("/api/keyboard/hold", { key: "shift" });
  await service.call("/api/keyboard/hold", { key: "ctrl" });
  const down = await x.keysDown();
  expect(down.length).toBe(2);
  await service.type("abC1é漢");
  await recorder.sync();
  expect(recorder.text).toBe("abC1é漢");
  const letters = recorder.presses.filter(({ keysym }) => keysym >= 0x61 && keysym <= 0x7a);
  expect(letters.map(({ state }) => state)).toEqual([0, 0]);
  expect(await x.keysDown()).toEqual(down);
  expect(await service.call("/api/keyboard/held")).toEqual(["shift", "ctrl"]);
});

Deno.test("a key released while a text is typed does not come back", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/keyboard/hold", { key: "shift" });
  const typed = service.type("ab".repeat(20), { typing_delay: 2 });
  await service.call("/api/keyboard/release", { key: "shift" });
  await typed;
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("a key that is let go of while a text puts it back is not pressed again", async () => {
  const app = testApp();
  const { fake } = app.platform.screen();
  await app.post("/api/keyboard/hold", { key: "ctrl" });
  const { held } = await app.session.use(DisplaySessions).open(1);
  const [key] = held.keys;
  fake.keyboard.prepare = (keys) => {
    const letGo = () => { // its time ends just now
      held.removeKey(key!);
      fake.keyboard.release(key!);
    };
    return keys.length === 0 ? undefined : Promise.resolve().then(letGo);
  };
  expect((await app.post("/api/keyboard/type", { text: "ab", typing_delay: 0 })).status).toBe(200);
  expect([...fake.keyboard.down]).toEqual([]);
});

Deno.test("held keys and buttons are released after the longest hold time", async () => {
  await using desktop = await startRecordedDesktop({ limits: { maxHoldMs: 1_000 } });
  const { service, recorder } = desktop;
  const began = performance.now();
  await service.call("/api/keyboard/hold", { key: "ctrl" });
  await service.call("/api/mouse/down", { button: "left" });
  await waitFor(() => recorder.keyEvents.length === 2, { what: "the key to be released" });
  expect(performance.now() - began).toBeGreaterThan(990); // timers may be a little early
  await waitFor(() => recorder.buttonEvents.length === 2, { what: "the button to be released" });
  expect(await service.call("/api/keyboard/held")).toEqual([]);
  await service.call("/api/keyboard/release", { key: "ctrl" });
  await recorder.sync();
  expect(recorder.strokes).toBe("+Control_L -Control_L");
  expect(recorder.buttonEvents.map(({ what }) => what)).toEqual(["button down", "button up"]);
});

Deno.test("a hold time that ends while a text is typed leaves the key up", async () => {
  await using desktop = await startRecordedDesktop({ limits: { maxHoldMs: 200 } });
  const { service, recorder } = desktop;
  await service.call("/api/keyboard/hold", { key: "shift" });
  await service.type("ab".repeat(30), { typing_delay: 10 });
  await recorder.sync();
  expect(recorder.text).toBe("ab".repeat(30));
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("held keys that share a key of the keyboard do not lose each other", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const { x } = recorder;
  await service.call("/api/keyboard/hold", { key: "A" }); // with Shift
  await service.call("/api/keyboard/hold", { key: "shift" });
  await service.call("/api/keyboard/release", { key: "A" });
  expect(await x.keysDown()).toEqual([await x.keycodeOf(SHIFT_L)]);
  await service.call("/api/keyboard/release", { key: "shift" });
  expect(await x.keysDown()).toEqual([]);

  await service.call("/api/keyboard/hold", { key: "1" });
  const reason = await service.refused(409, "/api/keyboard/key", { key: "!" });
  expect(reason).toContain("its key is already held down for another symbol");
  expect((await x.keysDown()).length).toBe(1);
  await service.call("/api/keyboard/release", { key: "1" });
  expect(await x.keysDown()).toEqual([]);
});
