/** `deno.json` has what runs, `deno.dev.json` that and what tests, checks and tools need: they must agree. */

import { expect } from "expect";

interface Lock {
  readonly npm: Readonly<Record<string, { readonly integrity: string }>>;
}

const runtime = await read("deno.json");
const dev = await read("deno.dev.json");

Deno.test("deno.dev.json has every package that runs, in the same version, and all settings", () => {
  expect(dev["imports"]).toMatchObject(runtime["imports"] as object);
  for (const key of ["nodeModulesDir", "unstable", "allowScripts", "compilerOptions"]) {
    expect([key, dev[key]]).toEqual([key, runtime[key]]);
  }
  for (const key of ["fmt", "lint"]) expect([key, dev[key]]).toEqual([key, runtime[key]]);
});

Deno.test("both locks give the same bytes of each package that runs", async () => {
  const [own, all] = [await read("deno.lock"), await read("deno.dev.lock")] as unknown as Lock[];
  expect(Object.keys(own!.npm).length).toBeGreaterThan(0);
  expect(integrities(all!)).toMatchObject(integrities(own!));
});

Deno.test("what runs imports no package of the tests, and each that deno.json names", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: new URL("..", import.meta.url),
  }).output();
  const { npmPackages, modules } = JSON.parse(new TextDecoder().decode(stdout));
  expect(modules.flatMap(({ error }: { error?: string }) => error ?? [])).toEqual([]);
  const lock = await read("deno.lock") as unknown as Lock;
  expect(Object.keys(npmPackages).sort()).toEqual(Object.keys(lock.npm).sort());
});

/** Package -> its checksum. */
function integrities({ npm }: Lock): Record<string, string> {
  return Object.fromEntries(Object.entries(npm).map(([name, { integrity }]) => [name, integrity]));
}

async function read(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(new URL(`../${file}`, import.meta.url)));
}
