/** Keys that follow a click or a combination, beside a window manager that holds clicks back and windows that behave badly. */

import { expect } from "expect";
import { DisplaySessions } from "../../../src/features/input/display_sessions.ts";
import { holdClicks } from "../../support/click_holder.ts";
import { startDesktop, startRecordedDesktop } from "../../support/desktop.ts";
import { testApp } from "../../support/client.ts";
import { waitFor } from "../../support/wait.ts";
import { TestX } from "../../support/x_client.ts";

const BUTTON_PRESS = 1 << 2;
const STRUCTURE = 1 << 17;
const ATOM = 4;

const KEYS: [string, Record<string, unknown>][] = [
  ["key", { key: "a" }],
  ["hotkey", { keys: ["ctrl", "a"] }],
  ["type", { text: "a" }],
  ["hold", { key: "a" }],
];

for (const [operation, body] of KEYS) {
  Deno.test(`${operation} waits until a click that is held back has been delivered`, async () => {
    await using desktop = await startRecordedDesktop();
    const { service, recorder } = desktop;
    using clicks = await holdClicks(desktop.display);
    await service.call("/api/mouse/left-click", { x: 50, y: 50 });
    const answered = service.call(`/api/keyboard/${operation}`, body);
    await looks(desktop.display);
    await clicks.release();
    await answered;
    await recorder.sync();
    const kinds = recorder.events.map(({ what }) => what).filter((what) => what !== "motion");
    expect(kinds.slice(0, 3)).toEqual(["button down", "button up", "press"]);
  });
}

Deno.test("keys after a combination leave its program the time to move the focus", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.call("/api/keyboard/key", { key: "ctrl+l" });
  await service.type("ab");
  await recorder.sync();
  const pressed = recorder.events.filter(({ what }) => what === "press");
  const [, combination, first] = pressed.map(({ time }) => time);
  expect(pressed.length).toBe(4);
  expect(first! - combination!).toBeGreaterThanOrEqual(45);
});

Deno.test("a combination leaves the program of the text before it the time to take its letters", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.type("ab");
  await service.call("/api/keyboard/key", { key: "ctrl+s" });
  await recorder.sync();
  const pressed = recorder.events.filter(({ what }) => what === "press");
  const [, letter, combination] = pressed.map(({ time }) => time);
  expect(pressed.length).toBe(4);
  expect(combination! - letter!).toBeGreaterThanOrEqual(115);
});

Deno.test("clicks, presses and drags leave the program of the text before them the time to take it", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  for (
    const [operation, input] of [
      ["left-click", { x: 30, y: 30 }],
      ["down", {}],
      ["drag", { x: 60, y: 60, duration_ms: 0 }],
    ] as const
  ) {
    await recorder.sync();
    recorder.events.length = 0;
    await service.type("ab");
    await service.call(`/api/mouse/${operation}`, input);
    await service.call("/api/mouse/up", {});
    await recorder.sync();
    const times = (kind: string) =>
      recorder.events.filter(({ what }) => what === kind).map(({ time }) => time);
    const [, letter] = times("press");
    expect(times("button down")[0]! - letter!).toBeGreaterThanOrEqual(115);
  }
});

Deno.test("clicks and combinations leave a text its time also where nothing reports that a program has it", async () => {
  const app = testApp();
  for (
    const [path, input] of [
      ["mouse/left-click", { x: 30, y: 30 }],
      ["keyboard/key", { key: "ctrl+s" }],
    ] as const
  ) {
    await app.post("/api/keyboard/type", { text: "ab" });
    const typed = performance.now();
    await app.post(`/api/${path}`, input);
    expect(performance.now() - typed).toBeGreaterThanOrEqual(100); // 120 ms from when it was sent
  }
});

