/** A modifier that somebody else holds down: waited for, then refused. */

import { expect } from "expect";
import { missing } from "../../../../src/platform/capability.ts";
import { run, startRecordedDesktop } from "../../../support/desktop.ts";
import { testApp } from "../../../support/client.ts";
import { TestX } from "../../../support/x_client.ts";

async function xdotool(display: string, ...args: string[]): Promise<void> {
  await run("xdotool", args, { DISPLAY: display });
}

Deno.test("a text waits for a modifier that somebody holds, and is typed once it is up", async () => {
  await using desktop = await startRecordedDesktop({ limits: { modifierWaitMs: 20_000 } });
  const { recorder, service, display } = desktop;
  await xdotool(display, "keydown", "ctrl");
  const typed = service.type("plain");
  const pressed = service.call("/api/keyboard/key", { key: "alt+x" });
  await service.call("/api/mouse/position"); // reads do not wait
  await recorder.sync();
  expect(recorder.text).toBe("");
  await xdotool(display, "keyup", "ctrl");
  await typed;
  await pressed;
  await recorder.sync();
  expect(recorder.text).toBe("plainx");
  expect(recorder.presses.filter(({ state }) => state & 4)).toEqual([]);
});

Deno.test("a text and a key are refused while somebody holds a modifier on and on", async () => {
  await using desktop = await startRecordedDesktop({ limits: { modifierWaitMs: 100 } });
  const { recorder, service, display } = desktop;
  await xdotool(display, "keydown", "ctrl", "keydown", "alt");
  await recorder.sync();
  recorder.clear();
  const text = await service.refused(409, "/api/keyboard/type", { text: "x" });
  expect(text).toContain("ctrl");
  expect(text).toContain("alt");
  expect(await service.refused(409, "/api/keyboard/key", { key: "x" })).toContain("ctrl");
  await service.refused(409, "/api/keyboard/hotkey", { keys: ["shift", "x"] });
  await recorder.sync();
  expect(recorder.keyEvents).toEqual([]);
  await service.call("/api/system/release-all", {});
  await service.type("x");
  await recorder.sync();
  expect(recorder.text).toBe("x");
});

Deno.test("a locked modifier is nobody's: Num Lock on hinders nothing", async () => {
  await using desktop = await startRecordedDesktop({ limits: { modifierWaitMs: 100 } });
  const { recorder, service } = desktop;
  using x = await TestX.open(desktop.display);
  await service.call("/api/keyboard/key", { key: "numlock" });
  await x.setCapsLock(true);
  expect((await x.state()).lockedMods).not.toBe(0);
  recorder.clear();
  await service.type("aB1.é漢");
  await service.call("/api/keyboard/key", { key: "num7" });
  await recorder.sync();
  expect(recorder.text).toBe("aB1.é漢");
  expect(recorder.presses.at(-1)!.keysym).toBe(0xffb7);
});

Deno.test("nothing waits where the system cannot tell who holds a modifier down", async () => {
  const app = testApp();
  const { keyboard } = app.platform.screen().fake;
  keyboard.others = ["ctrl"];
  keyboard.heldByOthers = missing("It cannot tell");
  expect((await app.post("/api/keyboard/type", { text: "x" })).status).toBe(200);
  expect((await app.post("/api/keyboard/key", { key: "a" })).status).toBe(200);
  expect(keyboard.typed).toBe("x");
  expect(keyboard.sent).toEqual(["type x", "press key a", "release key a"]);
});
