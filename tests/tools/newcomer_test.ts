/** The trial on a fresh machine: what it tries by default, and what it refuses. */

import { expect } from "expect";
import { PACKAGES } from "../../src/platform/linux/programs.ts";

const ROOT = new URL("../../", import.meta.url);
const SCRIPT = await Deno.readTextFile(new URL("tools/newcomer.sh", ROOT));
const TESTS = SCRIPT.match(/^TESTS="([^"]*)"/m)![1]!.split(/[\s\\]+/).filter((path) => path !== "");

Deno.test("the trial runs a test with each package that tests need", async () => {
  const words = new Set<string>();
  for (const path of TESTS) {
    for (const text of await textsFrom(new URL(path, ROOT))) {
      for (const word of text.match(/[\w./+-]+/g) ?? []) words.add(word);
    }
  }
  const needed = PACKAGES.filter(({ purpose }) => ["test", "programs"].includes(purpose));
  const untried = needed.filter(({ programs, module = "" }) =>
    ![...programs.flat(), module].some((name) => words.has(name))
  );
  expect(untried.map(({ name }) => name)).toEqual([]);
});

Deno.test("the README has both commands that the trial runs, on lines of their own", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", ROOT));
  for (const task of ["start", "test"]) {
    expect(readme).toMatch(new RegExp(`^npx .* task ${task}( .*)?$`, "m"));
  }
});

const refused: [string[], string][] = [
  [["--nonsense"], "unknown option --nonsense"],
  [["--tests"], "--tests needs a list of files"],
];

for (const [args, said] of refused) {
  Deno.test({
    name: `newcomer.sh refuses ${args.join(" ")}`,
    ignore: Deno.build.os === "windows",
    async fn() {
      const script = new URL("tools/newcomer.sh", ROOT).pathname;
      const { code, stderr } = await new Deno.Command("bash", { args: [script, ...args] }).output();
      expect(code).not.toBe(0);
      expect(new TextDecoder().decode(stderr)).toContain(said);
    },
  });
}

/** The text of a file of the tests and of all that it imports there. */
async function textsFrom(file: URL, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(file.href)) return [];
  seen.add(file.href);
  const text = await Deno.readTextFile(file);
  const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => new URL(path!, file));
  const own = imports.filter(({ pathname }) => pathname.includes("/tests/"));
  const texts = await Promise.all(own.map((each) => textsFrom(each, seen)));
  return [text, ...texts.flat()];
}
