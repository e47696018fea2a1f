/** Versions of the self-extracting file that nobody uses any more are removed. */

import { expect } from "expect";
import { holdUnpacked } from "../../src/cli/launch.ts";
import { testFolder } from "../support/folder.ts";

const DAY_SECONDS = 24 * 60 * 60;
const CURRENT = "0.2.0-0123456789abcdef";
const OLD = "0.1.0-fedcba9876543210";

/** A folder as the self-extracting file makes it, last started so many days ago. */
async function unpacked(path: string, days: number): Promise<string> {
  await Deno.mkdir(path);
  await Deno.writeTextFile(`${path}/main.js`, "");
  await Deno.writeTextFile(`${path}/.used`, "\n");
  const time = Date.now() / 1_000 - days * DAY_SECONDS;
  await Deno.utime(`${path}/.used`, time, time);
  return path;
}

async function names(path: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name).sort();
}

Deno.test("holdUnpacked() removes what nobody has started for a month, and nothing else", async () => {
  await using folder = await testFolder();
  const current = await unpacked(`${folder.path}/${CURRENT}`, 99);
  await unpacked(`${folder.path}/${OLD}`, 31);
  await unpacked(`${folder.path}/.removed-${OLD}`, 0); // by somebody who was killed
  const kept = ["0.1.1-fedcba9876543210", "deno", "wine"];
  await unpacked(`${folder.path}/${kept[0]}`, 29);
  await unpacked(`${folder.path}/deno`, 99);
  await unpacked(`${folder.path}/wine`, 99);
  await Deno.symlink(await unpacked(`${folder.path}/elsewhere`, 99), `${folder.path}/1.${OLD}`);
  using _held = await holdUnpacked(current);
  expect(await names(folder.path)).toEqual([CURRENT, ...kept, "elsewhere", `1.${OLD}`].sort());
  expect(await names(`${folder.path}/elsewhere`)).toEqual([".used", "main.js"]);
});

Deno.test("holdUnpacked() leaves a version that runs, for however long it does", async () => {
  await using folder = await testFolder();
  const current = await unpacked(`${folder.path}/${CURRENT}`, 0);
  const old = await unpacked(`${folder.path}/${OLD}`, 400);
  {
    using _running = await holdUnpacked(old);
    using _held = await holdUnpacked(current);
    expect(await names(folder.path)).toEqual([OLD, CURRENT]);
  }
  using _held = await holdUnpacked(current);
  expect(await names(folder.path)).toEqual([CURRENT]);
});
