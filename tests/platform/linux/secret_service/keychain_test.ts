/** The Secret Service, on a real gnome-keyring: unlocked, locked, and absent. */

import { expect } from "expect";
import { secretService } from "../../../../src/platform/linux/secret_service/keychain.ts";
import { openLinuxFileSystem } from "../../../../src/platform/linux/files/file_system.ts";
import { openKeychain } from "../../../../src/platform/keychain/open_keychain.ts";
import type { Keychain } from "../../../../src/platform/types/mod.ts";
import { fakeConfig, fakeHost } from "../../../support/fake_host.ts";
import { type Keyring, type KeyringState, startKeyring } from "../../../support/keyring.ts";
import { keepSecretsHidden, secretOf } from "../../../support/secrets.ts";

keepSecretsHidden();

const OPTIONS = { timeoutMs: 20_000 };

function hostOn(address: string | undefined) {
  return fakeHost({
    env: { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: "/nonexistent" },
    programs: ["secret-tool"],
  });
}

function keychainOn(keyring: Keyring): Promise<Keychain> {
  return secretService(hostOn(keyring.address), OPTIONS).open();
}

const NAMES = ["github", "a/b c", "Büro 日本 🙂", "-x", "--label=y", "a\\\"'`$ = b"];

const files = openLinuxFileSystem();

Deno.test("secretService() keeps items of any name in the user's keyring, and lists only its own", async () => {
  await using keyring = await startKeyring("unlocked");
  await keyring.secretTool(["store", "--label=other", "service", "someone else's"], "other");
  const keychain = await keychainOn(keyring);
  expect(await keychain.names()).toEqual([]);
  for (const name of NAMES) await keychain.write(name, secretOf(name));
  const big = `${"é\n".repeat(2_730)} x`;
  await keychain.write("github", big);
  expect((await keychain.names()).sort()).toEqual(NAMES.toSorted());
  expect(await keychain.read("github")).toBe(big);
  for (const name of NAMES.slice(1)) expect(await keychain.read(name)).toBe(secretOf(name));
  expect(await keychain.read("someone else's")).toBeUndefined();
  await keychain.remove("github");
  await keychain.remove("github");
  expect(await keychain.read("github")).toBeUndefined();
  expect(await keychain.names()).toHaveLength(NAMES.length - 1);
});

Deno.test("secretService() stores where secret-tool finds it", async () => {
  await using keyring = await startKeyring("unlocked");
  const keychain = await keychainOn(keyring);
  await keychain.write("github", secretOf("tool"));
  const attributes = ["application", "computer-control", "service", "github"];
  expect(await keyring.secretTool(["lookup", ...attributes])).toBe(secretOf("tool"));
});

Deno.test("secretService() refuses a text that secret-tool would cut", async () => {
  await using keyring = await startKeyring("unlocked");
  const keychain = await keychainOn(keyring);
  await keychain.write("github", "x".repeat(8_192));
  await expect(keychain.write("github", "x".repeat(8_193))).rejects.toMatchObject({
    code: "too_large",
  });
  expect(await keychain.read("github")).toBe("x".repeat(8_192));
});

Deno.test("secretService() refuses a locked keyring at once, and unlocks nothing", async () => {
  await using keyring = await startKeyring("locked");
  const keychain = await keychainOn(keyring);
  for (
    const use of [
      () => keychain.read("github"),
      () => keychain.write("github", "x"),
      () => keychain.remove("github"),
      () => keychain.names(),
    ]
  ) {
    await expect(use()).rejects.toMatchObject({ code: "unavailable" });
    await expect(use()).rejects.toThrow("its keyring is locked");
  }
});

interface Choice {
  readonly name: string;
  readonly state: KeyringState;
  readonly chosen: string;
  readonly reason: string;
}

const choices: Choice[] = [
  {
    name: "takes an unlocked Secret Service",
    state: "unlocked",
    chosen: "secret-service",
    reason: "the session's keyring is available and unlocked",
  },
  {
    name: "takes the file when the keyring is locked",
    state: "locked",
    chosen: "file",
    reason:
      "the Secret Service cannot be used: Cannot use the Secret Service: its keyring is locked",
  },
  {
    name: "takes the file when there is no keyring yet",
    state: "fresh",
    chosen: "file",
    reason: "it has no default keyring",
  },
  {
    name: "takes the file when no Secret Service runs on the bus",
    state: "absent",
    chosen: "file",
    reason: "it answers org.freedesktop.DBus.Error.ServiceUnknown",
  },
];

for (const { name, state, chosen, reason } of choices) {
  Deno.test(`openKeychain() ${name}`, async () => {
    await using keyring = await startKeyring(state);
    const system = secretService(hostOn(keyring.address), OPTIONS);
    const { choice } = await openKeychain(fakeConfig({ keychain: "auto" }), system, files);
    expect(choice).toMatchObject({ job: "keychain", chosen });
    expect(choice.reason).toContain(reason);
  });
}

Deno.test("openKeychain() takes the file when there is no session bus, or nobody listens on it", async () => {
  for (
    const [address, reason] of [
      [undefined, "there is no session bus"],
      ["unix:path=/nonexistent/bus", "the session bus cannot be reached"],
      ["nonsense", "unknown format"],
    ] as const
  ) {
    const system = secretService(hostOn(address), OPTIONS);
    const { choice } = await openKeychain(fakeConfig({ keychain: "auto" }), system, files);
    expect(choice.chosen).toBe("file");
    expect(choice.reason).toContain(reason);
  }
});

Deno.test("secretService() gives up on a bus that never answers", async () => {
  const path = await Deno.makeTempFile();
  await Deno.remove(path);
  using listener = Deno.listen({ transport: "unix", path });
  const accepted = listener.accept();
  const host = hostOn(`unix:path=${path}`);
  const keychain = await secretService(host, { timeoutMs: 100 }).open();
  await expect(keychain.names()).rejects.toThrow("it did not respond within 100 ms");
  (await accepted).close();
});

Deno.test("openKeychain() uses what --keychain names, also when it does not exist", async () => {
  const system = secretService(hostOn(undefined), OPTIONS);
  const asked = await openKeychain(fakeConfig({ keychain: "secret-service" }), system, files);
  expect(asked.choice).toMatchObject({ chosen: "secret-service", reason: "as --keychain asks" });
  expect(await (asked.keychain.ready && asked.keychain.use.readiness()))
    .toMatchObject({ ready: false });
  const file = await openKeychain(fakeConfig({ keychain: "file" }), system, files);
  expect(file.choice).toMatchObject({ chosen: "file" });
  const foreign = await openKeychain(fakeConfig({ keychain: "macos" }), system, files);
  expect(foreign.keychain).toMatchObject({ ready: false });
  expect(foreign.choice).toMatchObject({ chosen: null });
});
