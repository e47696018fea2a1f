/** The self-extracting file where a start is out of the ordinary: names, streams, variables, times. */

import { expect } from "expect";
import { bareEnvironment, builtExecutable, runBare } from "../support/executable.ts";
import { pick } from "../support/extent.ts";
import { emptyCache, expectVersion, leftovers } from "../support/unpack_cache.ts";
import { copyProgram, writeProgram } from "../support/written_program.ts";

const SHELLS = [["dash"], ["bash", "--posix"], ["busybox", "sh"]];
const DAY_SECONDS = 24 * 60 * 60;

for (const shell of SHELLS) {
  Deno.test(`a file that was cut in its head does nothing, with ${shell[0]}`, async () => {
    await using cache = await emptyCache();
    const path = `${cache.path}/cut`;
    const bytes = await Deno.readFile(await builtExecutable());
    const head = new TextDecoder().decode(bytes.subarray(0, 20_000));
    const length = head.indexOf("\nfind_place\n");
    expect(length).toBeGreaterThan(1_000);
    await writeProgram(path, bytes.subarray(0, length));
    const env = { ...bareEnvironment("/"), COMPUTER_CONTROL_CACHE: cache.path };
    const { code, stdout, stderr } = await runBare([...shell, path, "--version"], env);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/end of file|EOF/)]);
    await expect(Deno.stat(cache.own)).rejects.toThrow();
  });
}

const CLOSED = ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"];
const pairs = SHELLS.flatMap((shell) => CLOSED.map((closed) => ({ shell, closed })));
/** Each shell and each stream, but not each with each. */
const some = [
  ...SHELLS.map((shell, index) => ({ shell, closed: CLOSED[index]! })),
  { shell: SHELLS[0]!, closed: CLOSED.at(-1)! },
];

for (const { shell, closed } of pick({ short: some, full: pairs })) {
  Deno.test(`the executable unpacks itself with ${closed}, with ${shell[0]}`, async () => {
    await using cache = await emptyCache();
    const close = ["sh", "-c", `exec "$@" ${closed}`, "sh"];
    const { code, stderr } = await cache.version({}, [...close, ...shell]);
    expect([code, stderr]).toEqual([0, ""]);
    expect((await Deno.stat(`${await cache.unpacked()}/.checked`)).isFile).toBe(true);
    expect(await leftovers(cache)).toEqual([]);
  });
}

Deno.test("variables that change other programs do not matter", async () => {
  await using cache = await emptyCache();
  const tools = { TAR_OPTIONS: "--strip-components=1", GZIP: "-v", POSIXLY_CORRECT: "1" };
  expectVersion(await cache.version({ ...tools, IFS: "/", CDPATH: "/", BLOCKSIZE: "1M" }));
});

/** How the file is started in its folder, where it is called "-x". */
const starts: [string, string][] = [
  ["by its path", '"$PWD/-x"'],
  ["from its folder", "./-x"],
  ["by a shell", "sh -- -x"],
  ["by a symbolic link", "ln -s -- -x link; ./link"],
  ["by PATH", 'PATH=$PWD:$PATH; cd /; "-x"'],
  ["by a shell that looks into PATH", 'PATH=$PWD:$PATH; cd /; bash -- "-x"'],
];

Deno.test("an executable with an odd name works and knows where it is", async (test) => {
  await using cache = await emptyCache(); // the first start unpacks, the others find it
  const folder = `${cache.path}/a 'b' "c"\n%d`;
  await Deno.mkdir(folder);
  await copyProgram(await builtExecutable(), `${folder}/-x`);
  const env = { ...bareEnvironment(folder), COMPUTER_CONTROL_CACHE: cache.path };
  const written = folder.replaceAll('"', '\\"').replace("\n", "\\x0a").replace("%", "%%");
  for (const [name, start] of starts) {
    await test.step(name, async () => {
      const script = `${start} install-service --print '--state-dir=/é " b'`;
      const { code, stdout, stderr } = await runBare(["sh", "-c", script], env, folder);
      expect([code, stderr]).toEqual([0, ""]);
      const file = start.includes("link") ? "link" : "-x";
      expect(stdout).toContain(`\nExecStart="${written}/${file}" "--state-dir=/é \\" b"\n`);
    });
  }
});

Deno.test("another time zone does not make it look at every byte again", async () => {
  await using cache = await emptyCache();
  expectVersion(await cache.version({ TZ: "UTC" }));
  const stamp = `${await cache.unpacked()}/.checked`;
  const { ino } = await Deno.stat(stamp);
  expectVersion(await cache.version({ TZ: "Asia/Tokyo" }));
  expect((await Deno.stat(stamp)).ino).toBe(ino);
});

Deno.test("a folder whose group is inherited is as good as any", async () => {
  await using cache = await emptyCache();
  await runBare(["chmod", "2755", cache.path], bareEnvironment("/"));
  expectVersion(await cache.version());
  expectVersion(await cache.version());
});

Deno.test("what others left who were killed goes, but not what another machine may be unpacking", async () => {
  await using cache = await emptyCache();
  await Deno.mkdir(cache.own, { mode: 0o700 });
  const now = Date.now() / 1_000;
  const host = Deno.hostname();
  const all: [string, number][] = [
    [`.unpack.${host}.99999999.a`, now],
    [`.unpack.${host}.${Deno.pid}.a`, now],
    [".unpack.other.99999999.a", now],
    [".unpack.other.99999999.b", now - 3 * DAY_SECONDS],
  ];
  for (const [name, time] of all) {
    await Deno.mkdir(`${cache.own}/${name}`);
    await Deno.utime(`${cache.own}/${name}`, time, time);
  }
  expectVersion(await cache.version());
  expect((await leftovers(cache)).sort())
    .toEqual([`.unpack.${host}.${Deno.pid}.a`, ".unpack.other.99999999.a"].sort());
});

Deno.test("what somebody still writes into is removed a moment later", async () => {
  await using cache = await emptyCache();
  await Deno.mkdir(`${cache.own}/.unpack.${Deno.hostname()}.99999999.a`, {
    recursive: true,
    mode: 0o700,
  });
  const rm = '#!/bin/sh\n[ -e "$0.ran" ] && exec /bin/rm "$@"\n' +
    ': >"$0.ran"\necho "Directory not empty" >&2\nexit 1\n';
  await writeProgram(`${cache.path}/rm`, rm);
  expectVersion(await cache.version({ PATH: `${cache.path}:/usr/bin:/bin` }));
  expect(await leftovers(cache)).toEqual([]);
});
