/** The self-extracting file unpacks itself once, safely, with every shell, and says what is wrong. */

import { expect } from "expect";
import {
  bareEnvironment,
  builtExecutable,
  type Ended,
  isolation,
  runBare,
} from "../support/executable.ts";
import { testFolder } from "../support/folder.ts";
import { waitFor } from "../support/wait.ts";

const VERSION = /^\d+\.\d+\.\d+ \(self-extracting, Deno \d+\.\d+\.\d+\)\n$/;
const DAMAGED = "is damaged: unpacking it again";

interface Cache extends AsyncDisposable {
  /** What COMPUTER_CONTROL_CACHE names. */
  readonly path: string;
  /** The folder of the user in it. */
  readonly own: string;
  /** The unpacked files, when there are some. */
  unpacked(): Promise<string>;
  /** Prints the version, with `env` added. */
  version(env?: Readonly<Record<string, string>>, shell?: readonly string[]): Promise<Ended>;
}

async function emptyCache(): Promise<Cache> {
  const folder = await testFolder();
  const path = `${folder.path}/cache`;
  const own = `${path}/computer-control`;
  const executable = await builtExecutable();
  await Deno.mkdir(path);
  return {
    path,
    own,
    async unpacked() {
      const entries = await Array.fromAsync(Deno.readDir(own));
      const [only, ...more] = entries.filter(({ name }) => /^\d/.test(name));
      expect(more).toEqual([]);
      return `${own}/${only!.name}`;
    },
    version(env = {}, shell = []) {
      const all = { ...bareEnvironment(folder.path), COMPUTER_CONTROL_CACHE: path, ...env };
      return runBare([...shell, executable, "--version"], all);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Nothing is left but what belongs there. */
async function leftovers({ own }: Cache): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(own));
  return entries.map(({ name }) => name).filter((name) => !/^(\d.*|deno)$/.test(name));
}

function expectVersion(ended: Ended, said = ""): void {
  expect(ended).toEqual({
    code: 0,
    stdout: expect.stringMatching(VERSION),
    stderr: said === "" ? "" : expect.stringContaining(said),
  });
}

function expectRefusal(ended: Ended, ...parts: readonly string[]): void {
  expect([ended.code, ended.stdout]).toEqual([1, ""]);
  for (const part of parts) expect(ended.stderr).toContain(part);
  expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
}

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

Deno.test("a runtime that was changed is noticed, even with its old size and time", async () => {
  await using cache = await emptyCache();
  expectVersion(await cache.version());
  const deno = `${await cache.unpacked()}/deno`;
  const { mtime, size } = await Deno.stat(deno);
  const bytes = await Deno.readFile(deno);
  bytes.fill(0, 50_000_000, 50_000_100);
  await Deno.writeFile(deno, bytes);
  await Deno.utime(deno, mtime!, mtime!);
  expect((await Deno.stat(deno)).size).toBe(size);
  expectVersion(await cache.version(), DAMAGED);
  expectVersion(await cache.version());
});

const damages: [string, (folder: string) => Promise<void>][] = [
  ["a script that was changed", (folder) => Deno.writeTextFile(`${folder}/main.js`, "hello()")],
  ["a script that is gone", (folder) => Deno.remove(`${folder}/main.js`)],
  ["a runtime that was cut", (folder) => Deno.truncate(`${folder}/deno`, 1_000)],
];

for (const [name, damage] of damages) {
  Deno.test(`${name} is noticed`, async () => {
    await using cache = await emptyCache();
    expectVersion(await cache.version());
    await damage(await cache.unpacked());
    expectVersion(await cache.version(), DAMAGED);
    expectVersion(await cache.version());
  });
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
  expect((await runBare(line, env)).stdout).not.toContain("Unpacking");
});

Deno.test("other configurations of Deno do not matter", async () => {
  await using cache = await emptyCache();
  for (const name of ["deno.json", "package.json", "deno.lock"]) {
    await Deno.writeTextFile(`${cache.path}/${name}`, "{ broken");
  }
  expectVersion(await cache.version());
});

