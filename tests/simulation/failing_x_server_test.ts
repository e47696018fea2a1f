/** Operations on a real X server, whose connections end at each request: see `failing_sockets.ts`. */

import { expect } from "expect";
import { configureLog } from "../../src/core/log.ts";
import { type Cut, CuttingProxy, xMessageSize } from "../support/cutting_proxy.ts";
import { type Service, startService } from "../support/service.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { TestX } from "../support/x_client.ts";
import { copyWith, XCLIP } from "../support/x_clipboard.ts";
import { startXvfb } from "../support/xvfb.ts";
import {
  awaitReconnection,
  cutEachMessage,
  type CutOperation,
  type CutService,
} from "./failing_sockets.ts";

const ignore = unless(Deno.build.os === "linux", "the service speaks X on Linux");

configureLog({ level: "warn", format: "text" }); // without "display reopened"

const CUTS: readonly Cut[] = ["before", "after"];
/** Far from the numbers of servers, and low enough to be one of a display. */
const NUMBERS = { first: 30_000, count: 25_000 };
/** With characters that no key of the layout has. */
const TEXT = { text: "aA漢é", typing_delay: 0 };

interface Desk extends CutService, AsyncDisposable {
  /** Of the real server. */
  readonly display: string;
  /** A connection of the test's own to it. */
  readonly x: TestX;
  /** The id of a window on it. */
  readonly window: string;
  /** A point that no attempt had before: clicks at one point wait for each other. */
  point(): { readonly x: number; readonly y: number };
}

async function openDesk(): Promise<Desk> {
  await using opening = new AsyncDisposableStack();
  const server = opening.use(await startXvfb());
  const x = opening.use(await TestX.open(server.display));
  const number = NUMBERS.first + Math.floor(Math.random() * NUMBERS.count);
  const path = `/tmp/.X11-unix/X${number}`;
  const proxy = opening.use(
    new CuttingProxy({
      listener: Deno.listen({ transport: "unix", path }),
      connect: () => Deno.connect({ transport: "unix", path: socketOf(server.display) }),
      messageSize: xMessageSize,
    }),
  );
  opening.defer(() => Deno.remove(path));
  const window = await x.openWindow({ x: 100, y: 100, managed: true });
  await x.focus(window);
  const before = await keyboardOf(x);
  const service: Service = await startService({ displays: [`:${number}`], writeLog() {} });
  const open = opening.move();
  let points = 0;
  return {
    proxy,
    service,
    display: server.display,
    x,
    window: `0x${window.toString(16)}`,
    probe: { path: "mouse/position" },
    async pressed() {
      const buttons = await x.buttonsDown();
      const keys = (await x.keysDown()).map((keycode) => `key ${keycode}`);
      return buttons === 0 ? keys : [...keys, `buttons ${buttons.toString(2)}`];
    },
    point() {
      points++;
      return { x: 110 + points * 17 % 180, y: 110 + points % 180 };
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await x.setCapsLock(false);
      const after = await keyboardOf(x);
      await open.disposeAsync();
      expect(after).toEqual(before);
    },
  };
}

function socketOf(display: string): string {
  return `/tmp/.X11-unix/X${display.slice(1)}`;
}

/** What must be as before once the service has ended. */
async function keyboardOf(x: TestX) {
  const { lockedMods, latchedMods, group } = await x.state();
  return { symbols: await x.keyboardMapping(), lockedMods, latchedMods, group };
}

/** @param least requests of one attempt, so that no test passes because nothing was cut */
function testEach(
  name: string,
  least: number,
  describe: (desk: Desk) => CutOperation | Promise<CutOperation>,
): void {
  Deno.test({
    name: `${name} on an X server whose connection ends at each request`,
    ignore,
    async fn() {
      await using desk = await openDesk();
      const operation = await describe(desk);
      await desk.service.call("/api/mouse/position");
      let injected = 0;
      for (const cut of CUTS) injected += await cutEachMessage(desk, operation, { cut });
      console.log(`${injected} connections were cut`);
      expect(injected).toBeGreaterThanOrEqual(CUTS.length * least);
    },
  });
}

testEach("a move", 2, (desk) => ({ path: "mouse/move", body: () => desk.point() }));

testEach("a click", 4, (desk) => ({ path: "mouse/left-click", body: () => desk.point() }));

testEach("a click with modifiers", 8, (desk) => ({
  path: "mouse/click",
  body: () => ({ ...desk.point(), modifiers: ["ctrl", "shift"] }),
}));

testEach("a click whose effect is followed", 20, (desk) => ({
  path: "mouse/left-click",
  body: () => ({ ...desk.point(), effect: true }),
}));

testEach("a drag at once", 20, (desk) => ({
  path: "mouse/drag",
  body: () => ({ ...desk.point(), from: desk.point(), modifiers: ["alt"], duration_ms: 0 }),
}));