Deno.test("what is refused while it waits for a text leaves the wait to the next one", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await service.type("ab");
  const refused = service.refused(409, "/api/mouse/left-click", { x: 30, y: 30 });
  await new Promise((resolve) => setTimeout(resolve, 40)); // in the middle of the 120 ms
  await service.call("/api/system/release-all", {});
  await refused;
  await service.call("/api/mouse/left-click", { x: 30, y: 30 });
  await recorder.sync();
  const [, letter] = recorder.events.filter(({ what }) => what === "press");
  const [click] = recorder.events.filter(({ what }) => what === "button down");
  expect(click!.time - letter!.time).toBeGreaterThanOrEqual(115);
});

Deno.test("only combinations that call a function of a program are waited for", async () => {
  const app = testApp();
  const { clicks } = await app.session.use(DisplaySessions).open(1);
  for (const [key, isOne] of [["ctrl+l", true], ["shift+a", false], ["b", false]] as const) {
    clicks.combination.forget();
    await app.post("/api/keyboard/key", { key });
    expect([key, Number.isFinite(clicks.combination.age)]).toEqual([key, isOne]);
  }
});

Deno.test("keys after a click that is never delivered are refused, and nothing stays down", async () => {
  await using desktop = await startRecordedDesktop({ limits: { focusWaitMs: 200 } });
  const { service, recorder } = desktop;
  using clicks = await holdClicks(desktop.display);
  await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  const detail = await service.refused(409, "/api/keyboard/type", { text: "abc" });
  expect(detail).toContain("the previous click was not delivered within 200 ms");
  await service.refused(409, "/api/keyboard/key", { key: "ctrl+a" });
  await recorder.sync();
  expect(recorder.events.filter(({ what }) => what === "press")).toEqual([]);
  expect(await recorder.x.keysDown()).toEqual([]);
  await clicks.release();
  await service.type("abc");
  await recorder.sync();
  expect(recorder.text).toBe("abc");
  expect(await recorder.x.buttonsDown()).toBe(0);
});

Deno.test("release-all ends the wait for a click", async () => {
  await using desktop = await startRecordedDesktop({ limits: { focusWaitMs: 60_000 } });
  const { service, recorder } = desktop;
  using _clicks = await holdClicks(desktop.display);
  await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  const refused = service.refused(409, "/api/keyboard/type", { text: "abc" });
  await looks(desktop.display);
  await service.call("/api/system/release-all", {});
  await refused;
  await service.type("d"); // nothing waits any more
  await recorder.sync();
  expect(recorder.text).toBe("d");
});

Deno.test("keys do not wait for the button that `down` holds", async () => {
  await using desktop = await startRecordedDesktop({ limits: { focusWaitMs: 60_000 } });
  const { service, recorder } = desktop;
  await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  await service.call("/api/mouse/down", {});
  await service.type("a");
  await service.call("/api/mouse/up", {});
  await recorder.sync();
  expect(recorder.text).toBe("a");
});

Deno.test("keys after `up` wait until the click is delivered, also where others came after `down`", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  using clicks = await holdClicks(desktop.display);
  await service.call("/api/mouse/down", { x: 50, y: 50 });
  await service.call("/api/keyboard/key", { key: "a" });
  await service.call("/api/mouse/up", {});
  const answered = service.call("/api/keyboard/key", { key: "b" });
  await looks(desktop.display);
  await clicks.release();
  await answered;
  await recorder.sync();
  const kinds = recorder.events.map(({ what }) => what).filter((what) => what !== "motion");
  expect(kinds.slice(-4)).toEqual(["button down", "button up", "press", "release"]);
});

Deno.test("keys after a click on a window that never answers pings are sent, and nothing stays down", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  await openSilentWindow(x);
  await desktop.service.call("/api/mouse/left-click", { x: 50, y: 50 });
  await desktop.service.type("abc");
  expect(await x.keysDown()).toEqual([]);
  expect(await x.buttonsDown()).toBe(0);
});

Deno.test("windows that change while a program is asked leave the size of the display alone", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  const window = await openSilentWindow(x);
  const size = await desktop.service.call("/api/display/screen_size");
  await desktop.service.call("/api/mouse/left-click", { x: 50, y: 50 });
  const answered = desktop.service.type("abc");
  const client = x.client as unknown as {
    ResizeWindow(window: number, w: number, h: number): void;
  };
  for (let i = 0; i < 20; i++) {
    client.ResizeWindow(window, 100 + i, 100);
    await looks(desktop.display);
  }
  await answered;
  expect(await desktop.service.call("/api/display/screen_size")).toEqual(size);
});

