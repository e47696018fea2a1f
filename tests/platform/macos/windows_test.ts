/** The windows of a Mac of recorders, through the whole service, and the script on a stand-in for the bridge to macOS. */

import { expect } from "expect";
import { WINDOW_SCRIPT } from "../../../src/platform/macos/windows/windows.ts";
import { startMac, startMacService } from "../../support/mac.ts";
import type { MacWindow } from "../../support/mac_desktop.ts";
import { runWithSystemEvents } from "../../support/system_events.ts";

const NOTES: MacWindow = {
  ...{ number: 11, pid: 77, app: "Notes", title: "Grüße 漢", minimized: false },
  ...{ x: 100, y: 50, width: 300, height: 200 },
};
const MAIL: MacWindow = { ...NOTES, number: 12, pid: 78, app: "Mail", title: "Inbox", x: 120 };
const HIDDEN: MacWindow = { ...MAIL, number: 13, title: "Draft", minimized: true };

async function openDesktop() {
  const mac = await startMac();
  mac.change((desktop) => Object.assign(desktop, { windows: [NOTES, MAIL, HIDDEN], front: 77 }));
  const service = await startMacService(mac);
  return {
    mac,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await mac[Symbol.asyncDispose]();
    },
  };
}

Deno.test("macOS: windows are listed in pixels of the display, topmost first", async () => {
  await using opened = await openDesktop();
  const { service, mac } = opened;
  const list = async (display: number) =>
    await (await service.get(`/api/window/list?display_num=${display}`)).json();
  const place = { x: 100, y: 50, width: 300, height: 200 };
  expect(await list(1)).toMatchObject([
    { id: "11", title: "Grüße 漢", app: "Notes", pid: 77, frame: place, states: ["active"] },
    { id: "12", frame: { ...place, x: 120 }, states: [] },
    { id: "13", frame: null, states: ["minimized"] },
  ]);
  // the second display is at -800,-100 and has two pixels in each point
  expect((await list(2))[0].frame).toEqual({ x: 1_800, y: 300, width: 600, height: 400 });
  const args = mac.calls().flatMap((call) => call.args).filter((arg) => arg.startsWith("{"));
  expect(args).toEqual(['{"do":"list"}', '{"do":"list"}']);
});

Deno.test("macOS: windows are moved, resized, maximized, minimized, restored and closed", async () => {
  await using opened = await openDesktop();
  const { service } = opened;
  const change = async (verb: string, body: Record<string, unknown>) => {
    const answer = await service.post(`/api/window/${verb}`, body);
    expect(answer).toMatchObject({ status: 200, body: { result: "confirmed" } });
    return (answer.body as { window: { frame: unknown; states: string[] } | null }).window;
  };
  const moved = await change("move", { id: "12", x: 20, y: 30 });
  expect(moved!.frame).toEqual({ x: 20, y: 30, width: 300, height: 200 });
  await change("resize", { id: "12", width: 200, height: 100 });
  const second = await change("move", { id: "12", x: 1_700, y: 300, display_num: 2 });
  expect(second!.frame).toEqual({ x: 1_700, y: 300, width: 400, height: 200 });
  const large = await change("maximize", { id: "12" });
  expect(large).toMatchObject({
    ...{ frame: { x: 0, y: 24, width: 640, height: 376 }, states: ["maximized"] },
  });
  const restored = await change("restore", { id: "12" });
  expect(restored!.frame).toEqual({ x: 50, y: 50, width: 200, height: 100 });
  await change("minimize", { id: "12" });
  await change("restore", { id: "12" });
  expect((await change("focus", { id: "13" }))!.states).toEqual(["active"]);
  expect(await change("close", { id: "13" })).toBe(null);
});

