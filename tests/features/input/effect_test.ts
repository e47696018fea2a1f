/** `effect`: what is known about the effect of input, on a real X server and beside windows that behave badly. */

import { expect } from "expect";
import { testApp } from "../../support/client.ts";
import { holdClicks } from "../../support/click_holder.ts";
import { type Desktop, startDesktop, startRecordedDesktop } from "../../support/desktop.ts";
import { startService } from "../../support/service.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { waitFor } from "../../support/wait.ts";
import { TestX } from "../../support/x_client.ts";
import { openXterm } from "../../support/xterm.ts";

const KEY_PRESS = 1 << 0;
const BUTTONS = (1 << 2) | (1 << 3);

interface Effect {
  readonly effect: "confirmed" | "unverified";
  readonly by?: "server" | "program";
  readonly reason: string;
  readonly window?: string;
}

async function effectOf(
  { service }: Pick<Desktop, "service">,
  operation: string,
  body: Record<string, unknown> = {},
): Promise<Effect> {
  return await service.call(`/api/${operation}`, { ...body, effect: true }) as Effect;
}

const CLICKS: readonly [string, Record<string, unknown>][] = [
  ["mouse/left-click", { x: 50, y: 50 }],
  ["mouse/right-click", { x: 50, y: 50 }],
  ["mouse/middle-click", { x: 50, y: 50, modifiers: ["ctrl"] }],
  ["mouse/double-click", { x: 50, y: 50 }],
  ["mouse/triple-click", {}],
  ["mouse/scroll", { clicks: -2 }],
  ["mouse/scroll", { clicks: 0, horizontal_clicks: 1 }],
  ["mouse/drag", { x: 90, y: 90, from: { x: 50, y: 50 }, duration_ms: 0 }],
  ["mouse/down", { x: 40, y: 40 }],
  ["mouse/up", {}],
];
const KEYS: readonly [string, Record<string, unknown>][] = [
  ["keyboard/key", { key: "a" }],
  ["keyboard/key", { key: "ctrl+a", repeat: 3 }],
  ["keyboard/hotkey", { keys: ["ctrl", "shift", "b"] }],
  ["keyboard/type", { text: "Grüße 漢字", typing_delay: 0 }],
  ["keyboard/hold", { key: "shift" }],
  ["keyboard/release", { key: "shift" }],
];

Deno.test("effect is confirmed by a program that answers, for every operation", async () => {
  await using desktop = await startRecordedDesktop({ recorder: { ping: true } });
  expect(await effectOf(desktop, "mouse/move", { x: 300, y: 200 })).toMatchObject({
    ...{ effect: "confirmed", by: "program" },
    reason: "The cursor is at 300, 200, and the program there has handled it.",
  });
  for (const [operation, body] of [...CLICKS, ...KEYS]) {
    desktop.recorder.clear();
    expect({ operation, ...await effectOf(desktop, operation, body) })
      .toMatchObject({ operation, effect: "confirmed", by: "program" });
    // the answer came after the program had it, so nothing is left to wait for
    expect(desktop.recorder.events.length).toBeGreaterThan(0);
  }
});

Deno.test("operations without effect answer as they always have", async () => {
  await using desktop = await startRecordedDesktop();
  for (const [operation, body] of [["mouse/move", { x: 1, y: 2 }] as const, ...CLICKS, ...KEYS]) {
    const answer = await desktop.service.send(`/api/${operation}`, body);
    const [status, text] = operation.startsWith("mouse") ? [204, ""] : [200, "null"];
    expect([operation, answer.status, await answer.text()]).toEqual([operation, status, text]);
  }
});

Deno.test("effect is confirmed by the server alone where the program has no way to answer", async () => {
  await using desktop = await startRecordedDesktop();
  for (const [operation, body] of [...CLICKS, ...KEYS]) {
    expect({ operation, ...await effectOf(desktop, operation, body) })
      .toMatchObject({ operation, effect: "confirmed", by: "server" });
  }
  expect(await effectOf(desktop, "mouse/move", { x: 9, y: 8 })).toMatchObject({
    ...{ effect: "confirmed", by: "server", reason: "The cursor is at 9, 8." },
  });
});

