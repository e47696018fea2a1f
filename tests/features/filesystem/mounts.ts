/** File systems made for one test. */

import { run } from "../../support/desktop.ts";
import { succeeds, unless } from "../../support/test_if.ts";

export interface Mounted extends AsyncDisposable {
  readonly folder: string;
}

/** For `ignore` of the tests that mount. */
export async function cannotMount(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    const can = Deno.build.os === "linux" && Deno.uid() === 0 &&
      await succeeds("mount", ["-t", "tmpfs", "none", folder]);
    if (can) await run("umount", [folder]);
    return unless(can, "needs Linux, and root with the right to mount");
  } finally {
    await Deno.remove(folder);
  }
}

/** A small file system in memory. */
export async function mountSmall(size: string): Promise<Mounted> {
  const folder = await Deno.makeTempDir();
  return await mounted(["-t", "tmpfs", "-o", `size=${size},mode=755`, "none", folder], folder);
}

/** Puts one file over another one, as container systems do. */
export async function bindOver(file: string, over: string): Promise<Mounted> {
  return await mounted(["--bind", file, over], over);
}

/** Makes a folder read-only by mounting it over itself. */
export async function bindReadOnly(folder: string): Promise<Mounted> {
  const bound = await bindOver(folder, folder);
  await run("mount", ["-o", "remount,bind,ro", folder]);
  return bound;
}

async function mounted(args: readonly string[], folder: string): Promise<Mounted> {
  await run("mount", args);
  return {
    folder,
    async [Symbol.asyncDispose]() {
      // a program that another test starts at this moment has our files open until it runs
      await run("umount", ["--lazy", folder]);
    },
  };
}
