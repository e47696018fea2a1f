/** Operations on a real sway, whose connections end at each message of either side: see `failing_sockets.ts`. */

import { expect } from "expect";
import { configureLog } from "../../src/core/log.ts";
import type { LinuxDisplay } from "../../src/platform/linux/linux_display.ts";
import { WaylandClient } from "../../src/platform/linux/wayland/client.ts";
import { DataControl } from "../../src/platform/linux/wayland/clipboards.ts";
import { EventClock } from "../../src/platform/linux/wayland/seat.ts";
import { attachKeyboard } from "../platform/linux/wayland/wlroots/devices.ts";
import { type Cut, CuttingProxy, swayMessageSize } from "../support/cutting_proxy.ts";
import { startService } from "../support/service.ts";
import { testIf } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import {
  missingFor,
  startWaylandDesktop,
  type WaylandDesktop,
} from "../support/wayland/desktop.ts";
import { type EventLog, FILLS_OUTPUT, openEventLog } from "../support/wayland/event_log.ts";
import { WaylandProxy } from "../support/wayland/proxy.ts";
import { countDescriptors } from "../support/wayland/socket_pair.ts";
import {
  cutEachMessage,
  type CutOperation,
  type CutService,
  type Cutter,
} from "./failing_sockets.ts";

const missing = missingFor("sway", ["foot"]);
const testSway = testIf(missing === undefined, missing ?? "");

configureLog({ level: "warn", format: "text" }); // without "display reopened"

const CUTS: readonly Cut[] = ["before", "after", "half"];
/** With characters that no key of the layout has. */
const TEXT = { text: "aA漢é", typing_delay: 0 };

const STILL = { until: "stable", stable_ms: 1 };

/** Mouse, keyboard, pictures and clipboard: what goes through the socket of the compositor. */
const OPERATIONS: Readonly<Record<string, (desk: Desk) => CutOperation>> = {
  "a move": (desk) => ({ path: "mouse/move", body: () => desk.point() }),
  "a click": (desk) => ({ path: "mouse/left-click", body: () => desk.point() }),
  "a click with modifiers": (desk) => ({
    path: "mouse/click",
    body: () => ({ ...desk.point(), modifiers: ["ctrl", "shift"] }),
  }),
  "a drag at once": (desk) => ({
    path: "mouse/drag",
    body: () => ({ ...desk.point(), from: desk.point(), modifiers: ["alt"], duration_ms: 0 }),
  }),
  "a press of a button": (desk) => ({
    path: "mouse/down",
    body: () => desk.point(),
    holds: true,
  }),
  "a turn of the wheel": (desk) => ({
    path: "mouse/scroll",
    body: () => ({ ...desk.point(), clicks: 3 }),
  }),
  "a key": () => ({ path: "keyboard/key", body: () => ({ key: "a" }) }),
  "a combination that is held for a while, twice": () => ({
    path: "keyboard/key",
    body: () => ({ key: "ctrl+shift+f12", duration_ms: 10, repeat: 2 }),
  }),
  "a key that is held": () => ({
    path: "keyboard/hold",
    body: () => ({ key: "shift" }),
    holds: true,
  }),
  "a text": () => ({ path: "keyboard/type", body: () => TEXT }),
  "a text while a key is held": ({ service }) => ({
    path: "keyboard/type",
    prepare: () => service.call("/api/keyboard/hold", { key: "shift" }),
    body: () => TEXT,
    holds: true,
  }),
  "a batch that holds a key": (desk) => ({
    path: "batch",
    body: () => ({
      steps: [
        { operation: "keyboard.hold", input: { key: "ctrl" } },
        { operation: "mouse.move", input: desk.point() },
        { operation: "keyboard.key", input: { key: "a" } },
      ],
    }),
  }),
  "a picture": () => ({ path: "display/screenshot" }),
  "a wait for a still picture": () => ({
    path: "display/wait",
    body: () => STILL,
  }),
  "the clipboard of another program": ({ copy }) => ({
    path: "clipboard/get",
    prepare: () => copy("a text"),
    body: () => ({}),
    afterwards({ status, text }) {
      if (status < 300) expect(text).toContain("a text");
    },
  }),
  "a change of the clipboard": () => ({
    path: "clipboard/set",
    body: () => ({ text: "a text" }),
  }),
  "a text on a new connection": ({ reopen }) => ({
    path: "keyboard/type",
    prepare: reopen,
    body: () => TEXT,
  }),
};

