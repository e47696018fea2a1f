/** What every keychain must do, on those that are here. */

import { FileKeychain } from "../../../src/platform/keychain/file_keychain.ts";
import { secretService } from "../../../src/platform/linux/secret_service/keychain.ts";
import { FakeKeychain } from "../../support/fake_keychain.ts";
import { fakeHost } from "../../support/fake_host.ts";
import { testFolder } from "../../support/folder.ts";
import { testKeychain } from "../../support/keychain_contract.ts";
import { startKeyring } from "../../support/keyring.ts";

testKeychain({
  name: "FakeKeychain",
  open() {
    const keychain = new FakeKeychain();
    return Promise.resolve({
      ...{ keychain, other: keychain },
      [Symbol.asyncDispose]: () => keychain[Symbol.asyncDispose](),
    });
  },
});

testKeychain({
  name: "FileKeychain",
  async open() {
    const folder = await testFolder();
    const path = `${folder.path}/keychain/items`;
    const keychain = new FileKeychain({ path, keyFile: undefined });
    return {
      ...{ keychain, other: keychain }, // a second one is refused
      async [Symbol.asyncDispose]() {
        await keychain[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  },
});

testKeychain({
  name: "secretService()",
  async open() {
    const keyring = await startKeyring("unlocked");
    const env = { DBUS_SESSION_BUS_ADDRESS: keyring.address, XDG_RUNTIME_DIR: "/nonexistent" };
    const host = fakeHost({ env, programs: ["secret-tool"] });
    const service = secretService(host, { timeoutMs: 20_000 });
    return {
      keychain: await service.open(),
      other: await service.open(),
      [Symbol.asyncDispose]: () => keyring[Symbol.asyncDispose](),
    };
  },
});
