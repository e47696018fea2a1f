/** watchRealInput() on a real X server: devices count, and what programs inject does not. */

import { expect } from "expect";
import { X11Connection } from "../../../../src/platform/linux/x11/connection.ts";
import { watchRealInput } from "../../../../src/platform/linux/x11/real_input.ts";
import { RealDevices } from "../../../support/real_devices.ts";
import { startService } from "../../../support/service.ts";
import { waitFor } from "../../../support/wait.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const KEYCODE = 38;

Deno.test("watchRealInput() reports the mouse and the keyboard, each by what it does", async () => {
  await using server = await startXvfb();
  using devices = await RealDevices.open(server.display);
  let uses = 0;
  using _watch = await watchRealInput(server.display, () => uses++);
  const before = await devices.x.pointer();
  const acts = [
    () => devices.move(3, 4),
    () => devices.press(1),
    () => devices.pressKey(KEYCODE),
  ];
  for (const [done, act] of acts.entries()) {
    await act();
    await waitFor(() => uses > done, { what: `use ${done + 1}` });
    expect(uses).toBe(done + 1);
  }
  const after = await devices.x.pointer();
  expect([after.rootX - before.rootX, after.rootY - before.rootY]).toEqual([3, 4]);
  expect(await devices.x.keysDown()).toEqual([KEYCODE]);
});

Deno.test("watchRealInput() does not report what programs inject", async () => {
  await using server = await startXvfb();
  await using service = await startService({ displays: [server.display] });
  using devices = await RealDevices.open(server.display);
  let uses = 0;
  using _watch = await watchRealInput(server.display, () => uses++);
  await service.call("/api/mouse/move", { x: 100, y: 100 });
  await service.call("/api/mouse/left-click", { x: 120, y: 130 });
  await service.call("/api/mouse/scroll", { x: 120, y: 130, clicks: -3 });
  await service.type("Hello é漢");
  await service.call("/api/keyboard/key", { key: "F5" });
  await service.call("/api/system/release-all", {});
  const client = devices.x.client as unknown as { WarpPointer(...numbers: number[]): void };
  client.WarpPointer(0, devices.x.root, 0, 0, 0, 0, 7, 8);
  await devices.x.pointer();
  await devices.move(1, 1); // reported after all that came before it
  await waitFor(() => uses > 0, { what: "the mouse" });
  expect(uses).toBe(1);
});

Deno.test("watchRealInput() reports what comes while another program has the mouse to itself", async () => {
  await using server = await startXvfb();
  using devices = await RealDevices.open(server.display);
  using grabbing = await X11Connection.open(server.display);
  expect(await grabbing.request("GrabPointer", grabbing.root, 0, 0, 1, 1, 0, 0, 0)).toBe(0);
  let uses = 0;
  using _watch = await watchRealInput(server.display, () => uses++);
  await devices.move(3, 4);
  await waitFor(() => uses === 1, { what: "the mouse" });
});

Deno.test("watchRealInput() follows devices that come and go", async () => {
  await using server = await startXvfb();
  using devices = await RealDevices.open(server.display);
  await devices.detachMouse();
  let uses = 0;
  using _watch = await watchRealInput(server.display, () => uses++);
  await devices.move(1, 1);
  await devices.pressKey(KEYCODE);
  await waitFor(() => uses > 0, { what: "the keyboard" });
  expect(uses).toBe(1);
  await devices.attachMouse();
  await waitFor(async () => {
    await devices.move(1, 1);
    return uses > 1;
  }, { what: "the mouse" });
});

Deno.test("a watch ends with its server, and throws nothing", async () => {
  const server = await startXvfb();
  using watch = await watchRealInput(server.display, () => {});
  expect(watch.connected).toBe(true);
  await server.kill();
  await waitFor(() => !watch.connected, { what: "the end of the connection" });
  await expect(watchRealInput(server.display, () => {})).rejects.toThrow("no X server answers");
});

Deno.test("a watch that is disposed reports nothing more", async () => {
  await using server = await startXvfb();
  using devices = await RealDevices.open(server.display);
  let uses = 0;
  const watch = await watchRealInput(server.display, () => uses++);
  let others = 0;
  using _other = await watchRealInput(server.display, () => others++);
  watch[Symbol.dispose]();
  expect(watch.connected).toBe(false);
  await devices.move(1, 1);
  await waitFor(() => others > 0, { what: "the other watch" });
  expect(uses).toBe(0);
});
