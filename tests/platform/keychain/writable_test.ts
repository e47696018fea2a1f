/** A keychain that cannot be written to does not call itself ready. */

import { expect } from "expect";
import { FileKeychain } from "../../../src/platform/keychain/file_keychain.ts";
import { bindReadOnly, cannotMount, mountSmall } from "../../features/filesystem/mounts.ts";
import { openLinuxFileSystem } from "../../../src/platform/linux/files/file_system.ts";
import { testFolder } from "../../support/folder.ts";

const files = openLinuxFileSystem();
const ignore = await cannotMount();

Deno.test({
  name: "FileKeychain is not ready on a read-only file system, with and without a file",
  ignore,
  async fn() {
    for (const filled of [true, false]) {
      await using folder = await testFolder();
      await using keychain = new FileKeychain({ path: `${folder.path}/keychain/items`, files });
      if (filled) await keychain.write("github", "secret");
      expect(await keychain.readiness()).toMatchObject({ ready: true });
      await using _mounted = await bindReadOnly(folder.path);
      const { ready, reason } = await keychain.readiness();
      expect([ready, reason]).toEqual([false, expect.stringContaining("read-only")]);
      if (filled) expect(await keychain.read("github")).toBe("secret");
    }
  },
});

Deno.test({
  name: "FileKeychain is not ready on a full disk",
  ignore,
  async fn() {
    await using disk = await mountSmall("256k");
    await using keychain = new FileKeychain({ path: `${disk.folder}/keychain/items`, files });
    await keychain.write("github", "secret");
    expect(await keychain.readiness()).toMatchObject({ ready: true });
    await Deno.writeFile(`${disk.folder}/filler`, new Uint8Array(200 * 1024));
    const { ready, reason } = await keychain.readiness();
    expect([ready, reason]).toEqual([false, expect.stringContaining("full")]);
    await Deno.remove(`${disk.folder}/filler`);
    expect(await keychain.readiness()).toMatchObject({ ready: true });
  },
});
