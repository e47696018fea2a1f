/** Keys for an element of a page whose window does not become the active one: another program would get them. */

import { expect } from "expect";
import { available } from "../../../src/platform/capability.ts";
import type { WindowChange } from "../../../src/platform/types/mod.ts";
import { testApp } from "../../support/client.ts";
import { FAKE_BROWSER_WINDOW, FakeBrowser } from "../../support/fake_browser.ts";
import { FakeWindows } from "../../support/fake_windows.ts";

/** A page that believes to have the keyboard, in a window below the one of an editor. */
async function showPage(changes: readonly WindowChange["kind"][]) {
  const app = testApp();
  const { platform } = app;
  platform.browser = available(new FakeBrowser());
  const windows = new FakeWindows();
  const { bounds, title, pid } = FAKE_BROWSER_WINDOW;
  windows.show(
    { id: "w1", title: "Editor", pid: 7 },
    { id: "w2", title, pid: pid!, bounds, frame: bounds },
  );
  const screen = platform.screen();
  Object.assign(windows, { changes: new Set(changes) });
  Object.assign(screen, { windows: available(windows) });
  const { json } = await app.post("/api/browser/snapshot", {});
  const [, ref] = /"Send".*\[ref=(e\d+)\]/.exec(json.text)!;
  const type = () => app.post("/api/keyboard/type", { ref, text: "hi" });
  return { type, sent: screen.fake.sent };
}

Deno.test("keys are refused where no window can be made the active one", async () => {
  const { type, sent } = await showPage([]);
  const { status, json } = await type();
  expect([status, json.detail]).toEqual([
    409,
    expect.stringContaining("does not have the keyboard focus"),
  ]);
  expect(sent).toEqual([]);
});

Deno.test("they are sent where the window becomes the active one", async () => {
  const { type, sent } = await showPage(["focus"]);
  expect((await type()).status).toBe(200);
  expect(sent).toEqual(["type h", "type i"]);
});
