/** The encrypted file: what is stored stays, and what is wrong with the file or its key is said, never written over. */

import { expect } from "expect";
import { FileKeychain } from "../../../src/platform/keychain/file_keychain.ts";
import { testFolder } from "../../support/folder.ts";

const TEXT = '[["password","hünter2 🔑"]]';

function keychainAt(folder: string, keyFile?: string): FileKeychain {
  return new FileKeychain({ path: `${folder}/keychain/items`, keyFile });
}

/** The folder of a keychain in which "github" is stored. */
async function filledFolder() {
  const folder = await testFolder();
  await using keychain = keychainAt(folder.path);
  await keychain.write("github", TEXT);
  const items = `${folder.path}/keychain/items`;
  return {
    ...folder,
    items,
    key: `${items}.key`,
    bytes: await Deno.readFile(items),
    rawKey: await Deno.readFile(`${items}.key`),
  };
}

const NAMES = ["github", "a/b c", "Büro 日本 🙂", "-x", "__proto__", "constructor", "a\\\"'`$"];

Deno.test("FileKeychain keeps items of any name, and finds them again", async () => {
  await using folder = await testFolder();
  {
    await using keychain = keychainAt(folder.path);
    expect(await keychain.names()).toEqual([]);
    for (const name of NAMES) await keychain.write(name, `secret of ${name}`);
    await keychain.write("github", TEXT);
    await keychain.remove("a/b c");
    await keychain.remove("never stored");
  }
  await using again = keychainAt(folder.path);
  expect((await again.names()).sort()).toEqual(NAMES.filter((name) => name !== "a/b c").sort());
  expect(await again.read("github")).toBe(TEXT);
  expect(await again.read("-x")).toBe("secret of -x");
  expect(await again.read("a/b c")).toBeUndefined();
  expect(await again.read("toString")).toBeUndefined();
});

Deno.test("FileKeychain makes nothing before something is stored", async () => {
  await using folder = await testFolder();
  await using keychain = keychainAt(folder.path);
  expect(await keychain.read("github")).toBeUndefined();
  expect(await keychain.names()).toEqual([]);
  expect(await keychain.readiness()).toMatchObject({ ready: true });
  expect(namesIn(folder.path)).toEqual([]);
});

Deno.test("FileKeychain shows neither names nor values on the disk, and only to its owner", async () => {
  await using folder = await filledFolder();
  const text = new TextDecoder("latin1").decode(folder.bytes);
  expect(text).not.toContain("github");
  expect(text).not.toContain("nter2");
  for (const name of namesIn(`${folder.path}/keychain`)) {
    expect(modeOf(`${folder.path}/keychain/${name}`)).toBe(0o600);
  }
  expect(modeOf(`${folder.path}/keychain`)).toBe(0o700);
});

Deno.test("FileKeychain seals the same text anew each time", async () => {
  await using folder = await filledFolder();
  await using keychain = keychainAt(folder.path);
  await keychain.write("github", TEXT);
  const tail = (bytes: Uint8Array) => bytes.slice(-100).toHex();
  expect(tail(await Deno.readFile(folder.items))).not.toBe(tail(folder.bytes));
});

interface Damage {
  readonly name: string;
  spoil(folder: Awaited<ReturnType<typeof filledFolder>>): Promise<void>;
  readonly message: string;
}

const flip = (bytes: Uint8Array, at: number) => bytes.with(at, bytes[at]! ^ 1);

const damages: Damage[] = [
  {
    name: "the key is another one",
    spoil: ({ key }) => Deno.writeFile(key, crypto.getRandomValues(new Uint8Array(32))),
    message: "it was written with another key",
  },
  {
    name: "the key is too short",
    spoil: ({ key, rawKey }) => Deno.writeFile(key, rawKey.slice(1)),
    message: "it must contain 32 bytes, not 31",
  },
  {
    name: "the key is gone",
    spoil: ({ key }) => Deno.remove(key),
    message: "there is no such file: restore it",
  },
  {
    name: "others can read the key",
    spoil: ({ key }) => Deno.chmod(key, 0o640),
    message: "other users can access it (mode 640): run chmod 600",
  },
  {
    name: "others can write the file",
    spoil: ({ items }) => Deno.chmod(items, 0o602),
    message: "other users can access it (mode 602): run chmod 600",
  },
  {
    name: "the file is empty",
    spoil: ({ items }) => Deno.writeFile(items, new Uint8Array(0)),
    message: "it is damaged",
  },
  {
    name: "the file is something else",
    spoil: ({ items }) => Deno.writeTextFile(items, "x".repeat(1000)),
    message: "it is damaged, or not a keychain file",
  },
];

