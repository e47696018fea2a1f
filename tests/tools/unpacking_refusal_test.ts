/** The self-extracting file refuses what is damaged and places that are not safe, and says what to do. */

import { expect } from "expect";
import { bareEnvironment, builtExecutable, isolation, runBare } from "../support/executable.ts";
import { type Cache, emptyCache, expectRefusal, leftovers } from "../support/unpack_cache.ts";
import { testIf, unless } from "../support/test_if.ts";
import { writeProgram } from "../support/written_program.ts";

/** A user and a group that nobody here is. */
const ANOTHER = 61_234;
/** What unpacking needs. */
const TOOLS = "cat chmod gzip head id mkdir mktemp mv rm sha256sum stat tail tar uname wc".split(
  " ",
);

Deno.test("a file that was cut is refused", async () => {
  await using cache = await emptyCache();
  const path = `${cache.path}/../cut`;
  await writeProgram(path, (await Deno.readFile(await builtExecutable())).subarray(0, 20_000_000));
  const env = { ...bareEnvironment("/"), COMPUTER_CONTROL_CACHE: cache.path };
  expectRefusal(await runBare([path], env), "is damaged: it has 20000000 bytes instead of");
});

Deno.test("a file whose parts were changed is refused", async () => {
  await using cache = await emptyCache();
  const path = `${cache.path}/../changed`;
  const bytes = await Deno.readFile(await builtExecutable());
  bytes.fill(0, 30_000_000, 30_001_000);
  await writeProgram(path, bytes);
  const env = { ...bareEnvironment("/"), COMPUTER_CONTROL_CACHE: cache.path };
  expectRefusal(await runBare([path], env), "the files are damaged", "COMPUTER_CONTROL_CACHE=");
  expect(await leftovers(cache)).toEqual([]);
});

Deno.test("a file for another system says so", async () => {
  await using cache = await emptyCache();
  const uname = "#!/bin/sh\n[ $1 = -m ] && echo mips || echo Haiku\n";
  await writeProgram(`${cache.path}/uname`, uname);
  const ended = await cache.version({ PATH: `${cache.path}:/usr/bin:/bin` });
  expectRefusal(ended, `This file is for linux ${Deno.build.arch}, and this is Haiku mips`);
});

const places: [string, (cache: Cache) => Promise<Record<string, string>>, string[]][] = [
  ["a folder that everybody may write to", async ({ path }) => {
    await Deno.chmod(path, 0o777);
    return {};
  }, ["below a folder that everybody may write to", "COMPUTER_CONTROL_CACHE="]],
  ["a folder that a group may write to", async ({ path }) => {
    await Deno.chown(path, null, ANOTHER);
    await Deno.chmod(path, 0o775);
    return {};
  }, ["below a folder that a group may write to", "COMPUTER_CONTROL_CACHE="]],
  ["a folder of another user", async ({ path }) => {
    await Deno.chown(path, ANOTHER, null);
    return {};
  }, ["below a folder of another user", "COMPUTER_CONTROL_CACHE="]],
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
    await writeProgram(`${path}/id`, "#!/bin/sh\nexit 1\n");
    return { COMPUTER_CONTROL_CACHE: "", HOME: "", PATH: `${path}:/usr/bin:/bin` };
  }, ["HOME is not set", "COMPUTER_CONTROL_CACHE="]],
];

for (const [name, prepare, parts] of places) {
  const ignore = /another user|a group/.test(name) && unless(Deno.uid() === 0, "it needs root");
  Deno.test(`a cache that is ${name} is refused`, { ignore }, async () => {
    await using cache = await emptyCache();
    expectRefusal(await cache.version(await prepare(cache)), ...parts);
  });
}

Deno.test("nothing is made in the home of another user", {
  ignore: unless(Deno.uid() === 0, "it needs root"),
}, async () => {
  await using cache = await emptyCache();
  await Deno.chown(cache.path, ANOTHER, ANOTHER);
  const ended = await cache.version({ COMPUTER_CONTROL_CACHE: "", HOME: cache.path });
  expectRefusal(ended, "below a folder of another user");
  expect(await Array.fromAsync(Deno.readDir(cache.path))).toEqual([]);
});

for (const lacking of ["tar", "gzip", "sha256sum"]) {
  Deno.test(`a system without ${lacking} is told so`, async () => {
    await using cache = await emptyCache();
    for (const tool of TOOLS.filter((each) => each !== lacking)) {
      const { stdout } = await runBare(["sh", "-c", `command -v ${tool}`], bareEnvironment("/"));
      await Deno.symlink(stdout.trim(), `${cache.path}/${tool}`);
    }
    const ended = await cache.version({ PATH: cache.path }, ["/bin/sh"]);
    expectRefusal(ended, `Cannot unpack: ${lacking}`, "needed: install");
  });
}

const mounts: [string, string, string[]][] = [
  ["too small", "size=20m", ["MiB are free: make room", "COMPUTER_CONTROL_CACHE="]],
  ["read-only", "ro", ["the folder is not writable", "COMPUTER_CONTROL_CACHE="]],
  ["without programs", "noexec,size=400m", ["folder where programs may be started"]],
];

const alone = await isolation([]);
const mayMount = testIf(alone !== undefined, "needs the right to mount");

for (const [name, options, parts] of mounts) {
  mayMount(`a cache that is ${name} is refused`, async () => {
    await using cache = await emptyCache();
    const mount = `mount -t tmpfs -o ${options} none '${cache.path}' && exec "$@"`;
    expectRefusal(await cache.version({}, [...alone!, "sh", "-c", mount, "sh"]), ...parts);
  });
}

mayMount(
  "a disk that is full before its numbers say so is refused, and nothing is left",
  async () => {
    await using cache = await emptyCache();
    const df = "#!/bin/sh\necho head\necho none 9999999 0 9999999 0% /\n";
    await writeProgram(`${cache.path}/../df`, df);
    const script = `mount -t tmpfs -o size=60m none '${cache.path}' || exit; "$@"; code=$?; ` +
      `ls -A '${cache.own}'; exit $code`;
    const path = `${cache.path.replace(/\/cache$/, "")}:${bareEnvironment("/")["PATH"]}`;
    const ended = await cache.version({ PATH: path }, [...alone!, "sh", "-c", script, "sh"]);
    expectRefusal(ended, "the files are damaged or cannot be written", "COMPUTER_CONTROL_CACHE=");
  },
);
