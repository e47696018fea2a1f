/** How changes of windows are answered, where a fake says what windows do. */

import { expect } from "expect";
import { pollUntil } from "../../../src/features/window/window_answer.ts";
import { available } from "../../../src/platform/capability.ts";
import { testApp, type TestAppOptions } from "../../support/client.ts";
import { FakeWindows } from "../../support/fake_windows.ts";
import { waitFor } from "../../support/wait.ts";

const BOUNDS = { x: 10, y: 20, width: 300, height: 200 };

function openApp(options: TestAppOptions = {}) {
  const app = testApp(options);
  const windows = new FakeWindows();
  app.platform.screen().windows = available(windows);
  windows.show({ id: "w1", title: "Editor", bounds: BOUNDS }, { id: "w2", bounds: BOUNDS });
  return { app, windows };
}

Deno.test("a change that comes late is waited for", async () => {
  const { app, windows } = openApp();
  windows.obeys = false;
  const closing = app.post("/api/window/close", { id: "w1", timeout_ms: 60_000 });
  await waitFor(() => windows.asked.length === 1);
  windows.update("w1", { title: "Editor - closing" });
  windows.close("w1");
  expect((await closing).json).toEqual({ result: "confirmed", window: null });
});

Deno.test("a window that closes while another change is waited for is 409", async () => {
  const { app, windows } = openApp();
  windows.obeys = false;
  const focusing = app.post("/api/window/focus", { id: "w2", timeout_ms: 60_000 });
  await waitFor(() => windows.asked.length === 1);
  windows.close("w2");
  const { status, json } = await focusing;
  expect([status, json.detail]).toEqual([409, 'Window "w2" (w2) was closed in the meantime']);
});

Deno.test("a window that asks before it closes is 409 with what it asks", async () => {
  const { app, windows } = openApp();
  windows.obeys = false;
  const closing = app.post("/api/window/close", { id: "w1", timeout_ms: 1_000 });
  await waitFor(() => windows.asked.length === 1);
  windows.open({ id: "w3", title: "Save changes?" });
  const { status, json } = await closing;
  expect(status).toBe(409);
  expect(json.detail).toContain(
    "is still open: its program may ask what to do first; opened since then",
  );
  expect(json.detail).toContain('"Save changes?" (w3)');
});

Deno.test("each refusal says what is so instead", async () => {
  const { app, windows } = openApp();
  windows.obeys = false;
  const refuse = async (verb: string, body: Record<string, unknown> = {}) => {
    const { status, json } = await app.post(`/api/window/${verb}`, {
      ...{ id: "w2", timeout_ms: 0, ...body },
    });
    expect(status).toBe(409);
    return json.detail as string;
  };
  expect(await refuse("focus")).toContain("did not get the keyboard");
  expect(await refuse("minimize")).toContain("was not minimized");
  expect(await refuse("maximize")).toContain("was not maximized");
  expect(await refuse("close")).toContain("is still open");
  expect(await refuse("move", { x: 0, y: 0 })).toContain("stays at 300x200 pixels at 10,20");
  windows.update("w2", { states: ["maximized"] });
  expect(await refuse("resize", { width: 5, height: 5 })).toContain("it is maximized, restore it");
  expect(await refuse("restore")).toContain("is still maximized");
});

Deno.test("where the system does not tell a place, a move is unverified", async () => {
  const { app, windows } = openApp();
  windows.obeys = false;
  windows.update("w1", { bounds: null, frame: null });
  const { json } = await app.post("/api/window/move", { id: "w1", x: 0, y: 0 });
  expect(json).toMatchObject({ result: "unverified", window: { bounds: null, frame: null } });
});

Deno.test("input waits until a window has the keyboard; release-all ends that", async () => {
  const { app, windows } = openApp();
  windows.obeys = false;
  const focusing = app.post("/api/window/focus", { id: "w2", timeout_ms: 60_000 });
  await waitFor(() => windows.asked.length === 1);
  const typing = app.post("/api/keyboard/type", { text: "x", typing_delay: 0 });
  const fast = await Promise.race([typing, app.send("GET", "/api/window/list")]);
  expect(fast.json).toHaveLength(2);
  expect((await app.post("/api/system/release-all", {})).status).toBe(204);
  expect((await focusing).status).toBe(409);
  expect((await typing).status).toBe(409);
});

Deno.test("flags and displays that forbid or lack windows say so", async () => {
  const { app } = openApp({ config: { readOnly: true } });
  expect((await app.send("GET", "/api/window/list")).status).toBe(200);
  expect((await app.post("/api/window/close", { id: "w1" })).status).toBe(403);
  const off = openApp({ config: { disabled: new Set(["window"] as const) } });
  expect((await off.app.send("GET", "/api/window/list")).status).toBe(403);
  const { status, json } = await testApp().send("GET", "/api/window/list");
  expect([status, json.detail]).toEqual([501, "A fake has no windows"]);
  expect((await openApp().app.post("/api/window/move", { id: "w1", x: 0.5, y: 0 })).status)
    .toBe(422);
});

Deno.test("lookUntil() looks once more for what wakes it during a look", async () => {
  const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  let looks = 0;
  await pollUntil(new FakeWindows(), signal, () => {
    looks++;
    if (looks === 1) wake();
    return Promise.resolve(looks === 2);
  }, woken);
  expect(looks).toBe(2);
});
