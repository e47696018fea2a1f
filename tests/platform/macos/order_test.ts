/** Operations on a Mac that run at once, and release-all in the middle of them. */

import { expect } from "expect";
import { commandsOf, startMac, startMacService } from "../../support/mac.ts";
import { waitFor } from "../../support/wait.ts";

Deno.test("release-all ends a text that is being typed, with everything up", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const typing = service.post("/api/keyboard/type", { text: "x".repeat(4_000) });
  await waitFor(() => mac.desktop.typed !== "", { what: "the first characters" });
  expect((await service.post("/api/system/release-all", {})).status).toBe(204);
  expect((await typing).status).toBe(409);
  expect(mac.desktop.typed.length).toBeLessThan(4_000);
  expect(commandsOf(mac.calls()).at(-1)).toEqual(["ku:alt,cmd,ctrl,fn,shift", "du:."]);
});

Deno.test("operations that are sent together run one after the other, each in a process of its own", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  await Promise.all([
    service.post("/api/mouse/left-click", { x: 1, y: 1 }),
    service.post("/api/mouse/left-click", { x: 1, y: 1 }),
    service.post("/api/keyboard/key", { key: "enter" }),
    service.post("/api/mouse/move", { x: 3, y: 3, display_num: 2 }),
  ]);
  const commands = commandsOf(mac.calls());
  expect(commands.length).toBe(4);
  expect(commands.filter(([first]) => first === "m:1,1")).toEqual(
    Array.from({ length: 2 }, () => ["m:1,1", "c:1,1"]),
  );
});

Deno.test("release-all between two processes of an operation leaves nothing down", async () => {
  await using mac = await startMac();
  mac.change(({ faults }) => faults.osascript = { delay_ms: 700 });
  await using service = await startMacService(mac);
  const pressing = service.post("/api/keyboard/hotkey", { keys: ["left", "up"] });
  await waitFor(() => mac.desktop.down.includes("key 123"), { what: "the first key" });
  expect((await service.post("/api/system/release-all", {})).status).toBe(204);
  expect((await pressing).status).toBe(409);
  expect(mac.desktop.down).toEqual([]);
});
