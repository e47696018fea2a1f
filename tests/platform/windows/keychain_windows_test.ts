/** The Credential Manager of Windows itself, or under wine. */

import { expect } from "expect";
import { keepAlive, readWideText, wideText } from "../../../ffi/memory.ts";
import { CRED_TYPE_GENERIC, openCredentialManager } from "../../../ffi/windows/advapi32.ts";
import type { Keychain } from "../../../src/platform/types/mod.ts";
import {
  encodeCredential,
  readBlob,
  readTargetName,
  windowsKeychain,
} from "../../../src/platform/windows/keychain.ts";
import { testKeychain } from "../../support/keychain_contract.ts";

const ignore = Deno.build.os !== "windows";

/** Every item is forgotten before and after. */
async function openEmpty() {
  const [keychain, other] = [await windowsKeychain().open(), await windowsKeychain().open()];
  await forgetAll(keychain);
  return {
    keychain,
    other,
    async [Symbol.asyncDispose]() {
      await forgetAll(keychain);
      await keychain[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
}

async function forgetAll(keychain: Keychain): Promise<void> {
  for (const name of await keychain.names()) await keychain.remove(name);
}

testKeychain({ name: "windowsKeychain()", ignore, open: openEmpty });

Deno.test(
  { name: "windowsKeychain() takes 2,560 bytes, and says what would help", ignore },
  async () => {
    await using opened = await openEmpty();
    const { keychain } = opened;
    const longest = "é".repeat(1_280);
    await keychain.write("github", longest);
    await expect(keychain.write("github", `${longest}x`)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("use --keychain file"),
    });
    expect(await keychain.read("github")).toBe(longest);
  },
);

Deno.test({ name: "windowsKeychain() stores where other programs find it", ignore }, async () => {
  await using opened = await openEmpty();
  await opened.keychain.write("GitHub", "s3cret é");
  const { symbols, close } = openCredentialManager();
  const found = new BigUint64Array(1);
  const target = wideText("computer-control:%47it%48ub");
  expect(symbols.CredReadW(target, CRED_TYPE_GENERIC, 0, found)).toBe(1);
  const credential = Deno.UnsafePointer.create(found[0]!)!;
  expect(new TextDecoder().decode(readBlob(credential))).toBe("s3cret é");
  expect(readTargetName(credential)).toBe("computer-control:%47it%48ub");
  const user = new Deno.UnsafePointerView(credential).getPointer(72)!;
  expect(readWideText(user)).toBe("GitHub");
  symbols.CredFree(credential);
  close();
});

Deno.test({ name: "windowsKeychain() leaves the items of others alone", ignore }, async () => {
  await using opened = await openEmpty();
  const library = openCredentialManager();
  const foreign = ["someone-else", "computer-control:Not Ours", "computer-control:%zz"];
  for (const name of foreign) {
    const { struct, target, user, blob } = encodeCredential(name, "", new Uint8Array([1]));
    expect(library.symbols.CredWriteW(struct, 0)).toBe(1);
    keepAlive(target, user, blob);
  }
  await opened.keychain.write("ours", "x");
  expect(await opened.keychain.names()).toEqual(["ours"]);
  for (const name of foreign) {
    expect(library.symbols.CredDeleteW(wideText(name), CRED_TYPE_GENERIC, 0)).toBe(1);
  }
  library.close();
});

Deno.test({
  name: "windowsKeychain() tells an item that is missing from a failure, each time",
  ignore,
}, async () => {
  await using opened = await openEmpty();
  for (let times = 0; times < 1_000; times++) {
    expect(await opened.keychain.read("missing")).toBeUndefined();
  }
});
