/** Runs the tests of the Windows code under wine, where this is no Windows. */

import { expect } from "expect";
import { join } from "node:path";
import { run } from "./support/desk.ts";
import { lineReader } from "./support/lines.ts";
import { setResolution } from "./support/resolution.ts";
import { waitFor } from "./support/wait.ts";
import { openWine, runUnderWine, testUnderWine, wineTest } from "./support/wine.ts";
import { TestX } from "./support/x_client.ts";

const FOLDER = "tests/platform/windows";

const SERVICE = [
  ...["run", "-A", "--no-check", "--cached-only", "--frozen"],
  ...["main.ts", "--port", "0", "--keychain", "file"],
];

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
    .toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/), stderr: "" });
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
  await using service = await startOn(wine.deno(SERVICE));
  const { address, post } = service;
  const first = await fetch(`${address}/api/display/screenshot`);
  await first.bytes();
  await setResolution(wine.display, "800x600");
  await waitFor(async () => {
    const size = await (await fetch(`${address}/api/display/screen_size`)).json();
    return size.width === 800 && size.height === 600;
  });
  const pixel = await post("/api/display/pixel_color", { x: 800, y: 0 });
  expect([pixel.status, await pixel.text()]).toMatchObject([422, expect.stringContaining("800")]);
  await (await post("/api/mouse/move", { x: 5_000, y: 5_000 })).bytes();
  const position = await fetch(`${address}/api/mouse/position`);
  expect(await position.json()).toEqual({ x: 799, y: 599 });
  const frame = first.headers.get("x-frame");
  const since = await fetch(`${address}/api/display/screenshot?since=${frame}`);
  expect([since.status, await since.text()]).toMatchObject([422, expect.stringContaining("size")]);
});

wineTest("without a screen the service says so, and goes on", async () => {
  await using wine = await openWine();
  await using service = await startOn(wine.deno(SERVICE, { env: { DISPLAY: "" } }));
  const { address } = service;
  const ready = await fetch(`${address}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { display: { ready: false } }]);
  const info = await fetch(`${address}/api/system/info`);
  expect(await info.json()).toMatchObject({
    backends: [{ job: "display", chosen: null }, { job: "input", chosen: null }, {}],
  });
  const pixel = await service.post("/api/display/pixel_color", { x: 1, y: 1 });
  expect([pixel.status, await pixel.json()])
    .toEqual([503, { detail: expect.stringContaining("Cannot read the pixel: Windows shows no") }]);
});

async function startOn(program: Deno.Command) {
  const child = program.spawn();
  const [lines, errors] = [lineReader(child.stdout), lineReader(child.stderr)];
  const [, address] = await lines.until(/^Address +(http:\/\/[^/\s]+)/);
  return {
    address: address!,
    post: (path: string, body: unknown) =>
      fetch(address + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await Promise.all([child.status, lines.rest(), errors.rest()]);
    },
  };
}