Deno.test("effect is unverified where no window is", async () => {
  await using desktop = await startDesktop();
  const click = await effectOf(desktop, "mouse/left-click", { x: 50, y: 50 });
  expect(click).toMatchObject({ effect: "unverified" });
  expect(click.reason).toContain("No program received it");
  expect(await effectOf(desktop, "keyboard/type", { text: "abc" }))
    .toMatchObject({ effect: "unverified" });
  expect(await effectOf(desktop, "mouse/move", { x: 5, y: 5 }))
    .toMatchObject({ effect: "confirmed", by: "server" });
});

Deno.test("effect is unverified where only what manages the desktop gets it", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  x.client.ChangeWindowAttributes(x.root, { eventMask: BUTTONS }); // as window managers
  const click = await effectOf(desktop, "mouse/left-click", { x: 50, y: 50 });
  expect(click).toMatchObject({ effect: "unverified" });
  expect(click.reason).toContain("There is no window");
});

Deno.test("effect is unverified where a window ignores the input", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  const window = await x.openWindow({ width: 400, height: 300, eventMask: KEY_PRESS });
  await x.focus(window);
  expect(await effectOf(desktop, "mouse/left-click", { x: 50, y: 50 }))
    .toMatchObject({ effect: "unverified" });
  expect(await effectOf(desktop, "keyboard/key", { key: "a" }))
    .toMatchObject({ effect: "confirmed", by: "server" });
});

Deno.test("effect names the window that got the input", async () => {
  await using desktop = await startDesktop();
  await using xterm = await openXterm(desktop.display);
  const first = await effectOf(desktop, "keyboard/type", { text: "ls" });
  expect(first).toMatchObject({ effect: "confirmed", by: "server" });
  expect(first.window).toContain("sh");
  await xterm.expectNext("ls");
});

Deno.test("effect is unverified while a window manager holds the click back", async () => {
  // the window below answers, and has got nothing
  await using desktop = await startRecordedDesktop({
    recorder: { ping: true },
    limits: { focusWaitMs: 200 },
  });
  using clicks = await holdClicks(desktop.display);
  const held = await effectOf(desktop, "mouse/left-click", { x: 50, y: 50 });
  expect(held).toMatchObject({ effect: "unverified" });
  expect(held.reason).toContain("holds the click back");
  await desktop.recorder.sync();
  expect(desktop.recorder.buttonEvents).toEqual([]);
  await clicks.release();
});

Deno.test("effect follows a click that a window manager hands on late", async () => {
  await using desktop = await startRecordedDesktop({ recorder: { ping: true } });
  using clicks = await holdClicks(desktop.display);
  const answered = effectOf(desktop, "mouse/left-click", { x: 50, y: 50 });
  await waitFor(async () => await desktop.recorder.x.buttonsDown() > 0, {
    what: "the click to be held",
  });
  await clicks.release();
  expect(await answered).toMatchObject({ effect: "confirmed", by: "program" });
  expect(desktop.recorder.buttonEvents.length).toBe(2);
});

Deno.test("effect is confirmed by the server for a click that closes its window", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  const window = await x.openWindow({ width: 300, height: 300, eventMask: BUTTONS });
  x.client.on(
    "event",
    (({ name }: { name?: string }) => {
      if (name === "ButtonPress") x.client.DestroyWindow(window);
    }) as never,
  );
  const effect = await effectOf(desktop, "mouse/down", { x: 50, y: 50 });
  expect(effect).toMatchObject({ effect: "confirmed", by: "server" });
});

