/** Runs the tests of the Windows code under wine, where this is no Windows. */

import { expect } from "expect";
import { join } from "node:path";
import { run } from "../support/desktop.ts";
import { difference } from "../support/pictures.ts";
import { decodePng } from "../support/png.ts";
import { setResolution } from "../support/resolution.ts";
import { waitFor } from "../support/wait.ts";
import {
  openWine,
  type OpenWineOptions,
  runUnderWine,
  testUnderWine,
  wineTest,
} from "../support/wine.ts";
import { startWineService } from "../support/wine_service.ts";
import { TestX } from "../support/x_client.ts";

const FOLDER = "tests/platform/windows";

/** It needs a desktop of its own. */
const TWO_MONITORS = `${FOLDER}/two_monitors_windows_test.ts`;

const KEYCHAIN = `${FOLDER}/keychain_windows_test.ts`;
const PEERS = `${FOLDER}/peers_windows_test.ts`;

/** File -> how many tests it has, so that one that is left out is seen. */
const PASSED: Readonly<Record<string, number>> = {
  [`${FOLDER}/display_windows_test.ts`]: 6,
  [`${FOLDER}/effects_windows_test.ts`]: 2,
  [`${FOLDER}/elements_windows_test.ts`]: 0, // wine has no UI Automation
  [`${FOLDER}/keyboard_windows_test.ts`]: 7,
  [`${FOLDER}/mouse_windows_test.ts`]: 6,
  [`${FOLDER}/service_windows_test.ts`]: 6,
  [`${FOLDER}/uia_windows_test.ts`]: 8,
  [`${FOLDER}/window_changes_windows_test.ts`]: 3,
  [`${FOLDER}/command_lines_windows_test.ts`]: 7,
  [KEYCHAIN]: 8,
  [PEERS]: 2,
  [`${FOLDER}/processes_windows_test.ts`]: 11,
};

wineTest("the service tells its version on Windows", async () => {
  await using wine = await openWine();
  const args = ["run", "-A", "--cached-only", "--frozen", "main.ts", "--version"];
  const { code, stdout, stderr } = await wine.deno(args).output();
  const decoder = new TextDecoder();
  expect({ code, stdout: decoder.decode(stdout).trim(), stderr: decoder.decode(stderr) })
    .toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+ \(from source, Deno [\d.]+\)$/),
      stderr: "",
    });
});

wineTest("every test of the Windows code passes under wine", async () => {
  const entries = await Array.fromAsync(Deno.readDir(join(import.meta.dirname!, "../..", FOLDER)));
  const files = entries
    .map(({ name }) => `${FOLDER}/${name}`)
    .filter((path) => path.endsWith("_windows_test.ts") && path !== TWO_MONITORS);
  expect(files.toSorted()).toEqual(Object.keys(PASSED).toSorted());
  const run = async (files: readonly string[], drivers: OpenWineOptions["drivers"] = []) => {
    const expectedPassed = files.reduce((sum, file) => sum + PASSED[file]!, 0);
    await runUnderWine(files, { expectedPassed, drivers });
  };
  await run([KEYCHAIN], ["credentials"]);
  await run([PEERS], ["connections"]);
  await run(files.filter((file) => file !== KEYCHAIN && file !== PEERS));
});

wineTest("two monitors of one desktop are two displays", async () => {
  // from the X server's list of monitors, to which any can be added
  await using wine = await openWine([TWO_MONITORS], { settings: { UseXRandR: "N" } });
  const { display } = wine;
  const on = { DISPLAY: display };
  await run("xrandr", ["--setmonitor", "left", "800/200x1024/300+0+0", "screen"], on);
  await run("xrandr", ["--setmonitor", "right", "480/200x1024/300+800+0", "none"], on);
  using x = await TestX.open(display);
  await x.openWindow({ x: 800, y: 0, width: 480, height: 100, pixel: 0xff0000 });
  const env = { TWO_MONITORS: "1" };
  await testUnderWine(wine, [TWO_MONITORS], { expectedPassed: 2, env });
});

