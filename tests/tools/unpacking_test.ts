/** The self-extracting file unpacks itself once, safely, with every shell, and notices damage. */

import { expect } from "expect";
import { bareEnvironment, builtExecutable, runBare } from "../support/executable.ts";
import { emptyCache, expectVersion, leftovers } from "../support/unpack_cache.ts";
import { waitFor } from "../support/wait.ts";

const DAMAGED = "is damaged: unpacking it again";

for (const shell of [["dash"], ["bash", "--posix"], ["busybox", "sh"]]) {
  Deno.test(`the executable unpacks itself once, with ${shell[0]}`, async () => {
    await using cache = await emptyCache();
    expectVersion(await cache.version({}, shell));
    const deno = `${await cache.unpacked()}/deno`;
    const first = await Deno.stat(deno);
    expect((await Deno.stat(cache.own)).mode! & 0o777).toBe(0o700);
    expect(first.mode! & 0o777).toBe(0o700);
    expectVersion(await cache.version({}, shell));
    expect((await Deno.stat(deno)).ino).toBe(first.ino);
    expect(await leftovers(cache)).toEqual([]);
  });
}

/** What is done to a folder that was unpacked and checked. */
const damages: [string, (folder: string) => Promise<void>][] = [
  ["a runtime that was changed, even with its old size and time", changeRuntime],
  ["a script that was changed", (folder) => Deno.writeTextFile(`${folder}/main.js`, "hello()")],
  ["a script that is gone", (folder) => Deno.remove(`${folder}/main.js`)],
  ["a runtime that was cut", (folder) => Deno.truncate(`${folder}/deno`, 1_000)],
];

Deno.test("damage is noticed, and what is damaged unpacked again", async (test) => {
  await using cache = await emptyCache();
  expectVersion(await cache.version());
  for (const [name, damage] of damages) {
    await test.step(name, async () => {
      await damage(await cache.unpacked());
      expectVersion(await cache.version(), DAMAGED);
      expectVersion(await cache.version());
    });
  }
});

async function changeRuntime(folder: string): Promise<void> {
  const deno = `${folder}/deno`;
  const { mtime, size } = await Deno.stat(deno);
  const bytes = await Deno.readFile(deno);
  bytes.fill(0, 50_000_000, 50_000_100);
  await Deno.writeFile(deno, bytes);
  await Deno.utime(deno, mtime!, mtime!);
  expect((await Deno.stat(deno)).size).toBe(size);
}

Deno.test("a folder that was copied is checked once and used", async () => {
  await using cache = await emptyCache();
  expectVersion(await cache.version());
  const folder = await cache.unpacked();
  await runBare(["cp", "-a", folder, `${folder}.copy`], bareEnvironment("/"));
  await Deno.remove(folder, { recursive: true });
  await Deno.rename(`${folder}.copy`, folder);
  const { ino } = await Deno.stat(`${folder}/deno`);
  expectVersion(await cache.version());
  expect((await Deno.stat(`${folder}/deno`)).ino).toBe(ino);
});

Deno.test("two that start at once both work", async () => {
  await using cache = await emptyCache();
  const both = await Promise.all([cache.version(), cache.version(), cache.version()]);
  for (const each of both) expectVersion(each);
  expectVersion(await cache.version());
  expect(await leftovers(cache)).toEqual([]);
});

for (const [signal, code] of [["SIGKILL", 137], ["SIGTERM", 143]] as const) {
  Deno.test(`an executable that gets ${signal} while it unpacks leaves nothing that harms`, async () => {
    await using cache = await emptyCache();
    const child = new Deno.Command(await builtExecutable(), {
      args: ["--version"],
      ...{ env: { ...bareEnvironment("/"), COMPUTER_CONTROL_CACHE: cache.path }, clearEnv: true },
      ...{ stdin: "null", stdout: "null", stderr: "null" } as const,
    }).spawn();
    await waitFor(async () => (await leftovers(cache)).length > 0, { what: "the unpacking" });
    child.kill(signal);
    expect((await child.status).code).toBe(code);
    if (signal === "SIGTERM") expect(await leftovers(cache)).toEqual([]);
    expectVersion(await cache.version());
    expect(await leftovers(cache)).toEqual([]);
  });
}

Deno.test("the first start shows on a terminal how far it is, the second says nothing", async () => {
  await using cache = await emptyCache();
  const env = { ...bareEnvironment("/"), COMPUTER_CONTROL_CACHE: cache.path };
  const line = ["script", "-qec", `${await builtExecutable()} --version`, "/dev/null"];
  const first = await runBare(line, env);
  expect(first.stdout).toContain(`into ${cache.own}, once: `);
  expect(first.stdout).toContain("100 %");
  expect(first.stdout).not.toContain("cannot open");
  expect((await runBare(line, env)).stdout).not.toContain("Unpacking");
});

Deno.test("other configurations of Deno do not matter", async () => {
  await using cache = await emptyCache();
  for (const name of ["deno.json", "package.json", "deno.lock"]) {
    await Deno.writeTextFile(`${cache.path}/${name}`, "{ broken");
  }
  expectVersion(await cache.version());
});