Deno.test("keys after a click that closes its window are answered, and nothing stays down", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  const window = await x.openWindow({ managed: true, eventMask: BUTTON_PRESS | STRUCTURE });
  await x.focus(window);
  const client = x.client as TestX["client"] & { DestroyWindow(window: number): void };
  let closed = false;
  x.client.on(
    "event",
    ((event: { name?: string }) => {
      if (event.name === "ButtonPress") client.DestroyWindow(window);
      if (event.name === "DestroyNotify") closed = true;
    }) as never,
  );
  await desktop.service.call("/api/mouse/left-click", { x: 50, y: 50 });
  await desktop.service.call("/api/keyboard/key", { key: "ctrl+a" });
  await waitFor(() => closed, { what: "the window to be closed" });
  expect(await x.keysDown()).toEqual([]);
  expect(await x.buttonsDown()).toBe(0);
});

Deno.test("keys that wait for a click on a window that is destroyed meanwhile are answered", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  using clicks = await holdClicks(desktop.display);
  const window = await x.openWindow({ managed: true });
  await x.focus(window);
  await desktop.service.call("/api/mouse/left-click", { x: 50, y: 50 });
  const answered = desktop.service.call("/api/keyboard/key", { key: "a" });
  await looks(desktop.display);
  (x.client as unknown as { DestroyWindow(window: number): void }).DestroyWindow(window);
  await clicks.release();
  expect(await answered).toBe(null);
  expect(await x.keysDown()).toEqual([]);
});

Deno.test("keys go to the clicked window that gets the focus a little later", async () => {
  await using desktop = await startRecordedDesktop({ recorder: { managed: true } });
  const { service, recorder } = desktop;
  using x = await TestX.open(desktop.display);
  const other = await x.openWindow({ x: 700, y: 500 });
  await x.focus(other);
  await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  const answered = service.type("abc");
  await looks(desktop.display);
  await recorder.takeFocus();
  await answered;
  await recorder.sync();
  expect(recorder.text).toBe("abc");
});

Deno.test("a client that leaves while its keys wait for a click gets nothing pressed", async () => {
  await using desktop = await startRecordedDesktop({ limits: { focusWaitMs: 60_000 } });
  const { service, recorder } = desktop;
  using clicks = await holdClicks(desktop.display);
  await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  const client = new AbortController();
  const answer = service.send("/api/keyboard/type", { text: "abc" }, client.signal);
  await looks(desktop.display);
  client.abort();
  await answer.catch(() => {});
  await clicks.release();
  await service.type("d");
  await recorder.sync();
  expect(recorder.text).toBe("d");
});

Deno.test("the first keys after a click look where they go, all others do not", async () => {
  const app = testApp();
  const screen = app.platform.screen();
  await app.post("/api/keyboard/key", { key: "a" });
  await app.post("/api/mouse/left-click", { x: 1, y: 1 });
  expect(screen.looks).toBe(0);
  await app.post("/api/keyboard/key", { key: "a" });
  const { looks } = screen;
  expect(looks).toBeGreaterThan(0);
  await app.post("/api/keyboard/key", { key: "a" });
  expect(screen.looks).toBe(looks);
});

/** A window that says it answers pings, and does not. */
async function openSilentWindow(x: TestX): Promise<number> {
  const window = await x.openWindow();
  const atom = (name: string) => x.call<number>((done) => x.client.InternAtom(false, name, done));
  const ping = await atom("_NET_WM_PING");
  x.client.ChangeProperty(0, window, await atom("WM_PROTOCOLS"), ATOM, 32, [ping]);
  await x.focus(window);
  return window;
}

/** Gives the service time for a few looks at the display; nothing depends on how many there are. */
async function looks(display: string): Promise<void> {
  using x = await TestX.open(display);
  for (let i = 0; i < 10; i++) await x.pointer();
}
