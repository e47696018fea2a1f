/** The pages: what they quote is what the program says, and their links lead somewhere. */

import { expect } from "expect";
import { posix } from "node:path";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { allOperations } from "../../src/features/mod.ts";

const ROOT = new URL("../../", import.meta.url);
const PAGES = [
  ...["README.md", "SECURITY.md", "CONTRIBUTING.md", "examples/README.md", "deploy/npm/README.md"],
  ...[...Deno.readDirSync(new URL("docs/", ROOT))].map(({ name }) => `docs/${name}`)
    .filter((path) => path.endsWith(".md")).sort(),
];
const EXAMPLES = [...Deno.readDirSync(new URL("examples/", ROOT))]
  .map(({ name }) => `examples/${name}`)
  .filter((path) => path !== "examples/README.md").sort();
const CLIENTS = ["client/typescript/README.md", "client/python/README.md"];

/** Said by Deno, or a description of what is said. */
const NOT_OURS = ["invalid peer certificate: UnknownIssuer", "403, and a sentence that names"];

Deno.test("docs/troubleshooting.md quotes what the program says", async () => {
  const page = await Deno.readTextFile(new URL("docs/troubleshooting.md", ROOT));
  const quotes = [...page.matchAll(/^> (.+)$/gm)].map(([, quote]) => quote!);
  expect(quotes.length).toBeGreaterThan(5);
  const sources = (await Array.fromAsync(sourceTexts("src/"))).join("\n")
    .replaceAll(/["'`] \+\n\s*["'`]/g, ""); // texts that go on in the next line
  for (const quote of quotes.filter((each) => !NOT_OURS.some((not) => each.startsWith(not)))) {
    const words = quote.replace(/^Cannot open display 1: /, "").replace(/ ?"[^"]*"$/, "");
    expect([quote, sources.includes(words)]).toEqual([quote, true]);
  }
});

Deno.test("the requests of the pages are ones that the service takes", async () => {
  const operations = await allOperations(DEFAULT_LIMITS);
  let checked = 0;
  for (const page of PAGES) {
    const text = (await Deno.readTextFile(new URL(page, ROOT))).replaceAll("\\\n", "");
    const calls = text.matchAll(/curl .*?:4242(\/api\/[\w/-]+).*?-d '(\{[^']*\})'/g);
    for (const [, path, body] of calls) {
      const operation = operations.find((each) => each.path === path);
      const result = operation?.body?.safeParse(JSON.parse(body!));
      expect([page, path, result?.error?.issues ?? result?.success]).toEqual([page, path, true]);
      checked++;
    }
  }
  expect(checked).toBeGreaterThan(20);
});

for (const path of PAGES) {
  Deno.test(`${path} links to what is there`, async () => {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)(?:#([^)\s]+))?\)/g)];
    for (const [, file, heading] of links) {
      const url = new URL(file!, new URL(path, ROOT));
      await Deno.stat(url);
      if (heading !== undefined) {
        expect(headingsOf(await Deno.readTextFile(url))).toContain(heading);
      }
    }
  });
}

Deno.test("docs/architecture.md names files that are there", async () => {
  const page = await Deno.readTextFile(new URL("docs/architecture.md", ROOT));
  const named = [
    ...page.matchAll(/`((?:src\/)?(?:cli|http|features|platform|core|config)\/[\w/]+\.ts)`/g),
  ]
    .map(([, path]) => path!.replace(/^src\//, ""));
  expect(named.length).toBeGreaterThan(20);
  for (const path of named) await Deno.stat(new URL(`src/${path}`, ROOT));
});

Deno.test("docs/operations.md has every operation, and the pages count them", async () => {
  const page = await Deno.readTextFile(new URL("docs/operations.md", ROOT));
  const readme = await Deno.readTextFile(new URL("README.md", ROOT));
  const operations = await allOperations(DEFAULT_LIMITS);
  const missing = operations.filter(({ path }) => {
    const { base, dir } = posix.parse(path);
    return !page.includes(path) && !(page.includes(dir) && page.includes(`\`${base}\``));
  });
  expect(missing.map(({ path }) => path)).toEqual([]);
  for (const text of [page, readme]) {
    expect(text.match(/All (\d+) (?:operations|of them)/)?.[1]).toBe(String(operations.length));
  }
});

Deno.test("nobody is told to fetch by its name a package that is made from this repository", async () => {
  for (const path of [...PAGES, ...EXAMPLES, ...CLIENTS]) {
    if (path === "deploy/npm/README.md") continue; // comes with the package
    const lines = (await Deno.readTextFile(new URL(path, ROOT))).split("\n");
    const wrong = lines.filter((line) =>
      /\b(?:npx|npm i(?:nstall)?|pip install|uv add)\b.* computer[-_]control/.test(line)
    );
    expect([path, wrong]).toEqual([path, []]);
  }
});

Deno.test("README.md is short", async () => {
  const text = await Deno.readTextFile(new URL("README.md", ROOT));
  expect(text.split("\n").length).toBeLessThanOrEqual(151);
});

/** As links name them: `One coordinate space` -> `one-coordinate-space`. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!.toLowerCase().replaceAll(/[^\w -]/g, "").replaceAll(" ", "-")
  );
}

async function* sourceTexts(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    if (isDirectory) yield* sourceTexts(`${folder}${name}/`);
    else if (name.endsWith(".ts")) yield await Deno.readTextFile(new URL(folder + name, ROOT));
  }
}
