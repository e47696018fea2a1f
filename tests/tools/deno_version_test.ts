/** One version of Deno, named in one place, and known when npm has a newer one for everybody. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { testFolder } from "../support/folder.ts";
import { findNewer, readPinnedVersion } from "../../tools/deno_version.ts";

const ROOT = new URL("../../", import.meta.url);
/** They tell what was, or are made by programs. */
const HISTORY = ["CHANGELOG.md", "bench/RESULTS.md", "deno.lock", "deno.dev.lock", "openapi.json"];
const MADE = [".git", "dist", "node_modules", "coverage"];
const BINARY = /\.(png|jpe?g|webp|gif|ico|zip|gz)$/;

Deno.test("no file names another version of Deno than the pinned one", async () => {
  const pinned = await readPinnedVersion();
  const wrong: string[] = [];
  let named = 0;
  for await (const path of files()) {
    const lines = (await Deno.readTextFile(new URL(path, ROOT))).split("\n");
    for (const [index, line] of lines.entries()) {
      for (const version of versionsIn(line)) {
        named++;
        if (!agrees(version, pinned)) wrong.push(`${path}:${index + 1} ${version}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(named).toBeGreaterThan(3); // README and CONTRIBUTING name it
});

/** On a line of its own: the test above reads this file too. */
const NEWER = "9.8.7";
const lines: [string, string[]][] = [
  ["npx -y deno@X task start", [NEWER]],
  ["deno-version: vX", [NEWER]],
  ["const DENO = 'X'", [NEWER]],
  ["[Deno](https://deno.com) Y installed", ["9.8"]],
  ["Deno 9 is not said exactly", []],
  ["deno task start --host 127.0.0.1 --name v0.1.0", []],
  ["a X of something else", []],
];

for (const [line, versions] of lines) {
  const text = line.replace("X", NEWER).replace("Y", "9.8");
  Deno.test(`the versions of Deno in "${text}" are ${JSON.stringify(versions)}`, () => {
    expect(versionsIn(text)).toEqual(versions);
  });
}

const ALL = ["70.0.5", "70.0.6"];
const published: [string, string[][], string, [string, string[]][]][] = [
  ["nothing newer", [ALL, ALL], "70.0.6", []],
  ["one that a system lacks", [[...ALL, "70.0.7"], ALL], "70.0.6", [["70.0.7", ["b"]]]],
  ["one for all", [[...ALL, "70.0.10"], ["70.0.10", "70.0.9"]], "70.0.10", []],
  ["a preview", [["70.1.0-rc.1"], ["70.1.0-rc.1"]], "70.0.6", []],
];

for (const [name, [a, b], complete, incomplete] of published) {
  Deno.test(`findNewer() knows ${name}`, () => {
    const found = findNewer(new Map([["a", a!], ["b", b!]]), "70.0.6");
    expect([found.complete, [...found.incomplete]]).toEqual([complete, incomplete]);
  });
}

Deno.test("deno task deno-version says that it cannot know without a network", async () => {
  await using folder = await testFolder();
  const task = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", fileURLToPath(new URL("tools/deno_version.ts", ROOT))],
    env: {
      NPM_CONFIG_REGISTRY: "http://127.0.0.1:9/",
      npm_config_registry: "http://127.0.0.1:9/", // npm prefers it to the former
      NPM_CONFIG_CACHE: folder.path,
    },
  });
  const { code, stdout, stderr } = await task.output();
  const decoder = new TextDecoder();
  expect([code, decoder.decode(stdout)]).toEqual([2, ""]);
  expect(decoder.decode(stderr)).toContain("is pinned; whether there is a newer one is not known");
});

function agrees(version: string, pinned: string): boolean {
  return version === pinned || pinned.startsWith(`${version}.`);
}

/** What a line about Deno names: no address, no version of this service (0), none made up for a test (70). */
function versionsIn(line: string): string[] {
  if (!/deno/i.test(line) || /setup-deno["@]/.test(line)) return []; // that action has its own version
  const exact = [...line.matchAll(/(?<![\d.])\d+\.\d+\.\d+(?!\.?\d)/g)].map(([found]) => found);
  const short = [...line.matchAll(/\bdeno(?:\]\([^)]*\))? (\d+\.\d+)(?!\.?\d)/gi)];
  const others = ["0", "70"];
  return [...exact, ...short.map(([, found]) => found!)]
    .filter((version) => !others.includes(version.split(".")[0]!));
}

async function* files(folder = ""): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(new URL(folder || ".", ROOT))) {
    const path = `${folder}${name}`;
    if (MADE.includes(path) || HISTORY.includes(path) || BINARY.test(name)) continue;
    if (isDirectory) yield* files(`${path}/`);
    else if (isFile) yield path;
  }
}