Deno.test("a file that was cut is refused", async () => {
  await using cache = await emptyCache();
  const path = `${cache.path}/../cut`;
  await Deno.copyFile(await builtExecutable(), path);
  await Deno.truncate(path, 20_000_000);
  const env = { ...bareEnvironment("/"), COMPUTER_CONTROL_CACHE: cache.path };
  expectRefusal(await runBare([path], env), "is damaged: it has 20000000 bytes instead of");
});

Deno.test("a file whose parts were changed is refused", async () => {
  await using cache = await emptyCache();
  const path = `${cache.path}/../changed`;
  const bytes = await Deno.readFile(await builtExecutable());
  bytes.fill(0, 30_000_000, 30_001_000);
  await Deno.writeFile(path, bytes, { mode: 0o755 });
  const env = { ...bareEnvironment("/"), COMPUTER_CONTROL_CACHE: cache.path };
  expectRefusal(await runBare([path], env), "the files are damaged", "COMPUTER_CONTROL_CACHE=");
  expect(await leftovers(cache)).toEqual([]);
});

Deno.test("a file for another system says so", async () => {
  await using cache = await emptyCache();
  const uname = "#!/bin/sh\n[ $1 = -m ] && echo mips || echo Haiku\n";
  await Deno.writeTextFile(`${cache.path}/uname`, uname, { mode: 0o755 });
  const ended = await cache.version({ PATH: `${cache.path}:/usr/bin:/bin` });
  expectRefusal(ended, `This file is for linux ${Deno.build.arch}, and this is Haiku mips`);
});

const places: [string, (cache: Cache) => Promise<Record<string, string>>, string[]][] = [
  ["a folder that everybody may write to", async ({ path }) => {
    await Deno.chmod(path, 0o777);
    return {};
  }, ["below a folder that everybody may write to", "COMPUTER_CONTROL_CACHE="]],
  ["a symbolic link", async ({ path, own }) => {
    await Deno.mkdir(`${path}/elsewhere`);
    await Deno.symlink(`${path}/elsewhere`, own);
    return {};
  }, ["it is or holds a symbolic link"]],
  ["a folder that others may enter", async ({ own }) => {
    await Deno.mkdir(own, { mode: 0o755 });
    return {};
  }, ["others may enter it: run chmod 700"]],
  ["a file", async ({ own }) => {
    await Deno.writeTextFile(own, "");
    return {};
  }, ["it is not a folder"]],
  [
    "a relative path",
    () => Promise.resolve({ COMPUTER_CONTROL_CACHE: "here" }),
    ['"here": it does not begin with /'],
  ],
  ["no home", async ({ path }) => {
    await Deno.writeTextFile(`${path}/id`, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    return { COMPUTER_CONTROL_CACHE: "", HOME: "", PATH: `${path}:/usr/bin:/bin` };
  }, ["HOME is not set", "COMPUTER_CONTROL_CACHE="]],
];

for (const [name, prepare, parts] of places) {
  Deno.test(`a cache that is ${name} is refused`, async () => {
    await using cache = await emptyCache();
    expectRefusal(await cache.version(await prepare(cache)), ...parts);
  });
}

const mounts: [string, string, string[]][] = [
  ["too small", "size=20m", ["MiB are free: make room", "COMPUTER_CONTROL_CACHE="]],
  ["read-only", "ro", ["the folder is not writable", "COMPUTER_CONTROL_CACHE="]],
  ["without programs", "noexec,size=400m", ["folder where programs may be started"]],
];

for (const [name, options, parts] of mounts) {
  Deno.test(`a cache that is ${name} is refused`, async () => {
    const alone = await isolation([]);
    if (alone === undefined) return; // it has said why
    await using cache = await emptyCache();
    const mount = `mount -t tmpfs -o ${options} none '${cache.path}' && exec "$@"`;
    expectRefusal(await cache.version({}, [...alone, "sh", "-c", mount, "sh"]), ...parts);
  });
}
