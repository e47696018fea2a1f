/** The clients as packages: what they say of themselves fits the repository. */

import { expect } from "expect";
import { VERSION } from "../../src/config/config.ts";

const ROOT = new URL("../../", import.meta.url);
const npm = JSON.parse(await Deno.readTextFile(new URL("client/typescript/package.json", ROOT)));

Deno.test("both clients have the service's version", async () => {
  const python = await Deno.readTextFile(new URL("client/python/pyproject.toml", ROOT));
  expect([npm.version, python.match(/^version = "(.+)"$/m)?.[1]]).toEqual([VERSION, VERSION]);
});

Deno.test("every entry of the npm package has its source", async () => {
  for (const entry of Object.values<{ types: string; default: string }>(npm.exports)) {
    const name = entry.default.replace(/^\.\/dist\/(.+)\.js$/, "$1");
    expect(entry.types).toBe(`./dist/${name}.d.ts`);
    const source = new URL(`client/typescript/src/${name}.ts`, ROOT);
    expect((await Deno.stat(source)).isFile).toBe(true);
  }
});

Deno.test("the npm package needs nothing at run time, and is built with the versions that are tested", async () => {
  expect([npm.dependencies, npm.scripts]).toEqual([undefined, { prepack: "tsc" }]);
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.dev.json", ROOT)));
  const { typescript: _, ...packages } = npm.devDependencies; // Deno has its own
  for (const [name, version] of Object.entries(packages)) {
    expect(imports[name]).toBe(`npm:${name}@${version}`);
  }
  expect(Object.keys(npm.peerDependenciesMeta).sort())
    .toEqual(Object.keys(npm.peerDependencies).sort());
});

Deno.test("the TypeScript client imports no package but those of its drivers", async () => {
  const allowed = new Set(Object.keys(npm.peerDependencies));
  const source = new URL("client/typescript/src/", ROOT);
  for await (const { name, isFile } of Deno.readDir(source)) {
    if (!isFile) continue;
    const text = await Deno.readTextFile(new URL(name, source));
    const packages = [...text.matchAll(/from "([^."][^"]*)"/g)].map(([, path]) =>
      path!.match(/^(@[^/]+\/)?[^/]+/)![0]
    );
    expect(packages.filter((each) => !allowed.has(each))).toEqual([]);
  }
});
