/** The real programs of macOS: runs on a Mac only. */

import { expect } from "expect";
import { thisHost } from "../../../src/platform/host.ts";
import { openPlatform } from "../../../src/platform/mod.ts";
import type { Platform } from "../../../src/platform/types/mod.ts";
import { testConfig } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";
import { testIf } from "../../support/test_if.ts";

type Job = "display" | "input";

/** Why a test cannot run here, by the job that it needs: a permission is given by a person only. */
const missing = Deno.build.os === "darwin" ? await missingPermissions() : new Map<string, string>();

function macTest(
  name: string,
  { needs }: { readonly needs?: Job },
  test: (platform: Platform) => Promise<void>,
): void {
  const lacking = needs === undefined ? undefined : missing.get(needs);
  const reason = Deno.build.os === "darwin" ? lacking : "this is no Mac";
  testIf(reason === undefined, reason ?? "")(name, () => withPlatform(test));
}

async function withPlatform<T>(work: (platform: Platform) => T): Promise<Awaited<T>> {
  await using folder = await testFolder();
  const config = testConfig({ home: folder.path, stateDir: folder.path, keychain: "file" });
  await using platform = await openPlatform(thisHost(), config);
  return await work(platform);
}

async function missingPermissions(): Promise<Map<string, string>> {
  const backends = await withPlatform((platform) => platform.backends());
  const lacking = backends.filter(({ reason }) => /does not allow|not installed/.test(reason));
  return new Map(lacking.map(({ job, reason }) => [job, reason]));
}

macTest("macOS tells its displays, the primary one first", {}, async (platform) => {
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

macTest("screencapture gives every pixel of a region", { needs: "display" }, async (platform) => {
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

macTest("cliclick moves the cursor where it says it is", { needs: "input" }, async (platform) => {
  const { input } = await platform.displays.open(1);
  if (!input.ready) throw new Error(input.reason);
  const { mouse } = input.use;
  for (const at of [{ x: 200, y: 120 }, { x: 240, y: 160 }]) {
    mouse.move(at);
    await input.use.confirm();
    expect(await mouse.position()).toEqual(at);
  }
});
