/** A disk that is full at any step of storing a secret: what was acknowledged stays, and nothing is half there. */

import { expect } from "expect";
import { FileKeychain } from "../../../src/platform/keychain/file_keychain.ts";
import { cannotMount, mountSmall } from "../../features/filesystem/mounts.ts";
import { fillBut } from "../../support/full_disk.ts";

const MAX_PAGES = 24;
const secretOf = (name: string) => name.repeat(2_000);

/** Stores with each number of free pages; gives the names that were acknowledged. */
async function storeAll(disk: string, path: string): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let pages = 0; pages <= MAX_PAGES; pages++) {
    await using keychain = new FileKeychain({ path });
    await using _full = await fillBut(disk, pages);
    const name = `service-${pages}`;
    try {
      await keychain.write(name, secretOf(name));
      acknowledged.push(name);
    } catch (error) {
      expect(error).toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/[Nn]o space/),
      });
    }
  }
  return acknowledged;
}

Deno.test({
  name: "FileKeychain keeps all that it acknowledged, on a disk with room for each number of pages",
  ignore: await cannotMount(),
  async fn() {
    await using disk = await mountSmall("600k");
    const path = `${disk.folder}/keychain/items`;
    const acknowledged = await storeAll(disk.folder, path);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.length).toBeLessThan(MAX_PAGES);
    await using keychain = new FileKeychain({ path });
    expect((await keychain.names()).sort()).toEqual(acknowledged.toSorted());
    for (const name of acknowledged) expect(await keychain.read(name)).toBe(secretOf(name));
    const left = [...Deno.readDirSync(`${disk.folder}/keychain`)].map(({ name }) => name).sort();
    expect(left).toEqual(["items", "items.key", "items.lock"]);
  },
});