Deno.test("macOS: a window that is closed, a missing permission and a script that hangs or fails", async () => {
  await using opened = await openDesktop();
  const { service, mac } = opened;
  expect(await service.post("/api/window/close", { id: "99" })).toMatchObject({ status: 404 });
  mac.change(({ answer }) => answer["accessibility"] = false);
  expect(await service.post("/api/window/minimize", { id: "11" })).toMatchObject({
    ...{ status: 403, body: { detail: expect.stringContaining("Accessibility") } },
  });
  mac.change(({ faults }) => faults.osascript = { code: 1, times: 9 });
  expect((await service.get("/api/window/list")).status).toBe(503);
});

Deno.test("macOS: a list that is not given in time is 504", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac, { programMs: 4_000 });
  const { windows } = await service.platform.displays.open(1);
  mac.change(({ faults }) => faults.osascript = { hang: true });
  const use = windows.ready ? windows.use : undefined;
  await expect(use!.list(new AbortController().signal))
    .rejects.toMatchObject({ code: "timed_out" });
});

const SERVER = {
  ...{ kCGWindowNumber: 11, kCGWindowOwnerPID: 77, kCGWindowOwnerName: "Notes" },
  ...{ kCGWindowLayer: 0, kCGWindowAlpha: 1, kCGWindowIsOnscreen: true },
  kCGWindowBounds: { X: 100, Y: 50, Width: 300, Height: 200 },
};
const TOLD = { title: "Grüße", position: [100, 50], size: [300, 200], minimized: false };

Deno.test("the window script takes titles from programs, and finds the windows that are minimized", () => {
  const hidden = { ...SERVER, kCGWindowNumber: 12, kCGWindowIsOnscreen: false };
  const dock = { ...SERVER, kCGWindowNumber: 13, kCGWindowLayer: 20 };
  const { print } = runWithSystemEvents(WINDOW_SCRIPT, {
    server: [dock, SERVER, hidden],
    windows: [TOLD, { ...TOLD, title: "Draft", minimized: true }],
  });
  expect(print("windows", `{"do":"list"}`)).toMatchObject({
    windows: [
      { number: 11, title: "Grüße", app: "Notes", minimized: false, x: 100, height: 200 },
      { number: 12, title: "Draft", minimized: true },
    ],
    front: 77,
    areas: [{ x: 0, y: 24, width: 640, height: 376 }],
  });
});

Deno.test("the window script changes the window of the number, and says why it cannot", () => {
  const other = { ...TOLD, title: "Other", position: [5, 5] };
  const { print, done } = runWithSystemEvents(WINDOW_SCRIPT, {
    server: [SERVER, { ...SERVER, kCGWindowNumber: 14, kCGWindowOwnerPID: 78 }],
    windows: [other, TOLD],
  });
  const change = (job: unknown) => print("windows", JSON.stringify(job));
  expect(change({ do: "move", number: 11, x: 7, y: 8 })).toEqual({ done: true });
  expect(change({ do: "resize", number: 11, width: 200, height: 90 })).toEqual({ done: true });
  expect(change({ do: "minimize", number: 14 })).toEqual({ refused: "unknown" });
  expect(change({ do: "close", number: 99 })).toEqual({ refused: "closed" });
  expect(done).toEqual(["Grüße position 7,8", "Grüße size 200,90"]);
  const moved = { ...SERVER, kCGWindowBounds: { X: 7, Y: 8, Width: 200, Height: 90 } };
  const next = runWithSystemEvents(WINDOW_SCRIPT, {
    server: [moved],
    windows: [other, { ...TOLD, position: [7, 8], size: [200, 90] }],
  });
  for (const job of ["minimize", "restore", "focus", "close"]) {
    expect(next.print("windows", JSON.stringify({ do: job, number: 11 }))).toEqual({ done: true });
  }
  expect(next.done).toEqual([
    ...["Grüße AXMinimized true", "Grüße AXMinimized false", "Grüße AXMinimized false"],
    ...["Grüße AXRaise", "process frontmost true", "Grüße click AXCloseButton"],
  ]);
  const refused = runWithSystemEvents(WINDOW_SCRIPT, { server: [SERVER], trusted: false });
  expect(refused.print("windows", `{"do":"close","number":11}`)).toEqual({
    refused: "accessibility",
  });
});
