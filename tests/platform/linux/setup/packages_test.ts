/** Which packages are installed, for whom. */

import { expect } from "expect";
import {
  findPackages,
  missingPackages,
  PACKAGES,
  type Purpose,
  PURPOSES,
} from "../../../../src/platform/linux/setup/programs.ts";
import { INCLUDED, setup } from "../../../../tools/setup.ts";
import { fakeHost } from "../../../support/fake_host.ts";

Deno.test("each package has one line, and each line something to look for", () => {
  const names = PACKAGES.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(PACKAGES.filter(({ programs, module }) => programs.length === 0 && !module)).toEqual([]);
});

Deno.test("packagesOf() names the packages of programs", () => {
  expect(findPackages("Xvfb", "openbox")).toEqual(["xvfb", "openbox"]);
  expect(findPackages("nothing")).toEqual([]);
});

Deno.test("missingPackages() knows a package by every program of it", async () => {
  const host = fakeHost({ programs: ["setfacl"] });
  expect(await missingPackages(host, ["test"])).toContain("acl");
  const both = fakeHost({ programs: ["setfacl", "getfacl"] });
  expect(await missingPackages(both, ["test"])).not.toContain("acl");
});

Deno.test("missingPackages() knows a module of Python by importing it", async () => {
  const python = { exists: (path: string) => path === "/usr/bin/python3" };
  for (const code of [0, 1]) {
    const run = () => Promise.resolve({ code, output: "" });
    const missing = await missingPackages({ ...fakeHost(), ...python, run }, ["test"]);
    expect(missing.includes("python3-tk")).toBe(code !== 0);
  }
  expect(await missingPackages(fakeHost(), ["test"])).toContain("python3-tk");
});

const CHOICES: readonly (readonly [string, readonly Purpose[]])[] = [
  ...PURPOSES.map((each) => [each, [each, ...INCLUDED[each]]] as const),
  ["wine wayland", ["start", "test", "programs", "wine", "wayland"]],
  ["all", PURPOSES],
];

for (const [names, purposes] of CHOICES) {
  Deno.test(`setup --for ${names} installs what it and what it includes need, and nothing else`, async () => {
    const host = fakeHost({ uid: 0, programs: ["apt-get"] });
    expect(await setup(["--for", ...names.split(" ")], host)).toBe(0);
    const wanted = PACKAGES.filter((each) => purposes.includes(each.purpose));
    const [, installed] = host.said[0]!.match(/^Installing (.*) \(for [\w ]+\) with apt-get/)!;
    expect(installed!.split(" ")).toEqual(wanted.map(({ name }) => name));
  });
}

const refused = [["--for"], ["--for", "x"], ["test"], ["--for", "test", "x"], [
  "--for",
  "all",
  "test",
]];

for (const args of refused) {
  Deno.test(`setup refuses ${JSON.stringify(args)}`, async () => {
    expect(await setup(args, fakeHost())).toBe(2);
  });
}

Deno.test("setup installs nothing on another system", async () => {
  expect(await setup([], fakeHost({ os: "darwin", programs: ["apt-get"] }))).toBe(0);
});

Deno.test("setup as a program says what is missing where nothing can be installed", async () => {
  const path = new URL("../../../../tools/setup.ts", import.meta.url).href;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", path, "--for", "start"],
    env: { PATH: "/nonexistent" },
  }).output();
  const said = new TextDecoder().decode(stderr);
  expect([code, said]).toEqual([1, expect.stringContaining("with this system's package manager")]);
});