Deno.test("effect of what was so already is unverified", async () => {
  await using desktop = await startRecordedDesktop();
  await desktop.service.call("/api/keyboard/hold", { key: "shift" });
  const again = await effectOf(desktop, "keyboard/hold", { key: "shift" });
  expect(again).toMatchObject({ effect: "unverified" });
  expect(again.reason).toContain("already in that state");
  await desktop.service.call("/api/keyboard/release", { key: "shift" });
  expect(await effectOf(desktop, "mouse/up")).toMatchObject({ effect: "unverified" });
  await effectOf(desktop, "mouse/move", { x: 7, y: 7 });
  expect(await effectOf(desktop, "mouse/move", { x: 7, y: 7 }))
    .toMatchObject({ effect: "confirmed", by: "server" });
});

Deno.test("effect is told by xdotool too", async () => {
  await using server = await startXvfb();
  await using service = await startService({ displays: [server.display], backend: "xdotool" });
  expect(await effectOf({ service }, "mouse/left-click", { x: 50, y: 50 }))
    .toMatchObject({ effect: "unverified" });
  await using xterm = await openXterm(server.display);
  expect(await effectOf({ service }, "keyboard/key", { key: "a" }))
    .toMatchObject({ effect: "confirmed", by: "server" });
  await xterm.expectNext("a");
  expect(await effectOf({ service }, "mouse/move", { x: 60, y: 70 }))
    .toMatchObject({ effect: "confirmed", by: "server" });
});

Deno.test("effect is unverified, with the reason, on an X server of another computer", async () => {
  await using server = await startXvfb({ args: ["-listen", "tcp", "-ac"] });
  await using service = await startService({ displays: [`127.0.0.1${server.display}`] });
  using x = await TestX.open(server.display);
  await x.openWindow({ width: 400, height: 300, eventMask: BUTTONS });
  const effect = await effectOf({ service }, "mouse/left-click", { x: 50, y: 50 });
  expect(effect).toMatchObject({ effect: "unverified" });
  expect(effect.reason).toContain("is not on this computer");
});

Deno.test("effect is unverified on a system that does not tell, but for the place of the cursor", async () => {
  const app = testApp();
  const click = await app.post("/api/mouse/left-click", { x: 3, y: 4, effect: true });
  expect([click.status, click.json]).toEqual([200, {
    effect: "unverified",
    reason: "A fake does not report which program receives the input.",
  }]);
  const move = await app.post("/api/mouse/move", { x: 5, y: 6, effect: true });
  expect(move.json).toEqual({
    ...{ effect: "confirmed", by: "server", reason: "The cursor is at 5, 6." },
  });
  const moved = app.post("/api/mouse/move", { x: 9, y: 9, effect: true });
  app.platform.screen().fake.mouse.position = () => Promise.resolve({ x: 1, y: 2 });
  expect((await moved).json).toMatchObject({ effect: "unverified" });
});

Deno.test("ten operations at once each answer for themselves, and nothing is left recording", async () => {
  await using desktop = await startRecordedDesktop({ recorder: { ping: true } });
  const answers = await Promise.all(
    Array.from(
      { length: 10 },
      (_, index) =>
        effectOf(desktop, index % 2 === 0 ? "mouse/left-click" : "keyboard/key", {
          ...(index % 2 === 0 ? { x: 20 * index, y: 50 } : { key: "a" }),
        }),
    ),
  );
  for (const answer of answers) expect(answer).toMatchObject({ by: "program" });
});

Deno.test("an operation whose client leaves stops, and records no longer", async () => {
  await using desktop = await startRecordedDesktop({ recorder: { ping: true } });
  const client = new AbortController();
  const answer = fetch(`${desktop.service.listen()}/api/keyboard/type`, {
    method: "POST",
    signal: client.signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "a".repeat(2_000), typing_delay: 20, effect: true }),
  });
  const gone = expect(answer).rejects.toThrow();
  await waitFor(() => desktop.recorder.presses.length > 3, { what: "the text to begin" });
  client.abort();
  await gone;
  expect(await effectOf(desktop, "keyboard/key", { key: "b" })).toMatchObject({ by: "program" });
  await desktop.recorder.sync();
  expect(desktop.recorder.text.length).toBeLessThan(2_000);
});
