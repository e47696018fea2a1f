/** The trial on a fresh machine: what it tries by default, and what it refuses. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { testFolder } from "../support/folder.ts";
import { succeeds, unless } from "../support/test_if.ts";
import { PACKAGES } from "../../src/platform/linux/setup/programs.ts";
import { writeProgram } from "../support/written_program.ts";

const ROOT = new URL("../../", import.meta.url);
const SCRIPT = await Deno.readTextFile(new URL("tools/newcomer.sh", ROOT));
const TESTS = SCRIPT.match(/^TESTS="([^"]*)"/m)![1]!.split(/[\s\\]+/).filter((path) => path !== "");

/** Packages whose tests take too long for a trial on each change. */
const LONG_TESTS: Readonly<Record<string, string>> = {
  busybox: "it builds an executable and unpacks it again and again",
  fontconfig: "without it doctor only says less",
  libfaketime: "it kills the service and the X server under load",
};

Deno.test("the trial runs a test with each package that tests need, but for the long ones", async () => {
  const words = new Set<string>();
  for (const path of TESTS) {
    for (const text of await textsFrom(new URL(path, ROOT))) {
      for (const word of text.match(/[\w./+-]+/g) ?? []) words.add(word);
    }
  }
  const needed = PACKAGES.filter(({ purpose }) => purpose === "test");
  const untried = needed.filter(({ programs, module = "" }) =>
    ![...programs.flat(), module].some((name) => words.has(name))
  );
  expect(untried.map(({ name }) => name)).toEqual(Object.keys(LONG_TESTS));
});

Deno.test("the README has both commands that the trial runs, on lines of their own", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", ROOT));
  for (const task of ["start", "test"]) {
    expect(readme).toMatch(new RegExp(`^npx .* task ${task}( .*)?$`, "m"));
  }
});

const refused: [string[], string][] = [
  [["--nonsense"], "unknown option --nonsense"],
  [["--tests"], "--tests needs a list of files"],
];

for (const [args, said] of refused) {
  Deno.test({
    name: `newcomer.sh refuses ${args.join(" ")}`,
    ignore: unless(Deno.build.os !== "windows", "the trial is a script for bash"),
    async fn() {
      const script = fileURLToPath(new URL("tools/newcomer.sh", ROOT));
      const { code, stderr } = await new Deno.Command("bash", { args: [script, ...args] }).output();
      expect(code).not.toBe(0);
      expect(new TextDecoder().decode(stderr)).toContain(said);
    },
  });
}

const MAY = Deno.build.os === "linux" && Deno.uid() === 0 && await succeeds("npm", ["--version"]);

Deno.test({
  name: "a kept Debian that is damaged or old is made again, and a failure leaves nothing",
  ignore: unless(MAY, "the trial must be root on Linux, with npm"),
  async fn() {
    await using folder = await testFolder();
    const bin = `${folder.path}/bin`;
    await Deno.mkdir(bin);
    // says that it was asked, and fails as one without a network does
    await writeProgram(`${bin}/debootstrap`, "#!/bin/sh\necho E: no mirror\nexit 1\n");
    const kept = `${folder.path}/cache/computer-control/newcomer`;
    await Deno.mkdir(kept, { recursive: true });
    await Deno.mkdir(`${folder.path}/tmp`);
    const archive = `${kept}/bookworm-${
      { x86_64: "amd64", aarch64: "arm64" }[Deno.build.arch]
    }.tar.gz`;
    const whole = await packedFolder();
    const months = new Date(Date.now() - 40 * 86_400_000);
    const kinds: [string, Uint8Array<ArrayBuffer>, Date, RegExp][] = [
      ["cut off", whole.slice(0, -20), new Date(), /Making .* again/],
      ["a wrong byte", damaged(whole), new Date(), /Making .* again/],
      ["old", whole, months, /^(?!Making)/],
    ];
    for (const [kind, bytes, date, said] of kinds) {
      await Deno.writeFile(archive, bytes);
      await Deno.utime(archive, date, date);
      const { code, stdout, stderr } = await new Deno.Command("bash", {
        args: [fileURLToPath(new URL("tools/newcomer.sh", ROOT))],
        env: {
          ...{ PATH: `${bin}:${Deno.env.get("PATH")}`, TMPDIR: `${folder.path}/tmp` },
          XDG_CACHE_HOME: `${folder.path}/cache`,
        },
      }).output();
      const [output, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      expect({ kind, code, errors: errors!.trim() }).toEqual({
        ...{ kind, code: 1, errors: "newcomer: debootstrap failed: E: no mirror" },
      });
      expect(output).toMatch(said);
      expect([...Deno.readDirSync(`${folder.path}/tmp`)].map(({ name }) => name)).toEqual([]);
      expect([...Deno.readDirSync(kept)].map(({ name }) => name)).toEqual([
        archive.split("/").at(-1),
      ]);
    }
  },
});

/** A folder with one file, as `tar -cz` packs it. */
async function packedFolder(): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/file`, crypto.getRandomValues(new Uint8Array(4_096)));
    return (await new Deno.Command("tar", { args: ["-C", folder, "-cz", "."] }).output()).stdout;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function damaged(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.map((byte, index) => index === bytes.length >> 1 ? byte ^ 1 : byte);
}

/** The text of a file of the tests and of all that it imports there. */
async function textsFrom(file: URL, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(file.href)) return [];
  seen.add(file.href);
  const text = await Deno.readTextFile(file);
  const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => new URL(path!, file));
  const own = imports.filter(({ pathname }) => pathname.includes("/tests/"));
  const texts = await Promise.all(own.map((each) => textsFrom(each, seen)));
  return [text, ...texts.flat()];
}
