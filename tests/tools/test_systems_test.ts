/** Which tests run on which system: all on Linux, elsewhere all but those of other systems, each with its reason. */

import { expect } from "expect";
import { deadRules, readImports, reasonToLeaveOut } from "../../tools/test_systems.ts";

const ROOT = new URL("../../", import.meta.url);
const imports = await readImports(ROOT);
const files = [...imports.keys()].filter((path) => path.endsWith("_test.ts"));

function filesOn(system: typeof Deno.build.os): string[] {
  return files.filter((file) => reasonToLeaveOut(file, system, imports) === undefined);
}

Deno.test("on Linux no test file is left out", () => {
  expect(files.length).toBeGreaterThan(150);
  expect(filesOn("linux")).toEqual(files);
});

Deno.test("no rule is left without a file", () => {
  expect(deadRules(imports)).toEqual([]);
});

const OWN: [typeof Deno.build.os, string[]][] = [
  ["darwin", ["tests/platform/macos/", "tests/http/", "tests/features/filesystem/"]],
  ["windows", ["tests/platform/windows/", "tests/http/", "tests/imaging/scale_test.ts"]],
];

for (const [system, own] of OWN) {
  Deno.test(`on ${system} its own tests and those of no system run`, () => {
    const runs = filesOn(system);
    for (const start of own) {
      const wanted = files.filter((file) => file.startsWith(start));
      const missing = wanted.filter((file) => !runs.includes(file));
      // only what needs a program of another system, which has a reason of its own
      for (const file of missing) expect(reachesX(file)).toBe(true);
      expect(missing.length).toBeLessThan(wanted.length);
    }
  });

  Deno.test(`on ${system} no file runs that starts an X server`, () => {
    for (const file of filesOn(system)) expect([file, reachesX(file)]).toEqual([file, false]);
  });
}

Deno.test("a file is left out for what it imports by another file", () => {
  const made = new Map([
    ["tests/a_test.ts", ["tests/support/desktop.ts"]],
    ["tests/support/desktop.ts", ["tests/support/desktop.ts", "tests/support/xvfb.ts"]],
    ["tests/support/xvfb.ts", []],
    ["tests/b_test.ts", []],
  ]);
  expect(reasonToLeaveOut("tests/a_test.ts", "darwin", made)).toContain("X server");
  expect(reasonToLeaveOut("tests/a_test.ts", "linux", made)).toBeUndefined();
  expect(reasonToLeaveOut("tests/b_test.ts", "windows", made)).toBeUndefined();
});

/** Whether a file needs what only Linux has, by its imports. */
function reachesX(file: string, seen = new Set<string>()): boolean {
  if (/support\/(xvfb|xterm|x_client|processes|keyring|wine)\.ts$/.test(file)) return true;
  seen.add(file);
  return (imports.get(file) ?? []).some((target) => !seen.has(target) && reachesX(target, seen));
}
