/** The folder for Windows as a user gets it: the zip, unpacked by another program, started by its command file. */

import { expect } from "expect";
import { REPOSITORY } from "../support/executable.ts";
import { testFolder } from "../support/folder.ts";
import { openWine, wineTest } from "../support/wine.ts";
import { findRunning, wineServiceOf } from "../support/wine_service.ts";
import { patchDenoExe } from "../support/wine/patch_deno_exe.ts";

const TARGET = "x86_64-pc-windows-msvc";
const ZIP = "computer-control-windows-x86_64-folder.zip";

wineTest("the folder for Windows works where it was unpacked, and knows where it is", async () => {
  await using folder = await testFolder();
  const place = `${folder.path}/a & b (é)`;
  await Deno.mkdir(place);
  await runHere(Deno.execPath(), [
    ...["run", "-A", `${REPOSITORY}tools/compile.ts`, "--target", TARGET, "--kind", "stand-in"],
    ...["--out", folder.path],
  ]);
  await runHere("unzip", ["-q", `${folder.path}/${ZIP}`, "-d", place]);
  const home = `${place}/computer-control`;
  const deno = await Deno.readFile(`${home}/deno.exe`);
  patchDenoExe(deno); // this wine lacks two functions
  await Deno.writeFile(`${home}/deno.exe`, deno);

  await using wine = await openWine([]);
  const start = (...args: string[]) =>
    wine.program(["cmd", "/d", "/c", "computer-control.cmd", ...args], home);

  const [version, shown, refused] = await Promise.all([
    outputOf(start("--version")),
    outputOf(start("install-service", "--print")),
    outputOf(start("--port", "x")),
  ]);
  expect(version).toEqual([0, expect.stringMatching(/^[\d.]+ \(folder, Deno [\d.]+\)\r?\n$/)]);
  expect(shown).toEqual([
    0,
    expect.stringContaining("a &amp; b (é)\\computer-control\\computer-control.cmd</Command>"),
  ]);
  expect(refused).toEqual([2, ""]);

  await using service = await wineServiceOf(
    start("--port", "0"),
    () => findRunning(wine, "main").forEach((pid) => Deno.kill(pid, "SIGINT")), // so Deno calls itself
  );
  await service.call("/api/mouse/move", { x: 123, y: 45 });
  expect(await service.call("/api/mouse/position")).toEqual({ x: 123, y: 45 });
  const search = { root_path: home, pattern: "walk_worker*" };
  const found = await service.call("/api/filesystem/search", {
    ...search,
    root_path: `Z:${home.replaceAll("/", "\\")}`,
  });
  expect(JSON.stringify(found)).toContain("walk_worker.js");
  const picture = await service.send("/api/display/screenshot?format=webp");
  expect([picture.status, (await picture.bytes()).length > 0]).toEqual([200, true]);
  expect(await (await service.send("/docs")).text()).toContain("swagger-ui");
  expect((await service.call("/api/bash/command", { command: "set" })).output)
    .not.toMatch(/COMPUTER_CONTROL_|DENO_NO_UPDATE_CHECK/);
  expect((await service.stop()).code).toBe(0);
});

async function runHere(program: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  if (code !== 0) throw new Error(`${program}: ${new TextDecoder().decode(stderr)}`);
}

async function outputOf(command: Deno.Command): Promise<[number, string]> {
  const { code, stdout } = await command.output();
  return [code, new TextDecoder().decode(stdout)];
}
