/** Folders of temporary files: those of services that were killed go, and no others. */

import { join } from "node:path";
import { expect } from "expect";
import { makeOwnedFolder } from "../../src/platform/owned_folder.ts";
import { unless } from "../support/test_if.ts";

const MODULE = new URL("../../src/platform/owned_folder.ts", import.meta.url).href;

/** Run by a process of its own, whose folders are abandoned when it has ended. */
const PROGRAM = `
import { makeOwnedFolder } from ${JSON.stringify(MODULE)};
const [prefix] = Deno.args;
const unknown = await Deno.makeTempDir({ prefix });
console.log(JSON.stringify([await makeOwnedFolder(prefix), unknown]));
`;

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test({
  name: "a folder whose owner has ended is removed by the next one of its prefix, and no other",
  ignore: unless(Deno.build.os === "linux", "only Linux tells a process from a later one"),
  async fn() {
    const prefix = `computer-control-test-${crypto.randomUUID().slice(0, 8)}-`;
    const { stdout, success } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", PROGRAM, prefix],
      stderr: "inherit",
    }).output();
    expect(success).toBe(true);
    const [abandoned, unknown] = JSON.parse(new TextDecoder().decode(stdout));
    const own = await makeOwnedFolder(`${prefix}own-`);
    expect(await isThere(abandoned)).toBe(true); // of another prefix
    const next = await makeOwnedFolder(prefix);
    try {
      expect(await Promise.all([abandoned, unknown, own, next].map(isThere)))
        .toEqual([false, true, true, true]);
      expect((await Deno.stat(next)).mode! & 0o777).toBe(0o700);
      await Deno.writeTextFile(join(unknown, "owner.json"), "{");
      await Deno.remove(await makeOwnedFolder(prefix), { recursive: true });
      expect(await isThere(unknown)).toBe(true);
    } finally {
      for (const path of [unknown, own, next]) await Deno.remove(path, { recursive: true });
    }
  },
});
