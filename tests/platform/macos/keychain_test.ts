/** The Keychain of macOS, on a recorder in place of `security`: what it is given, and how its listing is read. */

import { expect } from "expect";
import { commandLine, macosKeychain } from "../../../src/platform/macos/keychain.ts";
import { openMacosFileSystem } from "../../../src/platform/macos/files/mod.ts";
import { openKeychain } from "../../../src/platform/keychain/open_keychain.ts";
import { fakeConfig, fakeHost } from "../../support/fake_host.ts";
import { type TestFolder, testFolder } from "../../support/folder.ts";
import { keepSecretsHidden, secretOf } from "../../support/secrets.ts";
import { copyProgram } from "../../support/written_program.ts";

keepSecretsHidden();

const OPTIONS = { timeoutMs: 20_000 };
const SECRET = `[["password","${secretOf('\\"quoted\\" & ünï 🔑\\n')}"]]`;
const NAMES = ["github", "a/b c", "Büro 日本", 'a"b\\c', "-x", "$HOME `id`"];

interface Recorded {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

interface Mac extends TestFolder {
  readonly system: ReturnType<typeof macosKeychain>;
  recorded(): Recorded[];
}

async function startMac(): Promise<Mac> {
  const folder = await testFolder();
  const program = `${folder.path}/security`;
  await copyProgram(new URL("../../support/security.py", import.meta.url), program);
  const host = { ...fakeHost({ os: "darwin" }), which: () => program };
  return {
    ...folder,
    system: macosKeychain(host, OPTIONS),
    recorded: () =>
      Deno.readTextFileSync(`${folder.path}/record.jsonl`).trim().split("\n")
        .map((line) => JSON.parse(line)),
  };
}

const files = openMacosFileSystem();

Deno.test("macosKeychain() keeps items of any name, and lists only its own", async () => {
  await using mac = await startMac();
  const keychain = await mac.system.open();
  for (const name of NAMES) await keychain.write(name, secretOf(name));
  await keychain.write("github", SECRET);
  expect(await keychain.read("github")).toBe(SECRET);
  for (const name of NAMES.slice(1)) expect(await keychain.read(name)).toBe(secretOf(name));
  expect((await keychain.names()).sort()).toEqual(NAMES.toSorted());
  await keychain.remove("github");
  await keychain.remove("github");
  expect(await keychain.read("github")).toBeUndefined();
});

Deno.test("macosKeychain() gives the secret by standard input, never by argument or environment", async () => {
  await using mac = await startMac();
  const keychain = await mac.system.open();
  await keychain.write("github", SECRET);
  await keychain.read("github");
  await keychain.names();
  await keychain.remove("github");
  const encoded = new TextEncoder().encode(SECRET).toBase64();
  expect(mac.recorded().map(({ args, stdin }) => ({ args, stdin }))).toEqual([
    {
      args: ["-i"],
      stdin:
        `add-generic-password -U -s computer-control -a github -l "Computer Control: github" -w ${encoded}\n`,
    },
    { args: ["find-generic-password", "-s", "computer-control", "-a", "github", "-w"], stdin: "" },
    { args: ["find-generic-password", "-s", "computer-control", "-a", "github", "-w"], stdin: "" },
    { args: ["dump-keychain"], stdin: "" },
    { args: ["delete-generic-password", "-s", "computer-control", "-a", "github"], stdin: "" },
  ]);
  for (const { args, env } of mac.recorded()) {
    const visible = JSON.stringify([args, env]);
    expect(visible).not.toContain(encoded);
    expect(visible).not.toContain("tr0ub4dor");
  }
});

Deno.test("macosKeychain() refuses what does not fit into a line, and tells when nothing was stored", async () => {
  await using mac = await startMac();
  const keychain = await mac.system.open();
  await keychain.write("github", "x".repeat(2_800));
  expect(await keychain.read("github")).toBe("x".repeat(2_800));
  await expect(keychain.write("github", "x".repeat(3_100))).rejects.toMatchObject({
    code: "too_large",
  });
  await Deno.writeTextFile(`${mac.path}/broken`, "");
  await expect(keychain.write("github", "other")).rejects.toMatchObject({ code: "unavailable" });
  expect(await keychain.read("github")).toBe("x".repeat(2_800));
});

Deno.test("openKeychain() takes the Keychain where it is unlocked, else the file", async () => {
  await using mac = await startMac();
  const config = fakeConfig({ keychain: "auto" });
  expect((await openKeychain(config, mac.system, files)).choice).toMatchObject({ chosen: "macos" });
  await Deno.writeTextFile(`${mac.path}/locked`, "");
  const { choice } = await openKeychain(config, mac.system, files);
  expect(choice).toMatchObject({ chosen: "file" });
  expect(choice.reason).toContain("the Keychain cannot be used: it is locked");
});

Deno.test("a line of security never ends in the middle of a word", () => {
  for (const word of ["a\nquit", "a\r", "a\0b"]) {
    expect(() => commandLine(["add-generic-password", "-a", word])).toThrow("no line break");
  }
});
