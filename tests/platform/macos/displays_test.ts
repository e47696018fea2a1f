/** The displays of a Mac: what macOS tells of them, and what it does not. */

import { expect } from "expect";
import { DESKTOP_SCRIPT } from "../../../src/platform/macos/desktop.ts";
import { openKeyboard, openMacPlatform, startMac, startMacService } from "../../support/mac.ts";

Deno.test("the displays of a Mac are its monitors in pixels, the primary one first", async () => {
  await using mac = await startMac();
  mac.change(({ answer }) => (answer["screens"] as { name: unknown }[])[1]!.name = null);
  await using service = await startMacService(mac);
  expect(await (await service.get("/api/display/list")).json()).toEqual([
    { display_num: 1, name: "Built-in", width: 640, height: 400, scale: 1, primary: true },
    { display_num: 2, name: "Display", width: 1_600, height: 1_200, scale: 1, primary: false },
  ]);
});

Deno.test("display 2 of a Mac with one is unavailable", async () => {
  await using mac = await startMac();
  mac.change(({ answer }) => (answer["screens"] as unknown[]).pop());
  await using platform = await openMacPlatform(mac);
  await expect((async () => await platform.displays.open(2))()).rejects.toMatchObject({
    code: "unavailable",
    message: "Cannot open display 2: this Mac has one display",
  });
});

Deno.test("macOS is asked by one process, whose answer is good for a moment", async () => {
  await using mac = await startMac();
  await using platform = await openMacPlatform(mac);
  const display = await platform.displays.open(1);
  expect(await platform.displays.open(1)).toBe(display);
  const asked = mac.calls().filter(({ program }) => program === "osascript");
  expect(asked.length).toBeLessThanOrEqual(1);
  for (const { args } of asked) expect(args).toEqual(["-l", "JavaScript", "-e", DESKTOP_SCRIPT]);
});

Deno.test("a display keeps its number and follows a change of its size", async () => {
  await using mac = await startMac();
  await using platform = await openMacPlatform(mac);
  const display = await platform.displays.open(1);
  mac.change(({ answer }) => (answer["screens"] as { width: number }[])[0]!.width = 800);
  const keyboard = await openKeyboard(platform);
  await (await keyboard.plan("a"))[Symbol.asyncDispose](); // looks again
  expect(await platform.displays.open(1)).toBe(display);
  expect(display.size).toEqual({ width: 800, height: 400 });
});

for (const number of [0, 3]) {
  Deno.test(`display ${number} of a Mac with two is 503`, async () => {
    await using mac = await startMac();
    await using service = await startMacService(mac);
    const answer = await service.get(`/api/display/screen_size?display_num=${number}`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      detail: `Cannot open display ${number}: this Mac has 2 displays`,
    });
  });
}

Deno.test("a Mac that shows no display says where to start the service", async () => {
  await using mac = await startMac();
  mac.change(({ answer }) => answer["screens"] = []);
  await using service = await startMacService(mac);
  const answer = await service.get("/api/display/screen_size");
  expect(answer.status).toBe(503);
  expect((await answer.json()).detail).toContain("not over ssh");
});

Deno.test("osascript that fails or talks nonsense is 503, and readiness says so", async () => {
  await using mac = await startMac();
  mac.change(({ faults }) => faults.osascript = { code: 1, stderr: "execution error" });
  await using service = await startMacService(mac);
  const answer = await service.get("/api/display/screen_size");
  expect(answer.status).toBe(503);
  expect((await answer.json()).detail).toBe(
    'macOS did not report its displays: "osascript" ended with 1',
  );
  expect(await service.platform.displays.readiness()).toMatchObject({ ready: false });
  expect(service.platform.backends()[0]).toMatchObject({ job: "display", chosen: null });
  mac.change((desktop) => {
    desktop.faults = {};
    desktop.answer = { screens: "many" };
  });
  expect((await service.get("/api/display/screen_size")).status).toBe(503);
});

Deno.test("system/info of a Mac names the programs", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const { system, backends } = await (await service.get("/api/system/info")).json();
  expect(system).toBe("macos");
  expect(backends.slice(0, 2)).toMatchObject([
    { job: "display", chosen: "screencapture" },
    { job: "input", chosen: "cliclick" },
  ]);
});