testEach("a press of a button", 3, (desk) => ({
  path: "mouse/down",
  body: () => desk.point(),
  holds: true,
}));

testEach("a turn of the wheel", 7, (desk) => ({
  path: "mouse/scroll",
  body: () => ({ ...desk.point(), clicks: 3 }),
}));

testEach("a key", 2, () => ({ path: "keyboard/key", body: () => ({ key: "a" }) }));

testEach("a combination that is held for a while, twice", 12, () => ({
  path: "keyboard/key",
  body: () => ({ key: "ctrl+shift+f12", duration_ms: 10, repeat: 2 }),
}));

testEach("a key that is held", 2, () => ({
  path: "keyboard/hold",
  body: () => ({ key: "shift" }),
  holds: true,
}));

testEach("a text", 12, () => ({ path: "keyboard/type", body: () => TEXT }));

testEach("a text while Caps Lock is on", 14, async (desk) => {
  await desk.x.setCapsLock(true);
  return {
    path: "keyboard/type",
    body: () => TEXT,
    afterwards: () => waitFor(() => desk.x.capsLock(), { what: "Caps Lock again" }),
  };
});

testEach("a text while a key is held", 12, ({ service }) => ({
  path: "keyboard/type",
  prepare: () => service.call("/api/keyboard/hold", { key: "shift" }),
  body: () => TEXT,
  holds: true,
}));

testEach("a batch that holds a key", 4, (desk) => ({
  path: "batch",
  body: () => ({
    steps: [
      { operation: "keyboard.hold", input: { key: "ctrl" } },
      { operation: "mouse.move", input: desk.point() },
      { operation: "keyboard.key", input: { key: "a" } },
    ],
  }),
}));

testEach("a picture", 2, () => ({ path: "display/screenshot" }));

testEach("a wait for a still picture", 2, () => ({
  path: "display/wait",
  body: () => ({ until: "stable", stable_ms: 1 }),
}));

testEach("the list of windows", 3, () => ({ path: "window/list" }));

testEach("a window that gets the focus", 30, (desk) => ({
  path: "window/focus",
  body: () => ({ id: desk.window }),
}));

testEach("a window that moves", 30, (desk) => ({
  path: "window/move",
  body: () => ({ id: desk.window, x: 101, y: 102 }),
}));

testEach("a change of the clipboard", 3, () => ({
  path: "clipboard/set",
  body: () => ({ text: "a text" }),
}));

testEach("the clipboard of another program", 2, async (desk) => {
  await copyWith(XCLIP.copy(), desk.display, new TextEncoder().encode("a text"));
  return { path: "clipboard/get", body: () => ({}) };
});

testEach("a move that opens the display again while a key is down", 30, (desk) => ({
  path: "mouse/move",
  prepare: () => desk.service.call("/api/keyboard/hold", { key: "shift" }),
  first: () => awaitReconnection(desk.proxy),
  body: () => desk.point(),
  isReleasedLater: true,
}));

testEach("a text that opens the display again while its characters are mapped", 30, (desk) => ({
  path: "keyboard/type",
  async prepare() {
    await desk.service.call("/api/keyboard/type", TEXT);
    await desk.service.call("/api/keyboard/hold", { key: "shift" });
  },
  first: () => awaitReconnection(desk.proxy),
  body: () => TEXT,
  isReleasedLater: true,
}));

Deno.test({
  name: "whatever an X server does not answer any more, the service gives up and connects again",
  ignore,
  async fn() {
    const given: readonly ((desk: Desk) => CutOperation)[] = [
      (desk) => ({ path: "mouse/left-click", body: () => desk.point() }),
      () => ({ path: "keyboard/type", body: () => TEXT }),
      () => ({ path: "window/list" }),
      () => ({ path: "display/screenshot" }),
    ];
    await Promise.all(given.map(async (describe) => {
      await using desk = await openDesk();
      const operation = describe(desk);
      await desk.service.call("/api/mouse/position");
      const cut = { cut: "silent", most: 1 } as const;
      expect(await cutEachMessage(desk, operation, cut)).toBe(1);
    }));
  },
});

Deno.test({
  name: "release-all releases what is down on every display, also where the connection was lost",
  ignore,
  async fn() {
    await using desk = await openDesk();
    const [name] = desk.service.config.displays.values();
    await using other = await startXvfb();
    await using service = await startService({ displays: [other.display, name!] });
    const second = { display_num: 2 };
    await service.call("/api/keyboard/hold", { key: "shift", ...second });
    await service.call("/api/mouse/down", { ...desk.point(), ...second });
    expect(await desk.pressed()).toHaveLength(2);
    await desk.proxy.hangUp();
    await service.call("/api/system/release-all", {});
    expect(await desk.pressed()).toEqual([]);
    expect(await service.call("/api/keyboard/held?display_num=2")).toEqual([]);
  },
});