/** Where the second monitor is, seen from the primary one -> both of them as xrandr takes them. */
const BEFORE_THE_PRIMARY: Readonly<Record<string, readonly [second: string, primary: string]>> = {
  "left of": ["800/200x1024/300+0+0", "480/200x1024/300+800+0"],
  above: ["1280/200x600/300+0+0", "1280/200x424/300+0+600"],
};

for (const [where, [second, primary]] of Object.entries(BEFORE_THE_PRIMARY)) {
  wineTest(
    `a monitor ${where} the primary one, whose origin is negative, is a display`,
    async () => {
      await using wine = await openWine(["main.ts"], { settings: { UseXRandR: "N" } });
      const on = { DISPLAY: wine.display };
      await run("xrandr", ["--setmonitor", "second", second, "none"], on);
      await run("xrandr", ["--setmonitor", "*primary", primary, "screen"], on);
      using x = await TestX.open(wine.display);
      await x.openWindow({ x: 0, y: 0, width: 50, height: 50, pixel: 0xff0000 });
      await using service = await startWineService(wine);
      const [one, two] = await service.call("/api/display/list");
      expect([one.primary, two.primary, two.width]).toEqual([true, false, parseInt(second)]);

      const corner = { x: two.width - 1, y: two.height - 1 };
      for (const point of [{ x: 0, y: 0 }, corner, { x: 300, y: 200 }]) {
        await service.call("/api/mouse/move", { ...point, display_num: 2 });
        await waitFor(async () => {
          const told = await run("xdotool", ["getmouselocation"], on);
          return new TextDecoder().decode(told).startsWith(`x:${point.x} y:${point.y} `);
        }, { what: `the pointer at ${point.x},${point.y}` });
      }
      const pixel = (at: number) =>
        service.call("/api/display/pixel_color", { x: at, y: at, display_num: 2 });
      expect([await pixel(49), await pixel(50)]).toEqual([[255, 0, 0], [0, 0, 0]]);
      const picture = async (query: string) => {
        const answer = await service.send(`/api/display/screenshot?display_num=2&${query}`);
        return decodePng(await answer.bytes()).rgb;
      };
      const around = "x=290&y=190&width=60&height=60";
      // under wine the pointer has no shape until the program of the desktop has given it one
      await waitFor(
        async () => difference(await picture(`${around}&cursor=true`), await picture(around)) > 0,
        { what: "the cursor in the picture" },
      );
      expect([...await picture("x=49&y=49&width=2&height=1")]).toEqual([255, 0, 0, 0, 0, 0]);
      const off = { x: -1, y: 0, display_num: 2 };
      expect(await service.refused(422, "/api/mouse/left-click", off)).toContain("off the screen");
    },
  );
}

wineTest("a change of the resolution is seen, and coordinates follow it", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine);
  const first = await service.send("/api/display/screenshot");
  await first.bytes();
  await setResolution(wine.display, "800x600");
  await waitFor(async () => {
    const size = await service.call("/api/display/screen_size");
    return size.width === 800 && size.height === 600;
  });
  expect(await service.refused(422, "/api/display/pixel_color", { x: 800, y: 0 }))
    .toContain("800");
  await service.call("/api/mouse/move", { x: 5_000, y: 5_000 });
  expect(await service.call("/api/mouse/position")).toEqual({ x: 799, y: 599 });
  const frame = first.headers.get("x-frame");
  expect(await service.refused(422, `/api/display/screenshot?since=${frame}`)).toContain("size");
});

wineTest("without a screen the service says so, and goes on", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine, { env: { DISPLAY: "" } });
  const ready = await service.send("/readyz");
  expect([ready.status, await ready.json()]).toMatchObject([503, { display: { ready: false } }]);
  const info = await service.send("/api/system/info");
  expect(await info.json()).toMatchObject({
    backends: [{ job: "display", chosen: null }, { job: "input", chosen: null }, {}],
  });
  const pixel = await service.send("/api/display/pixel_color", { x: 1, y: 1 });
  expect([pixel.status, await pixel.json()])
    .toMatchObject([503, {
      detail: expect.stringContaining("Cannot read the pixel: Windows has no"),
    }]);
});
