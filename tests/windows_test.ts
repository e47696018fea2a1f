/** Runs the tests of the Windows code under wine, where this is no Windows. */

import { expect } from "expect";
import { join } from "node:path";
import { openWine, runUnderWine, wineTest } from "./support/wine.ts";

const FOLDER = "tests/platform/windows";

/** File -> how many tests it has, so that one that is left out is seen. */
const PASSED: Readonly<Record<string, number>> = {
  "tests/platform/windows/display_windows_test.ts": 6,
  "tests/platform/windows/keyboard_windows_test.ts": 7,
  "tests/platform/windows/mouse_windows_test.ts": 6,
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
    .filter((path) => path.endsWith("_windows_test.ts"));
  expect(files.toSorted()).toEqual(Object.keys(PASSED).toSorted());
  if (files.length === 0) return;
  const expectedPassed = Object.values(PASSED).reduce((sum, passed) => sum + passed, 0);
  await runUnderWine(files, { expectedPassed });
});
