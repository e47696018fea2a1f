/** keysFollowClick(): whether keys go where was clicked, beside a window manager that takes its time. */

import { expect } from "expect";
import { startDesk } from "../../../support/desk.ts";
import { TestX, type TestXClient } from "../../../support/x_client.ts";

/** What a window manager does to see clicks before the windows do. */
interface Grabbing extends TestXClient {
  GrabButton(
    window: number,
    ownerEvents: number,
    mask: number,
    pointerMode: number,
    keyboardMode: number,
    confineTo: number,
    cursor: number,
    button: number,
    modifiers: number,
  ): void;
  AllowEvents(mode: number, time: number): void;
}

const SYNCHRONOUS = 0;
const ASYNCHRONOUS = 1;
const REPLAY_POINTER = 2;
const BUTTON_PRESS = 4;
const ANY_MODIFIER = 0x8000;

Deno.test("keysFollowClick() is false as long as a window manager holds the click back", async () => {
  await using desk = await startDesk();
  using x = await TestX.open(desk.display);
  await x.openWindow({ width: 100, height: 100 });
  const manager = x.client as Grabbing;
  const { service } = desk;
  const display = await service.platform.displays.open(1);
  manager.GrabButton(
    ...[x.root, 0, BUTTON_PRESS, SYNCHRONOUS, ASYNCHRONOUS, 0, 0, 1, ANY_MODIFIER] as const,
  );
  await x.pointer();
  await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  expect(await display.keysFollowClick()).toBe(false);
  manager.AllowEvents(REPLAY_POINTER, 0);
  await x.pointer();
  expect(await display.keysFollowClick()).toBe(true);
});

Deno.test("keysFollowClick() is false while another window has the focus", async () => {
  await using desk = await startDesk();
  using x = await TestX.open(desk.display);
  const clicked = await x.openWindow({ width: 100, height: 100, managed: true });
  const other = await x.openWindow({ x: 300, width: 100, height: 100 });
  const display = await desk.service.platform.displays.open(1);
  await desk.service.call("/api/mouse/left-click", { x: 50, y: 50 });
  expect(await display.keysFollowClick()).toBe(true); // the focus follows the pointer
  await x.focus(other);
  expect(await display.keysFollowClick()).toBe(false);
  await x.focus(clicked);
  expect(await display.keysFollowClick()).toBe(true);
});

Deno.test("keysFollowClick() lets windows without a manager take the keyboard in their own ways", async () => {
  await using desk = await startDesk();
  using x = await TestX.open(desk.display);
  await x.openWindow({ width: 100, height: 100 });
  const other = await x.openWindow({ x: 300, width: 100, height: 100 });
  const display = await desk.service.platform.displays.open(1);
  await x.focus(other);
  await desk.service.call("/api/mouse/left-click", { x: 50, y: 50 });
  expect(await display.keysFollowClick()).toBe(true);
});
