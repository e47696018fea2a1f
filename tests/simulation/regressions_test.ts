/** The simulation finds faults that the service once had, in a copy of the sources that has them again. */

import { expect } from "expect";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TestFolder, testFolder } from "../support/folder.ts";
import { type Regression, REGRESSIONS } from "./regressions.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What the simulation consists of. */
const PARTS = ["src", "ffi", "tests", "tools", "deno.json", "deno.dev.json", "deno.dev.lock"];

/**
 * Not a time, which a busy computer would shorten. Most are found in the first ones; every change of the service moves
 * what a seed does, and the rarest fault is then found once in about a thousand, which take two minutes.
 */
const SEEDS = "1500";

for (const regression of REGRESSIONS) {
  Deno.test(`the simulation finds that ${regression.what}`, async () => {
    await using folder = await copyWith(regression);
    const { world, seed, operations, finds } = regression;
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["task", "-q", "simulate", "--seeds", SEEDS, "--first"],
        ...["--world", world, "--seed", String(seed)],
        ...operations ? ["--operations", operations.join()] : [],
      ],
      cwd: folder.path,
    }).output();
    const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    expect(output).toMatch(/^Seeds \d+ to \d+: 1 failed$/m);
    expect(output).toMatch(finds);
    expect(success).toBe(false);
  });
}

async function copyWith({ file, changes }: Regression): Promise<TestFolder> {
  const folder = await testFolder();
  for (const part of PARTS) await copy(join(ROOT, part), join(folder.path, part));
  const path = join(folder.path, file);
  let text = await Deno.readTextFile(path);
  for (const [today, once] of changes) {
    expect(text.split(today)).toHaveLength(2);
    text = text.replace(today, () => once);
  }
  await Deno.writeTextFile(path, text);
  return folder;
}

async function copy(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) await copy(join(from, name), join(to, name));
}