/** What goes through sway's own socket. */
const WINDOWS: Readonly<Record<string, (desk: Desk) => CutOperation>> = {
  "the list of windows": () => ({ path: "window/list" }),
  "the active window": () => ({ path: "window/active" }),
  "a window that gets the focus": (desk) => ({
    path: "window/focus",
    body: async () => ({ id: await desk.window("floats") }),
  }),
  "a window that moves": (desk) => ({
    path: "window/move",
    body: async () => ({ id: await desk.window("floats"), ...desk.point() }),
  }),
  "a window that gets another size": (desk) => ({
    path: "window/resize",
    body: async () => ({ id: await desk.window("floats"), width: 300, height: 200 }),
  }),
  "a window that is closed": (desk) => ({
    path: "window/close",
    body: async () => ({ id: await desk.openWindow() }),
  }),
  "a wait for a window": () => ({
    path: "display/wait",
    body: () => ({ until: { window: { title: "floats" } } }),
  }),
  "a wait for a window that comes": (desk) => ({
    path: "display/wait",
    body: () => ({ until: { window: { title: desk.openSoon() } } }),
  }),
  "a window that moves on a new connection": (desk) => ({
    path: "window/move",
    body: async () => ({ id: await desk.window("floats"), ...desk.point() }),
    first: desk.reopen,
  }),
};

interface Desk extends CutService, AsyncDisposable {
  /** To sway's own socket. */
  readonly ipc: Cutter;
  /** Ends the connections: the next operation opens others. */
  reopen(): Promise<void>;
  /** A point that no attempt had before: clicks at one point wait for each other. */
  point(): { readonly x: number; readonly y: number };
  /** Puts a text on the clipboard, as another program does. */
  copy(text: string): Promise<void>;
  /** The id of the window of this title. */
  window(title: string): Promise<string>;
  /** Opens another one, and gives its id. */
  openWindow(title?: string): Promise<string>;
  /** Opens one in a moment, and gives its title. */
  openSoon(): string;
  /** Ends the programs of all windows that it has opened: each has a descriptor here while it runs. */
  endWindows(): Promise<void>;
}

