/** display/wait for windows: fake ones, and those of real programs. */

import { expect } from "expect";
import type { Group } from "../../../src/core/groups.ts";
import { available } from "../../../src/platform/capability.ts";
import { testApp, type TestAppOptions } from "../../support/client.ts";
import { startDesktop } from "../../support/desktop.ts";
import { FakeWindows } from "../../support/fake_windows.ts";

const LONG_MS = 30_000;

function setUp(options: TestAppOptions = {}) {
  const app = testApp(options);
  const windows = new FakeWindows();
  windows.show({ id: "0x1", title: "Editor", app: "Mousepad", pid: 11 });
  app.platform.screen().windows = available(windows);
  const wait = (until: unknown, timeout_ms = LONG_MS) =>
    app.post("/api/display/wait", { until, timeout_ms });
  return { app, windows, wait };
}

Deno.test("waits for a window by title, program, process and state", async () => {
  const { windows, wait } = setUp();
  const byTitle = wait({ window: { title: "save AS" } });
  const byApp = wait({ window: { app: "zenity", pid: 12, states: ["active"] } });
  expect((await wait({ window: { title: "Save" } }, 0)).json.status).toBe("timeout");
  windows.open({ id: "0x2", title: "Save as...", app: "Zenity", pid: 12 });
  expect((await byTitle).json).toMatchObject({ status: "found", window: { id: "0x2", pid: 12 } });
  expect((await byApp).json).toMatchObject({ status: "found", window: { id: "0x2" } });
  const exact = await wait({ window: { title: "save as...", exact: true } }, 0);
  expect(exact.json.status).toBe("timeout");
});

Deno.test("waits until a window is closed, or has another title", async () => {
  const { windows, wait } = setUp();
  const retitled = wait({ gone: { window: { id: "0x1", title: "Editor" } } });
  const closed = wait({ gone: { window: { id: "0x1" } } });
  expect((await wait({ gone: { window: { id: "0x1" } } }, 0)).json.status).toBe("timeout");
  windows.update("0x1", { title: "Report" });
  expect((await retitled).json).toEqual({ status: "gone", elapsed_ms: expect.any(Number) });
  expect((await wait({ gone: { window: { id: "0x1" } } }, 0)).json.status).toBe("timeout");
  windows.close("0x1");
  expect((await closed).json.status).toBe("gone");
});

Deno.test("conditions of windows that cannot be seen, or say nothing, are refused", async () => {
  const disabled = new Set<Group>(["window"]);
  expect((await setUp({ config: { disabled } }).wait({ window: { id: "0x1" } })).status).toBe(403);
  const { app, wait } = setUp();
  for (const window of [{}, { exact: true }]) {
    expect((await wait({ window })).json.detail).toMatchObject([{
      loc: ["body", "until", "window"],
    }]);
  }
  app.platform.screen().windows = { ready: false, reason: "No windows here" };
  const { status, json } = await wait({ window: { id: "0x1" } });
  expect([status, json.detail]).toEqual([501, "No windows here"]);
});

Deno.test("waits for the window of a real program, for its new title, and until it has closed", async () => {
  await using desktop = await startDesktop();
  const wait = (until: unknown, timeout_ms = LONG_MS) =>
    desktop.service.call("/api/display/wait", { until, timeout_ms }) as Promise<
      { status: string; window: { id: string; title: string } }
    >;
  const opened = wait({ window: { title: "first title" } });
  expect((await wait({ window: { title: "first title" } }, 100)).status).toBe("timeout");
  const xterm = new Deno.Command("xterm", {
    args: ["-T", "First title", "-e", "sh", "-c", 'read x; printf "\\033]0;Second\\007"; read x'],
    env: { DISPLAY: desktop.display },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const { status, window } = await opened;
    expect([status, window.title]).toEqual(["found", "First title"]);
    const { id } = window;
    const retitled = wait({ window: { id, title: "Second" } });
    const closed = wait({ gone: { window: { id } } });
    const focused = { x: 20, y: 20 };
    await desktop.service.call("/api/mouse/left-click", focused);
    await desktop.service.call("/api/keyboard/key", { key: "enter" });
    expect((await retitled).window.id).toBe(id);
    await desktop.service.call("/api/keyboard/key", { key: "enter" });
    expect((await closed).status).toBe("gone");
  } finally {
    try {
      xterm.kill();
    } catch { /* it has ended */ }
    await xterm.status;
  }
});
