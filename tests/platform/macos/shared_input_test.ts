/** The displays of a Mac share one keyboard and one cursor. */

import { expect } from "expect";
import {
  commandsOf,
  openKeyboard,
  openMacPlatform,
  startMac,
  startMacService,
} from "../../support/mac.ts";

Deno.test("displays of a Mac have the same keyboard", async () => {
  await using mac = await startMac();
  await using platform = await openMacPlatform(mac);
  expect(await openKeyboard(platform, 2)).toBe(await openKeyboard(platform, 1));
});

Deno.test("a key that is held on one display of a Mac is let go of on the other", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  await service.post("/api/keyboard/hold", { key: "shift", display_num: 1 });
  await service.post("/api/keyboard/hold", { key: "left", display_num: 1 });
  expect(mac.desktop.down).toEqual(["key 123", "shift"]);
  await service.post("/api/keyboard/release", { key: "left", display_num: 2 });
  await service.post("/api/keyboard/release", { key: "shift", display_num: 2 });
  expect(mac.desktop.down).toEqual([]);
});

Deno.test("a button that is held on one display of a Mac drags to the other", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  await service.post("/api/mouse/move", { x: 3, y: 4 });
  await service.post("/api/mouse/down", { button: "left" });
  await service.post("/api/mouse/move", { x: 10, y: 20, display_num: 2 });
  await service.post("/api/mouse/up", { button: "left", display_num: 2 });
  expect(commandsOf(mac.calls())).toEqual([
    ["m:3,4"],
    ["dd:."],
    ["dm:=-795,=-90"],
    ["du:."],
  ]);
});