for (const { name, spoil, message } of damages) {
  Deno.test(`FileKeychain refuses to work when ${name}, and leaves everything as it is`, async () => {
    await using folder = await filledFolder();
    await spoil(folder);
    const before = snapshot(`${folder.path}/keychain`);
    await using keychain = keychainAt(folder.path);
    for (
      const use of [
        () => keychain.read("github"),
        () => keychain.write("github", "other"),
        () => keychain.remove("github"),
        () => keychain.names(),
      ]
    ) {
      await expect(use()).rejects.toMatchObject({ code: "unavailable" });
      await expect(use()).rejects.toThrow(message);
    }
    expect(await keychain.readiness()).toMatchObject({ ready: false });
    expect(snapshot(`${folder.path}/keychain`)).toEqual(before);
  });
}

Deno.test("FileKeychain notices every flipped bit and every cut", async () => {
  await using folder = await filledFolder();
  const { bytes, items } = folder;
  const places = Array.from({ length: bytes.byteLength }, (_, at) => at);
  const spoiled = [
    ...places.filter((at) => at % 7 === 0 || at < 24).map((at) => flip(bytes, at)),
    ...places.filter((at) => at % 11 === 0).map((at) => bytes.slice(0, at)),
    new Uint8Array([...bytes, 0]),
  ];
  await using keychain = keychainAt(folder.path);
  for (const [number, wrong] of spoiled.entries()) {
    await Deno.writeFile(items, wrong);
    await Deno.utime(items, number, number); // another one, also for a clock that stands still
    await expect(keychain.read("github")).rejects.toMatchObject({ code: "unavailable" });
  }
  await Deno.writeFile(items, bytes);
  expect(await keychain.read("github")).toBe(TEXT);
});

Deno.test("FileKeychain reads the file again when it was replaced or taken away", async () => {
  await using folder = await filledFolder();
  await using keychain = keychainAt(folder.path);
  await keychain.write("new", "new");
  await Deno.writeFile(`${folder.path}/old`, folder.bytes, { mode: 0o600 });
  await Deno.rename(`${folder.path}/old`, folder.items);
  expect(await keychain.names()).toEqual(["github"]);
  await Deno.remove(folder.items);
  expect(await keychain.names()).toEqual([]);
});

Deno.test("FileKeychain uses the key of --keychain-key-file, and makes none there", async () => {
  await using folder = await testFolder();
  const keyFile = `${folder.path}/my.key`;
  await using keychain = keychainAt(folder.path, keyFile);
  await expect(keychain.write("a", "b")).rejects.toThrow("there is no such file: create one with");
  await Deno.writeFile(keyFile, crypto.getRandomValues(new Uint8Array(32)), { mode: 0o600 });
  await keychain.write("a", "b");
  expect(await keychain.read("a")).toBe("b");
  expect(namesIn(`${folder.path}/keychain`)).toEqual(["items", "items.lock"]);
});

Deno.test("FileKeychain is for one service at a time", async () => {
  await using folder = await filledFolder();
  await using second = keychainAt(folder.path);
  {
    await using first = keychainAt(folder.path);
    expect(await first.names()).toEqual(["github"]);
    for (const use of [() => second.write("a", "b"), () => second.read("github")]) {
      await expect(use()).rejects.toMatchObject({ code: "unavailable" });
      await expect(use()).rejects.toThrow(`process ${Deno.pid} uses it`);
    }
    await first.write("c", "d");
  }
  expect((await second.names()).sort()).toEqual(["c", "github"]);
});

Deno.test("FileKeychain says when it cannot write, and keeps what it had", async () => {
  await using folder = await filledFolder();
  await using keychain = keychainAt(folder.path);
  const inTheWay = `${folder.items}.new`;
  await Deno.mkdir(`${inTheWay}/full`, { recursive: true });
  await expect(keychain.write("a", "b")).rejects.toMatchObject({ code: "unavailable" });
  expect(await keychain.names()).toEqual(["github"]);
  await Deno.remove(inTheWay, { recursive: true });
  await keychain.write("a", "b");
  expect(await keychain.names()).toEqual(["github", "a"]);
});

Deno.test("FileKeychain keeps 10,000 items that are stored at once, the last text of each", async () => {
  await using folder = await testFolder();
  const names = Array.from({ length: 10_000 }, (_, number) => `service ${number}`);
  {
    await using keychain = keychainAt(folder.path);
    await Promise.all(names.flatMap((name) => [
      keychain.write(name, "first"),
      keychain.write(name, `text of ${name}`),
    ]));
  }
  await using again = keychainAt(folder.path);
  expect((await again.names()).length).toBe(names.length);
  for (const name of names) expect(await again.read(name)).toBe(`text of ${name}`);
});

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

function modeOf(path: string): number {
  return Deno.statSync(path).mode! & 0o777;
}

/** Every file with its content and mode. */
function snapshot(folder: string): Record<string, string> {
  const files = namesIn(folder).map((name) => {
    const path = `${folder}/${name}`;
    const content = name.endsWith(".lock") ? "" : Deno.readFileSync(path).toHex();
    return [name, `${Deno.statSync(path).mode} ${content}`];
  });
  return Object.fromEntries(files);
}