/** On it a terminal knows what is down. */
async function openDesk(): Promise<Desk> {
  await using opening = new AsyncDisposableStack();
  const desktop = opening.use(
    await startWaylandDesktop("sway", {
      config:
        `${FILLS_OUTPUT}\nfor_window [title="floats"] floating enable\nno_focus [title="floats"]`,
    }),
  );
  const { runtime } = desktop;
  const other = opening.use(await OtherDevices.open(desktop));
  const log = opening.use(await openEventLog(desktop));
  const name = `cut-${crypto.randomUUID()}`;
  const wayland = opening.use(new WaylandProxy(`${runtime}/${name}`, desktop.socket));
  const path = `${runtime}/cut.sock`;
  const ipc = opening.use(
    new CuttingProxy({
      listener: Deno.listen({ transport: "unix", path }),
      connect: () => Deno.connect({ transport: "unix", path: desktop.env["SWAYSOCK"]! }),
      messageSize: swayMessageSize,
      answersAll: true,
    }),
  );
  const service = opening.use(
    await startService({
      displays: [],
      env: { ...desktop.env, WAYLAND_DISPLAY: name, SWAYSOCK: path },
      writeLog() {},
    }),
  );
  const open = opening.move();
  let [points, windows] = [0, 0];
  const shown: AsyncDisposable[] = [];
  const show = (title: string) => {
    shown.push(desktop.start("foot", ["-T", title, "sh", "-c", "sleep 600"]));
  };
  const find = (title: string) =>
    waitFor(async () => {
      const all = await service.call("/api/window/list") as { id: string; title: string }[];
      return all.find((each) => each.title === title)?.id;
    }, { what: `the window "${title}"` });
  const desk: Desk = {
    ...{ proxy: wayland, ipc, service },
    async reopen() {
      const display = await service.platform.displays.open(1) as LinuxDisplay;
      wayland.hangUp();
      await waitFor(() => !display.connected, { what: "the loss to be noticed" });
    },
    probe: { path: "mouse/move", body: () => desk.point() },
    pressed: async () => readPressed(log, await other.mark()),
    point() {
      points++;
      return { x: 110 + points * 17 % 180, y: 110 + points % 180 };
    },
    copy: (text) => other.copy(text),
    window: find,
    async openWindow(title = `floats ${++windows}`) {
      show(title);
      return await find(title);
    },
    openSoon() {
      const title = `floats ${++windows}`;
      setTimeout(() => show(title), 50);
      return title;
    },
    endWindows: async () =>
      void await Promise.all(shown.map((each) => each[Symbol.asyncDispose]())),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
  return desk;
}

/** A mouse and a keyboard beside those of the service, as a person has them, and another program's clipboard. */
class OtherDevices implements Disposable {
  readonly #clock = new EventClock();
  readonly #seat;
  readonly #pointer;
  #marks = 0;
  #clipboard: Promise<DataControl> | undefined;

  private constructor(
    private readonly client: WaylandClient,
    private readonly keyboard: Disposable,
  ) {
    this.#seat = client.bind("wl_seat", 1);
    const manager = client.bind("zwlr_virtual_pointer_manager_v1", 1);
    this.#pointer = manager.send("create_virtual_pointer", this.#seat);
  }

  static async open(desktop: WaylandDesktop): Promise<OtherDevices> {
    using opening = new DisposableStack();
    const keyboard = opening.use(await attachKeyboard(desktop, "us"));
    const client = opening.use(await WaylandClient.open(desktop.socket));
    const devices = new OtherDevices(client, keyboard);
    devices.#pointer.send("motion_absolute", devices.#clock.next(), 1, 1, 2, 2);
    devices.#pointer.send("frame");
    await client.roundtrip();
    opening.move();
    return devices;
  }

  /** Turns a wheel by a number that it was never turned by: what comes before it is known when it is. */
  async mark(): Promise<number> {
    this.#marks++;
    this.#pointer.send("axis_source", CONTINUOUS);
    this.#pointer.send("axis", this.#clock.next(), HORIZONTAL, this.#marks);
    this.#pointer.send("frame");
    await this.client.roundtrip();
    return this.#marks;
  }

  async copy(text: string): Promise<void> {
    const clipboard = await (this.#clipboard ??= DataControl.open(this.client, this.#seat));
    await clipboard.offer(
      new Map([["text/plain;charset=utf-8", [new TextEncoder().encode(text)]]]),
    );
  }

  [Symbol.dispose](): void {
    this.client[Symbol.dispose]();
    this.keyboard[Symbol.dispose]();
  }
}

/** `wl_pointer.axis_source`, `wl_pointer.axis` */
const CONTINUOUS = 2;
const HORIZONTAL = 1;

/** What a terminal says of keys, buttons and the marks. */
const EVENT =
  /wl_keyboard@\d+\.key\(\d+, \d+, (\d+), (\d)\)|wl_pointer@\d+\.button\(\d+, \d+, (\d+), (\d)\)/g;

/** What is down in the terminal, once it has seen the mark. */
async function readPressed({ program }: EventLog, mark: number): Promise<string[]> {
  const seen = new RegExp(`wl_pointer@\\d+\\.axis\\(\\d+, ${HORIZONTAL}, ${mark}\\.0+\\)`);
  const text = await waitFor(async () => {
    const all = await program.errors();
    return seen.test(all) ? all : undefined;
  }, { what: "the terminal to see all input", everyMs: 2 });
  const down = new Set<string>();
  for (const [, key, keyState, button, buttonState] of text.matchAll(EVENT)) {
    const what = key === undefined ? `button ${button}` : `key ${key}`;
    if ((keyState ?? buttonState) === "1") down.add(what);
    else down.delete(what);
  }
  return [...down];
}

async function cutAll(
  test: Deno.TestContext,
  desk: Desk,
  operations: Readonly<Record<string, (desk: Desk) => CutOperation>>,
): Promise<void> {
  const before = countDescriptors();
  let all = 0;
  for (const [name, describe] of Object.entries(operations)) {
    await test.step(name, async () => {
      const operation = describe(desk);
      let injected = 0;
      for (const cut of CUTS) injected += await cutEachMessage(desk, operation, { cut });
      console.log(`${name}: ${injected} connections were cut`);
      expect(injected).toBeGreaterThanOrEqual(CUTS.length);
      all += injected;
    });
  }
  console.log(`${all} connections were cut`);
  await desk.endWindows();
  await test.step("no descriptor is left", async () => {
    await waitFor(() => countDescriptors() <= before, { what: "the descriptors to be closed" });
  });
}

testSway("operations on sway, whichever message on its socket is the last one", async (test) => {
  await using desk = await openDesk();
  await desk.service.call("/api/display/wait", STILL);
  await (await desk.service.send("/api/display/screenshot")).bytes();
  await cutAll(test, desk, OPERATIONS);
});

testSway(
  "operations on windows, whichever message on sway's own socket is the last one",
  async (test) => {
    await using desk = await openDesk();
    await desk.openWindow("floats");
    await desk.service.call("/api/display/wait", { until: { window: { title: "floats" } } });
    const target: Desk = {
      ...desk,
      proxy: desk.ipc,
      probe: { path: "window/list" },
      pressed: () => Promise.resolve([]), // nothing here presses anything
    };
    await cutAll(test, target, WINDOWS);
  },
);

testSway(
  "whatever sway does not answer any more, the service gives up and connects again",
  async () => {
    const given: readonly ((desk: Desk) => CutService & { operation: CutOperation })[] = [
      (desk) => ({ ...desk, operation: OPERATIONS["a click"]!(desk) }),
      (desk) => ({ ...desk, operation: OPERATIONS["a picture"]!(desk) }),
      (desk) => ({ ...desk, operation: OPERATIONS["a text"]!(desk) }),
      (desk) => ({ ...desk, proxy: desk.ipc, operation: WINDOWS["the list of windows"]!(desk) }),
    ];
    await Promise.all(given.map(async (describe) => {
      await using desk = await openDesk();
      await desk.service.call("/api/display/wait", STILL);
      const { operation, ...target } = describe(desk);
      expect(await cutEachMessage(target, operation, { cut: "silent", most: 1 })).toBe(1);
    }));
  },
);
