/** `grant kde`: the file that it writes, what it says and what it refuses. */

import { expect } from "expect";
import { basename } from "node:path";
import { type GrantRequest, readCommandLine } from "../../../src/cli/command_line.ts";
import { grantKde } from "../../../src/cli/grant/kde.ts";
import { requireWayland } from "../../../src/cli/program.ts";
import { linkDeno, runCommand } from "../../support/command.ts";
import { fakeHost, type FakeHostOptions } from "../../support/fake_host.ts";
import { testFolder } from "../../support/folder.ts";
import { copyProgram, writeProgram } from "../../support/written_program.ts";

const FILE = "data/applications/computer-control-grant.desktop";

/** A compiled executable in a home of its own. */
async function makeHome(options: FakeHostOptions = {}) {
  const folder = await testFolder();
  const home = await Deno.realPath(folder.path);
  const program = `${home}/computer-control`;
  await writeProgram(program, "");
  const env = { HOME: home, XDG_DATA_HOME: `${home}/data` };
  const host = fakeHost({ env, programs: ["kbuildsycoca5"], ...options });
  const started = { env, standalone: true, program, script: "/main.js", deno: "2" };
  const launch = { version: "1 (compiled)", command: [program] };
  return {
    home,
    host,
    program,
    file: `${home}/${FILE}`,
    async files(): Promise<string[]> {
      const entries = await Array.fromAsync(Deno.readDir(`${home}/data/applications`));
      return entries.map(({ name }) => name);
    },
    async grant(request: Partial<GrantRequest> = {}, changes: Partial<typeof started> = {}) {
      const all = { kind: "grant", grant: "kde", remove: false, print: false, ...request } as const;
      const how = { host, launch, started: { ...started, ...changes }, cwd: home };
      return (await grantKde(all, how)).join("\n");
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

Deno.test("grant kde names this executable and the interfaces, and says what it did", async () => {
  await using at = await makeHome();
  const said = await at.grant();
  const text = await Deno.readTextFile(at.file);
  expect(text).toContain(`\nExec=${at.program}\n`);
  expect(text).toContain("\nX-KDE-Wayland-Interfaces=org_kde_kwin_fake_input,");
  expect(text).toContain("\nX-KDE-DBUS-Restricted-Interfaces=org.kde.KWin.ScreenShot2\n");
  expect(text.split("\n")[1]).toBe("[Desktop Entry]");
  for (const part of [at.file, at.program, "without asking", "grant kde --remove"]) {
    expect(said).toContain(part);
  }
  for (const line of text.trimEnd().split("\n")) expect(said).toContain(line);
  expect(at.host.ran).toEqual(["kbuildsycoca5"]);
  expect(await at.files()).toEqual([basename(at.file)]);
});

Deno.test("grant kde --remove deletes the file once, and no other", async () => {
  await using at = await makeHome();
  expect(await at.grant({ remove: true })).toContain("Nothing is granted");
  await at.grant();
  await Deno.writeTextFile(`${at.home}/data/applications/other.desktop`, "x");
  expect(await at.grant({ remove: true })).toContain(`Removed "${at.file}"`);
  expect(await at.files()).toEqual(["other.desktop"]);
  expect(at.host.ran.length).toBe(2);
});

Deno.test("grant kde leaves a file of the same name alone that it did not write", async () => {
  await using at = await makeHome();
  await Deno.mkdir(`${at.home}/data/applications`, { recursive: true });
  await Deno.writeTextFile(at.file, "[Desktop Entry]\nName=mine\n");
  await expect(at.grant()).rejects.toThrow("was not written by this command");
  await expect(at.grant({ remove: true })).rejects.toThrow("was not written by this command");
  expect(await Deno.readTextFile(at.file)).toBe("[Desktop Entry]\nName=mine\n");
});

Deno.test("grant kde --print changes nothing", async () => {
  await using at = await makeHome();
  expect(await at.grant({ print: true })).toContain(`Exec=${at.program}`);
  await expect(Deno.stat(`${at.home}/data`)).rejects.toThrow(Deno.errors.NotFound);
  expect(at.host.ran).toEqual([]);
});

Deno.test("grant kde says so where KWin only notices it later", async () => {
  await using none = await makeHome({ programs: [] });
  expect(await none.grant()).toMatch(/next login.* is not installed/);
  await using failing = await makeHome({ codes: { kbuildsycoca5: 1 } });
  expect(await failing.grant()).toMatch(/next login: kbuildsycoca5 failed/);
});

Deno.test("grant kde takes the executable of --executable, by its real path", async () => {
  await using at = await makeHome();
  await writeProgram(`${at.home}/other`, "");
  await Deno.symlink(`${at.home}/other`, `${at.home}/link`);
  await at.grant({ executable: "link" });
  expect(await Deno.readTextFile(at.file)).toContain(`\nExec=${at.home}/other\n`);
});

Deno.test("grant kde refuses what cannot be granted, in one sentence", async () => {
  await using at = await makeHome();
  await Deno.mkdir(`${at.home}/a b`);
  await Deno.mkdir(`${at.home}/node_modules/deno`, { recursive: true });
  for (const name of ["a b/cc", "node_modules/deno/deno"]) {
    await writeProgram(`${at.home}/${name}`, "");
  }
  await Deno.writeTextFile(`${at.home}/plain`, "", { mode: 0o644 });
  for (
    const [executable, message] of [
      ["a b/cc", "move it to a path without spaces"],
      ["plain", "it is not executable"],
      [".", "it is not executable"],
      ["missing", "there is no such file"],
      ["node_modules/deno/deno", "--executable <path>"],
    ] as const
  ) await expect(at.grant({ executable })).rejects.toThrow(message);
  await expect(at.grant({}, { standalone: false })).rejects.toThrow("deno task compile");
  await expect(Deno.stat(at.file)).rejects.toThrow(Deno.errors.NotFound);
});

Deno.test("grant kde refuses the Deno of this computer, under any name, and takes a copy", async () => {
  await using folder = await testFolder();
  const path = await Deno.realPath(folder.path);
  const deno = await linkDeno(path);
  await Deno.link(deno, `${path}/another-name`);
  await copyProgram(deno, `${path}/copy`);
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  const env = { HOME: path, XDG_DATA_HOME: `${path}/data`, DENO_DIR: cache, PATH: path };
  for (const args of [[], ["--executable", deno], ["--executable", `${path}/another-name`]]) {
    const refused = await runCommand(["grant", "kde", ...args], env, deno);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/also runs other programs.*--executable <path>/);
  }
  const copy = `${path}/copy`; // runs nothing else, whoever calls it
  await runCommand(["grant", "kde", "--executable", copy], env, copy);
  const granted = await runCommand(["grant", "kde", "--executable", copy], env, deno);
  expect(granted).toMatchObject({ code: 0, stderr: "" });
  expect(await Deno.readTextFile(`${path}/${FILE}`)).toContain(`\nExec=${path}/copy\n`);
});

Deno.test("readCommandLine() reads grant", () => {
  expect(readCommandLine(["grant", "kde", "--remove"]))
    .toEqual({ kind: "grant", grant: "kde", remove: true, print: false });
  expect(readCommandLine(["grant", "--executable", "/x", "kde"]))
    .toEqual({ kind: "grant", grant: "kde", remove: false, print: false, executable: "/x" });
  const errors: readonly [string[], RegExp][] = [
    [["grant"], /grant needs the name of a desktop/],
    [["grant", "kd"], /"kd": did you mean "kde"/],
    [["grant", "constructor"], /There is no grant for "constructor": the names are /],
    [["grant", "kde", "more"], /Too many words \(more\)/],
    [["grant", "kde", "--port", "1"], /grant takes no --port|grant takes no flags/],
    [["serve", "--remove"], /--remove belongs to grant/],
  ];
  for (const [args, message] of errors) expect(() => readCommandLine(args)).toThrow(message);
});

Deno.test("grant refuses systems without Wayland", () => {
  expect(() => requireWayland(fakeHost({ os: "darwin" }))).toThrow('this is "darwin"');
});
