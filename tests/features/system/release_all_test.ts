/** release-all overtakes everything, and afterwards nothing is down. */

import { expect } from "expect";
import { run, startRecordedDesktop } from "../../support/desktop.ts";
import { waitFor } from "../../support/wait.ts";

const LONG = "Abc é漢 ".repeat(2_000);
/** Button3Mask of the X protocol. */
const RIGHT_BUTTON = 1 << 10;

Deno.test("releaseAll() stops a long text at once and drops what waits", async () => {
  for (const typing_delay of [0, 10]) {
    await using desktop = await startRecordedDesktop();
    const { service, recorder } = desktop;
    await service.call("/api/keyboard/hold", { key: "shift" });
    await service.call("/api/mouse/down", { button: "right" });
    const refused = Promise.all([
      service.refused(409, "/api/keyboard/type", { text: LONG, typing_delay }),
      service.refused(409, "/api/keyboard/key", { key: "Q" }),
      service.refused(409, "/api/mouse/left-click", {}),
    ]);
    await waitFor(() => recorder.presses.length > 3, { what: "the text to begin" });
    const response = await service.send("/api/system/release-all", {});
    expect(response.status).toBe(204);
    const { x } = recorder;
    expect([await x.keysDown(), await x.buttonsDown()]).toEqual([[], 0]);
    await refused;
    await recorder.sync();
    expect(recorder.text.length).toBeLessThan(LONG.length);
    expect(recorder.text).not.toContain("Q");
    expect(recorder.buttonEvents.map(({ detail }) => detail)).toEqual([3, 3]);
    expect(await service.call("/api/keyboard/held")).toEqual([]);

    recorder.clear();
    await service.type("on it goes");
    await recorder.sync();
    expect(recorder.text).toBe("on it goes");
  }
});

Deno.test("releaseAll() ends a long press, a movement and a drag", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const { x } = recorder;
  const long = { duration_ms: 60_000 };
  const table: [string, Record<string, unknown>][] = [
    ["/api/keyboard/key", { key: "ctrl+漢", ...long }],
    ["/api/mouse/drag", { x: 300, y: 200, ...long }],
    ["/api/mouse/move", { x: 0, y: 0, ...long }],
  ];
  for (const [path, body] of table) {
    await recorder.sync();
    recorder.clear();
    const refused = service.refused(409, path, body);
    await waitFor(() => recorder.events.length > 0, { what: `${path} to begin` });
    await service.call("/api/system/release-all", {});
    await refused;
    expect([await x.keysDown(), await x.buttonsDown()]).toEqual([[], 0]);
  }
});

Deno.test("releaseAll() releases what others have left down", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder, display } = desktop;
  await run("xdotool", ["keydown", "ctrl", "keydown", "a", "mousedown", "1"], { DISPLAY: display });
  const { x } = recorder;
  expect((await x.keysDown()).length).toBe(2);
  await service.call("/api/system/release-all", {});
  expect([await x.keysDown(), await x.buttonsDown()]).toEqual([[], 0]);
});

Deno.test("releaseAll() ends a text with Caps Lock on as it was, and spare keycodes given back", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const { x } = recorder;
  const before = await x.keyboardMapping();
  await x.setCapsLock(true);
  const refused = service.refused(409, "/api/keyboard/type", { text: LONG, typing_delay: 5 });
  await waitFor(() => recorder.presses.length > 10, { what: "the text to begin" });
  await service.call("/api/system/release-all", {});
  await refused;
  expect(await x.capsLock()).toBe(true);
  await waitFor(async () => String(await x.keyboardMapping()) === String(before), {
    what: "the keycodes to be given back",
  });
});

Deno.test("releaseAll() never takes a button from a request that comes at the same moment", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  for (let round = 0; round < 20; round++) {
    await Promise.all([
      service.send("/api/system/release-all", {}),
      service.call("/api/mouse/down", { button: "right" }),
    ]);
    await service.call("/api/mouse/down", { button: "right" }); // whichever came first, now it is down
    expect(await recorder.x.buttonsDown()).toBe(RIGHT_BUTTON);
    await service.call("/api/mouse/up", { button: "right" });
    expect(await recorder.x.buttonsDown()).toBe(0);
  }
});

Deno.test("releaseAll() stops a text whose groups are larger than the text", async () => {
  await using desktop = await startRecordedDesktop({ limits: { keymapSettleMs: 50 } });
  const { service, recorder } = desktop;
  const text = Array.from({ length: 2_000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
  const body = { text, typing_delay: 0, typing_group_size: 5_000 };
  const refused = service.refused(409, "/api/keyboard/type", body);
  await waitFor(() => recorder.presses.length > 3, { what: "the text to begin" });
  await service.call("/api/system/release-all", {});
  await refused;
  await recorder.sync();
  expect(recorder.text.length).toBeLessThan(text.length);
});
