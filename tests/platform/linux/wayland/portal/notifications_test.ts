/** Input through a desktop portal: its order, where it goes, and what becomes of what is refused. */

import { expect } from "expect";
import { pause } from "../../../../../src/core/deadline.ts";
import { openBus } from "../../../../../src/platform/linux/bus/message_bus.ts";
import { PortalDesktop } from "../../../../../src/platform/linux/wayland/portal/desktop.ts";
import {
  MonitorPointer,
  Notifications,
} from "../../../../../src/platform/linux/wayland/portal/input.ts";
import { openPortalSession } from "../../../../../src/platform/linux/wayland/portal/open_session.ts";
import type { Point } from "../../../../../src/platform/types/mod.ts";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";
import { type Decisions, startFakePortal } from "../../../../support/wayland/fake_portal.ts";

const test = testIf(Deno.build.os === "linux", "needs Linux");

/** After that time a move of our own counts no more, whatever the pictures show. */
const LATE_MS = 160;

async function openInput(decisions: Decisions = {}) {
  await using opening = new AsyncDisposableStack();
  const portal = opening.use(
    await startFakePortal({ RemoteDesktop: 2, ScreenCast: 5, Clipboard: 0 }),
  );
  await portal.decide(decisions);
  const bus = await openBus(portal.address);
  const signal = new AbortController().signal;
  const pictures = await openPortalSession(bus, { kind: "control", isKept: true, signal });
  const desktop = opening.use(await PortalDesktop.open({ bus, pictures }));
  const all = opening.move();
  return {
    portal,
    desktop,
    notifications: new Notifications(bus, desktop.control),
    inputs: async () => (await portal.log()).filter((line) => line.startsWith("Notify")),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test("the portal gets events in their order, although it handles calls out of order", async () => {
  await using at = await openInput();
  for (let keycode = 1; keycode <= 6; keycode++) at.notifications.key(keycode, keycode % 2 === 1);
  at.notifications.button(0x110, true);
  at.notifications.turn("vertical", -1);
  await at.notifications.confirm();
  expect(await at.inputs()).toEqual([
    ...[1, 2, 3, 4, 5, 6].map((keycode) => `NotifyKeyboardKeycode ${keycode} ${keycode % 2}`),
    "NotifyPointerButton 272 1",
    "NotifyPointerAxisDiscrete 0 -1",
  ]);
});

test("pixels of a scaled monitor are sent in its own units, by their middle", async () => {
  await using at = await openInput();
  const [monitor] = at.desktop.pictures.monitors; // 1280x800
  const stream = {
    size: { width: 1920, height: 1200 },
    cursorPosition: undefined,
    cursor: () => Promise.resolve(undefined),
  };
  const pointer = new MonitorPointer(monitor!, stream);
  at.notifications.move((session) => pointer.locate({ x: 0, y: 0 }, session));
  at.notifications.move((session) => pointer.locate({ x: 1919, y: 1199 }, session));
  await at.notifications.confirm();
  const sent = (await at.inputs()).map((line) => line.split(" ").slice(1).map(Number));
  expect(sent.map(([node]) => node)).toEqual([42, 42]);
  expect(sent[0]!.slice(1)).toEqual([expect.closeTo(1 / 3, 5), expect.closeTo(1 / 3, 5)]);
  expect(sent[1]!.slice(1)).toEqual([
    expect.closeTo(1280 - 1 / 3, 5),
    expect.closeTo(800 - 1 / 3, 5),
  ]);
  expect(await pointer.position()).toEqual({ x: 1919, y: 1199 });
});

test("a picture that comes late does not put the pointer back, and a person can move it", async () => {
  await using at = await openInput();
  const [monitor] = at.desktop.pictures.monitors;
  const shown = { x: 640, y: 300 };
  const pointer = new MonitorPointer(monitor!, {
    size: { width: 1280, height: 800 },
    get cursorPosition() {
      return { ...shown };
    },
    cursor: () => Promise.resolve({ position: { ...shown }, key: "", image: undefined }),
  });
  const move = (to: Point) => at.notifications.move((session) => pointer.locate(to, session));
  move({ x: 5, y: 7 });
  await at.notifications.confirm();
  await pause(LATE_MS); // only the image of the cursor has changed
  expect(await pointer.position()).toEqual({ x: 5, y: 7 });
  move({ x: 9, y: 9 });
  await at.notifications.confirm();
  Object.assign(shown, { x: 5, y: 7 });
  await pause(LATE_MS);
  expect(await pointer.position()).toEqual({ x: 9, y: 9 });
  Object.assign(shown, { x: 100, y: 101 });
  expect(await pointer.position()).toEqual({ x: 100, y: 101 });
});

test("input that the person does not allow is 403, and what comes later is judged anew", async () => {
  await using at = await openInput({ devices: 2 }); // the mouse alone
  at.notifications.wake(); // taps a key, which is left out
  at.notifications.button(0x110, true);
  await at.notifications.confirm();
  at.notifications.key(30, true);
  await expect(at.notifications.confirm()).rejects.toMatchObject({ status: 403 });
  at.notifications.button(0x110, false);
  await at.notifications.confirm();
  expect(await at.inputs()).toEqual([
    "NotifyPointerMotion 0.0 0.0",
    "NotifyPointerButton 272 1",
    "NotifyPointerButton 272 0",
  ]);
});

test("input into a session that ends is an error, never a success", async () => {
  await using at = await openInput();
  await at.portal.stop();
  at.notifications.key(30, true);
  await expect(at.notifications.confirm()).rejects.toHaveProperty("status", expect.any(Number));
  await waitFor(() => !at.desktop.connected, { what: "the end of the session" });
  at.notifications.key(30, true);
  await expect(at.notifications.confirm()).rejects.toMatchObject({ status: 403 });
  expect(await at.inputs()).toEqual([]);
});

test("a portal that ends in the middle of input is 503", async () => {
  await using at = await openInput();
  for (let keycode = 1; keycode <= 50; keycode++) at.notifications.key(keycode, true);
  await at.portal.crash();
  await expect(at.notifications.confirm()).rejects.toMatchObject({ status: 503 });
});
