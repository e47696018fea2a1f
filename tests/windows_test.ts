/** Runs the tests of the Windows code under wine, where this is no Windows. */

import { expect } from "expect";
import { join } from "node:path";
import { run } from "./support/desk.ts";
import { setResolution } from "./support/resolution.ts";
import { waitFor } from "./support/wait.ts";
import { openWine, runUnderWine, testUnderWine, wineTest } from "./support/wine.ts";
import { startWineService } from "./support/wine_service.ts";
import { TestX } from "./support/x_client.ts";

const FOLDER = "tests/platform/windows";

/** It needs a desktop of its own. */
const TWO_MONITORS = `${FOLDER}/two_monitors_windows_test.ts`;

/** File -> how many tests it has, so that one that is left out is seen. */
const PASSED: Readonly<Record<string, number>> = {
  [`${FOLDER}/display_windows_test.ts`]: 6,
  [`${FOLDER}/keyboard_windows_test.ts`]: 7,
  [`${FOLDER}/mouse_windows_test.ts`]: 6,
  [`${FOLDER}/service_windows_test.ts`]: 6,
  [`${FOLDER}/command_lines_windows_test.ts`]: 7,
  [`${FOLDER}/keychain_windows_test.ts`]: 8,
  [`${FOLDER}/processes_windows_test.ts`]: 10,
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
  const entries = await Array.fromAsync(Deno.readDir(join(import.meta.dirname!, "..", FOLDER)));
  const files = entries
    .map(({ name }) => `${FOLDER}/${name}`)
    .filter((path) => path.endsWith("_windows_test.ts") && path !== TWO_MONITORS);
  expect(files.toSorted()).toEqual(Object.keys(PASSED).toSorted());
  if (files.length === 0) return;
  const expectedPassed = Object.values(PASSED).reduce((sum, passed) => sum + passed, 0);
  await runUnderWine(files, { expectedPassed });
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
    .toEqual([503, { detail: expect.stringContaining("Cannot read the pixel: Windows shows no") }]);
});
