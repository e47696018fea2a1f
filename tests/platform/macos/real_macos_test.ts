/** The real programs of macOS: runs on a Mac only. */

import { expect } from "expect";
import { thisHost } from "../../../src/platform/host.ts";
import { openPlatform } from "../../../src/platform/mod.ts";
import type { Platform } from "../../../src/platform/types/mod.ts";
import { testConfig } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";

const onMac = Deno.build.os === "darwin";
if (!onMac) console.log("The tests on the real macOS are left out: this is no Mac");

function macTest(name: string, test: (platform: Platform) => Promise<void>): void {
  Deno.test({
    name,
    ignore: !onMac,
    async fn() {
      await using folder = await testFolder();
      const config = testConfig({ home: folder.path, stateDir: folder.path, keychain: "file" });
      await using platform = await openPlatform(thisHost(), config);
      await test(platform);
    },
  });
}

/** The reason where the runner lacks a permission that only a person can give. */
function permitted(platform: Platform, job: "display" | "input"): boolean {
  const choice = platform.backends().find((backend) => backend.job === job)!;
  const reason = /does not let|not installed/.exec(choice.reason) ? choice.reason : undefined;
  if (reason !== undefined) console.log(`Left out: ${reason}`);
  return reason === undefined;
}

macTest("macOS tells its displays, the primary one first", async (platform) => {
  const [first, ...others] = await platform.displays.list();
  expect(first).toMatchObject({ displayNum: 1, primary: true });
  expect(first!.width).toBeGreaterThan(0);
  expect(first!.height).toBeGreaterThan(0);
  expect(first!.name).not.toBe("");
  expect(others.every(({ primary }) => !primary)).toBe(true);
  expect((await platform.displays.open(1)).size).toEqual({
    width: first!.width,
    height: first!.height,
  });
});

macTest("screencapture gives every pixel of a region", async (platform) => {
  if (!permitted(platform, "display")) return;
  const display = await platform.displays.open(1);
  const color = await display.pixel({ x: 3, y: 3 });
  expect(color.every((part) => part >= 0 && part <= 255)).toBe(true);
  const { openScreen } = await import("../../../src/platform/screens.ts");
  const { screen } = display;
  if ("capture" in screen) throw new Error("It has an address");
  const opened = await openScreen(screen);
  const region = { x: 5, y: 7, width: 31, height: 17 };
  const size = await opened.capture(
    region,
    { cursor: "hidden" },
    ({ width, height, pixels }) => [width, height, pixels.length],
  );
  expect(size).toEqual([31, 17, 31 * 17]);
});

macTest("cliclick moves the cursor where it says it is", async (platform) => {
  if (!permitted(platform, "input")) return;
  const { input } = await platform.displays.open(1);
  if (!input.ready) throw new Error(input.reason);
  const { mouse } = input.use;
  for (const at of [{ x: 200, y: 120 }, { x: 240, y: 160 }]) {
    mouse.move(at);
    await input.use.confirm();
    expect(await mouse.position()).toEqual(at);
  }
});
