/** The rules of the source tree that a machine can check. */

import { expect } from "expect";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname!, "..");

interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Imported files, from the root, and package names. */
  readonly imports: readonly string[];
}

/** Tables, which may be long. */
const TABLES = ["src/platform/xf86_keysyms.ts", "src/config/limit_flags.ts"];

Deno.test("every file stays under 250 lines", () => {
  const long = sources("src", "ffi", "tests", "tools", "bench")
    .filter(({ path, text }) => !TABLES.includes(path) && text.split("\n").length > 251);
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

const LAYERS = ["cli", "http", "features", "platform", "ffi"];
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

Deno.test("only http knows Hono", () => {
  expect(importers(/^hono/, /^src\/http\//)).toEqual([]);
});

Deno.test("only one file uses what zod does not publish", () => {
  const users = sources("src").filter(({ text }) => /\b_(zod|def|idmap)\b/.test(text));
  expect(paths(users)).toEqual(["src/http/faults/run_schema.ts"]);
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

function sources(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) => [...filesBelow(join(root, folder))]).map(read);
}

function* filesBelow(folder: string): Generator<string> {
  for (const { name, isDirectory } of entriesOf(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* filesBelow(path);
    else if (name.endsWith(".ts")) yield path;
  }
}

/** None where there is no such folder. */
function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function read(file: string): SourceFile {
  const text = Deno.readTextFileSync(file);
  const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) =>
    match[1]!
  );
  const imports = targets.map((target) =>
    target.startsWith(".") ? fromRoot(join(dirname(file), target)) : target
  );
  return { path: fromRoot(file), text, imports };
}

/** With slashes on every system. */
function fromRoot(path: string): string {
  return relative(root, path).replaceAll("\\", "/");
}
