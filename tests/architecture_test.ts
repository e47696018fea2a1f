/** The rules of the source tree that a machine can check. */

import { expect } from "expect";
import { findCircles } from "./support/circles.ts";
import { type SourceFile, sources } from "./support/source_files.ts";

/** Tables, which may be long. */
const TABLES = ["src/config/options.ts"];
/** Tables that a tool makes, as long as their protocol. */
const MADE = /^src\/platform\/linux\/wayland\/protocols\//;

Deno.test("every file stays under 500 lines", () => {
  const long = sources("src", "ffi", "tests", "tools", "bench")
    .filter(({ path, text }) =>
      !TABLES.includes(path) && !MADE.test(path) && text.split("\n").length > 501
    );
  expect(paths(long)).toEqual([]);
});

Deno.test("every file opens with a sentence on its job", () => {
  const mute = sources("src", "ffi", "tests", "tools", "bench")
    .filter(({ text }) => !/^(#!.*\n)?\/\*\*/.test(text));
  expect(paths(mute)).toEqual([]);
});

Deno.test("no test returns early, because it would count as passed", () => {
  const early = new RegExp("\\breturn( console\\..*)?;"); // not in one piece, because this is a test, too
  const wrong = sources("tests")
    .filter(({ path, text }) => path.endsWith("_test.ts") && early.test(text));
  expect(paths(wrong)).toEqual([]);
});

Deno.test("no test writes a program that it starts", () => {
  const wrong = sources("tests").filter(({ path, text }) =>
    /\bwrite(Text)?File(Sync)?\([^;]*\bmode: 0o7|\bcopyFile\([^;]*\b(execPath|builtExecutable)\b/
      .test(text) &&
    path !== "tests/support/written_program.ts"
  );
  expect(paths(wrong)).toEqual([]);
});

Deno.test("no path of a file is that of its URL, which escapes spaces", () => {
  const wrong = sources("src", "tests", "tools", "bench").filter(({ text }) =>
    /\bURL\([^()]*\b(import\.meta\.url|ROOT)\)\.pathname|instanceof URL \? \w+\.pathname/.test(text)
  );
  expect(paths(wrong)).toEqual([]);
});

/** `http`, `mcp`, `compat` and `console` are doors beside each other: none knows another. */
const LAYERS = ["cli", "http", "mcp", "compat", "console", "features", "platform", "ffi"];
const DOORS = ["http", "mcp", "compat", "console"];
/** What every layer may use, and what knows none of them. */
const GROUND = ["imaging", "config", "core"];

Deno.test("every file of src has a layer", () => {
  const known = [...LAYERS, ...GROUND];
  expect(paths(sources("src").filter(({ path }) => !known.includes(layerOf(path))))).toEqual([]);
});

Deno.test("layers import only to their right", () => {
  const wrong = sources("src", "ffi").flatMap(({ path, imports }) => {
    const own = LAYERS.indexOf(layerOf(path));
    if (own < 0) return [];
    return imports
      .filter((target) => LAYERS.includes(layerOf(target)) && LAYERS.indexOf(layerOf(target)) < own)
      .map((target) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

Deno.test("no door knows another", () => {
  const wrong = sources("src").flatMap(({ path, imports }) =>
    imports
      .filter((target) => DOORS.includes(layerOf(path)) && DOORS.includes(layerOf(target)))
      .filter((target) => layerOf(target) !== layerOf(path))
      .map((target) => `${path} imports ${target}`)
  );
  expect(wrong).toEqual([]);
});

Deno.test("the ground imports core and its own files only", () => {
  const wrong = sources("src").flatMap(({ path, imports }) => {
    const own = layerOf(path);
    if (!GROUND.includes(own)) return [];
    return imports
      .filter((target) => /^(src|ffi)\//.test(target))
      .filter((target) => ![own, "core"].includes(layerOf(target)))
      .map((target) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

Deno.test("no files need each other in a circle", () => {
  const needs = new Map(sources("src", "ffi").map(({ path, imports }) => [path, imports]));
  expect(needs.size).toBeGreaterThan(0);
  expect(findCircles(needs)).toEqual([]);
});

Deno.test("findCircles() finds every circle, and nothing beside them", () => {
  const needs = new Map([
    ["a", ["b", "elsewhere"]],
    ["b", ["c", "d"]],
    ["c", ["a"]],
    ["d", ["e"]],
    ["e", []],
    ["f", ["f", "e"]],
    ["g", ["h", "a"]],
    ["h", ["g"]],
  ]);
  expect(findCircles(needs)).toEqual([["a", "b", "c"], ["f"], ["g", "h"]]);
});

Deno.test("no folders of features need each other in a circle", () => {
  const needs = new Map<string, Set<string>>();
  for (const { path, imports } of sources("src")) {
    const own = featureOf(path);
    if (own === undefined) continue;
    const others = imports.map(featureOf).filter((other) => other !== undefined && other !== own);
    needs.set(own, new Set([...needs.get(own) ?? [], ...others as string[]]));
  }
  expect(needs.size).toBeGreaterThan(0);
  for (let before = Infinity; needs.size < before;) {
    before = needs.size;
    for (const [own, others] of needs) {
      if (![...others].some((other) => needs.has(other))) needs.delete(own);
    }
  }
  expect(Object.fromEntries(needs)).toEqual({});
});

Deno.test("only http and compat know Hono", () => {
  expect(importers(/^hono/, /^src\/(http|compat)\//)).toEqual([]);
});

Deno.test("only one file uses what zod does not publish", () => {
  const users = sources("src").filter(({ text }) => /\b_(zod|def|idmap)\b/.test(text));
  expect(paths(users)).toEqual(["src/features/call/validation_errors.ts"]);
});

Deno.test("only mcp knows the packages of the Model Context Protocol", () => {
  expect(importers(/^@modelcontextprotocol\//, /^src\/mcp\//)).toEqual([]);
});

Deno.test("nothing loads mcp before it is used", () => {
  const loading = sources("src").filter(({ path, text }) =>
    !/^src\/(mcp\/|cli\/mcp\.ts)/.test(path) && /from "[./]+\/(mcp\/|mcp\.ts)/.test(text)
  );
  expect(paths(loading)).toEqual([]);
});

Deno.test("nothing loads the interfaces of other projects before they are used", () => {
  const loading = sources("src").filter(({ path, text }) =>
    !path.startsWith("src/compat/") && /from "[./]+\/compat\//.test(text) ||
    /^import .*"\.\/(osworld|cua|agent_sandbox)\.ts"/m.test(text)
  );
  expect(paths(loading)).toEqual([]);
});

Deno.test("nothing loads the console before it is opened", () => {
  const loading = sources("src").filter(({ path, text }) =>
    !path.startsWith("src/console/") && /from "[./]+\/console\//.test(text)
  );
  expect(paths(loading)).toEqual([]);
});

Deno.test("only platform knows x11 and ffi", () => {
  expect(importers(/^(x11|ffi\/)/, /^(src\/platform|ffi)\//)).toEqual([]);
});

Deno.test("only the platform of a system starts its programs", () => {
  const wrong = sources("src").filter(({ path, text }) =>
    text.includes("new Deno.Command(") && !/^src\/(platform|features\/bash)\//.test(path)
  );
  expect(paths(wrong)).toEqual([]);
});

Deno.test("only the edge reads the environment and the name of the system", () => {
  const wrong = sources("src", "ffi").filter(({ path, text }) =>
    /Deno\.(env|build)\b/.test(text) && !/^src\/platform\/(host|environment)\.ts$/.test(path)
  );
  expect(paths(wrong)).toEqual([]);
});

function layerOf(path: string): string {
  return path.match(/^(?:src\/)?([^/]+)\//)?.[1] ?? "";
}

function featureOf(path: string): string | undefined {
  return path.match(/^src\/features\/([^/]+)\//)?.[1];
}

/** Files outside `allowed` that import something that matches. */
function importers(what: RegExp, allowed: RegExp): string[] {
  return paths(
    sources("src", "ffi").filter(({ path, imports }) =>
      !allowed.test(path) && imports.some((target) => what.test(target))
    ),
  );
}

function paths(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path);
}
