/** keyTarget(): where keys go after a click, beside a window manager that takes its time. */

import { expect } from "expect";
import type { Display, KeyTarget, Point } from "../../../../src/platform/types/mod.ts";
import { holdClicks } from "../../../support/click_holder.ts";
import { startDesktop } from "../../../support/desktop.ts";
import { openRecorder } from "../../../support/recorder.ts";
import { TestX } from "../../../support/x_client.ts";

Deno.test("keyTarget() is held back as long as a window manager holds the click back", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  await x.openWindow({ width: 100, height: 100 });
  const { service } = desktop;
  const display = await service.platform.displays.open(1);
  using clicks = await holdClicks(desktop.display);
  await service.call("/api/mouse/left-click", { x: 50, y: 50 });
  expect(await keyTarget(display)).toBe("held back");
  await clicks.release();
  expect(await keyTarget(display)).toBe("clicked");
});

Deno.test("keyTarget() is elsewhere while another window has the focus", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  const clicked = await x.openWindow({ width: 100, height: 100, managed: true });
  const other = await x.openWindow({ x: 300, width: 100, height: 100 });
  const display = await desktop.service.platform.displays.open(1);
  await desktop.service.call("/api/mouse/left-click", { x: 50, y: 50 });
  expect(await keyTarget(display)).toBe("clicked"); // the focus follows the pointer
  await x.focus(other);
  expect(await keyTarget(display)).toBe("elsewhere");
  await x.focus(clicked);
  expect(await keyTarget(display)).toBe("clicked");
});

Deno.test("keyTarget() lets windows without a manager take the keyboard in their own ways", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  await x.openWindow({ width: 100, height: 100 });
  const other = await x.openWindow({ x: 300, width: 100, height: 100 });
  const display = await desktop.service.platform.displays.open(1);
  await x.focus(other);
  await desktop.service.call("/api/mouse/left-click", { x: 50, y: 50 });
  expect(await keyTarget(display)).toBe("clicked");
});

Deno.test("keyTarget() and handled() are about the window that was clicked, wherever the cursor is now", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  const clicked = await x.openWindow({ width: 100, height: 100, managed: true });
  await x.openWindow({ x: 300, width: 100, height: 100, managed: true });
  const display = await desktop.service.platform.displays.open(1);
  await desktop.service.call("/api/mouse/left-click", { x: 50, y: 50 });
  await desktop.service.call("/api/mouse/move", { x: 350, y: 50 });
  await x.focus(clicked);
  expect(await keyTarget(display)).toBe("elsewhere");
  expect(await keyTarget(display, { x: 50, y: 50 })).toBe("clicked");
  expect(await keyTarget(display, { x: 700, y: 500 })).toBe("clicked"); // the desktop
  using recorder = await openRecorder(desktop.display, { width: 50, height: 50, ping: true });
  await recorder.x.focus(recorder.window);
  if (!display.delivery.ready) throw new Error(display.delivery.reason);
  expect(await display.delivery.use.handled()).toBe(false);
  expect(await display.delivery.use.handled({ x: 20, y: 20 })).toBe(true);
});

async function keyTarget({ focus }: Display, at?: Point): Promise<KeyTarget> {
  if (!focus.ready) throw new Error(focus.reason);
  return await focus.use.keyTarget({ button: "left", at });
}
