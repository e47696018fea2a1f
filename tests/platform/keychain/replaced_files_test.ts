/** The encrypted file when somebody changes the files around it while the service runs. */

import { expect } from "expect";
import { FileKeychain } from "../../../src/platform/keychain/file_keychain.ts";
import { testFolder } from "../../support/folder.ts";

async function startFilled() {
  const folder = await testFolder();
  const path = `${folder.path}/keychain/items`;
  const keychain = new FileKeychain({ path });
  await keychain.write("github", "first");
  return {
    ...{ path, keychain, folder: folder.path },
    async [Symbol.asyncDispose]() {
      await keychain[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Reads the file as a later start does. */
async function readAgain(path: string, service: string): Promise<string | undefined> {
  await using keychain = new FileKeychain({ path });
  return await keychain.read(service);
}

Deno.test("FileKeychain acknowledges nothing that was sealed with a key which is gone", async () => {
  await using filled = await startFilled();
  const { keychain, path } = filled;
  await Deno.rename(`${path}.key`, `${path}.away`);
  await expect(keychain.write("github", "second")).rejects.toMatchObject({ code: "unavailable" });
  await expect(keychain.write("github", "second")).rejects.toThrow(
    "there is no such file: restore it",
  );
  await Deno.rename(`${path}.away`, `${path}.key`);
  await keychain.write("github", "third");
  await keychain[Symbol.asyncDispose]();
  expect(await readAgain(path, "github")).toBe("third");
});

Deno.test("FileKeychain acknowledges nothing when its key was replaced", async () => {
  await using filled = await startFilled();
  const { keychain, path } = filled;
  const key = await Deno.readFile(`${path}.key`);
  await Deno.writeFile(`${path}.other`, crypto.getRandomValues(new Uint8Array(32)), {
    mode: 0o600,
  });
  await Deno.rename(`${path}.other`, `${path}.key`);
  await expect(keychain.write("a", "b")).rejects.toThrow("it was written with another key");
  await Deno.writeFile(`${path}.key`, key);
  expect(await keychain.names()).toEqual(["github"]);
});

Deno.test("FileKeychain makes its key whole or not at all", async () => {
  await using folder = await testFolder();
  const path = `${folder.path}/keychain/items`;
  const { write } = Deno.FsFile.prototype;
  {
    await using first = new FileKeychain({ path });
    // the process ends just before the bytes of the key are written
    Deno.FsFile.prototype.write = function (bytes) {
      return bytes.byteLength === 32
        ? Promise.reject(new Error("killed"))
        : write.call(this, bytes);
    };
    try {
      await expect(first.write("a", "b")).rejects.toMatchObject({ code: "unavailable" });
    } finally {
      Deno.FsFile.prototype.write = write;
    }
  }
  expect(namesIn(`${folder.path}/keychain`)).toEqual(["items.lock"]);
  await using second = new FileKeychain({ path });
  await second.write("a", "b");
  expect(await second.read("a")).toBe("b");
});

Deno.test("FileKeychain leaves its file to another service that has locked it anew", async () => {
  await using filled = await startFilled();
  const { keychain, path } = filled;
  await Deno.remove(`${path}.lock`);
  {
    await using other = new FileKeychain({ path });
    await other.write("other", "other's");
    await expect(keychain.write("mine", "mine")).rejects.toThrow("uses it");
    expect(await other.names()).toEqual(["github", "other"]);
  }
  await keychain.write("mine", "mine");
  expect(await keychain.names()).toEqual(["github", "other", "mine"]);
});

Deno.test("FileKeychain begins anew when its folder is removed, with a lock", async () => {
  await using filled = await startFilled();
  const { keychain, path } = filled;
  await Deno.remove(`${filled.folder}/keychain`, { recursive: true });
  await keychain.write("new", "new");
  await using other = new FileKeychain({ path });
  await expect(other.read("new")).rejects.toThrow("uses it");
  await keychain[Symbol.asyncDispose]();
  expect(await other.read("new")).toBe("new");
});

Deno.test("FileKeychain keeps a link to its file, and one lock for all names of it", async () => {
  await using filled = await startFilled();
  const { keychain, path, folder } = filled;
  const link = `${folder}/second/items`;
  await Deno.mkdir(`${folder}/second`, { mode: 0o700 });
  await Deno.symlink(path, link);
  await using linked = new FileKeychain({ path: link, keyFile: `${path}.key` });
  await expect(linked.write("a", "b")).rejects.toThrow("uses it");
  await keychain[Symbol.asyncDispose]();
  await linked.write("a", "b");
  expect((await Deno.lstat(link)).isSymlink).toBe(true);
  await linked[Symbol.asyncDispose]();
  expect(await readAgain(path, "a")).toBe("b");
});

Deno.test("FileKeychain does not begin anew in place of a link to nothing", async () => {
  await using filled = await startFilled();
  const { path, folder } = filled;
  const link = `${folder}/second/items`;
  await Deno.mkdir(`${folder}/second`, { mode: 0o700 });
  await Deno.symlink(`${folder}/unmounted/items`, link);
  await using linked = new FileKeychain({ path: link, keyFile: `${path}.key` });
  for (const use of [() => linked.read("a"), () => linked.write("a", "b"), () => linked.names()]) {
    await expect(use()).rejects.toThrow("it is a link to a file that does not exist");
  }
  expect(await linked.readiness()).toMatchObject({ ready: false });
});

Deno.test("FileKeychain refuses a folder into which others can put files", async () => {
  await using filled = await startFilled();
  const { path, folder } = filled;
  await filled.keychain[Symbol.asyncDispose]();
  await Deno.chmod(`${folder}/keychain`, 0o777);
  await using keychain = new FileKeychain({ path });
  await expect(keychain.read("github")).rejects.toThrow("other users can change it (mode 777)");
  await Deno.chmod(`${folder}/keychain`, 0o700);
  expect(await keychain.read("github")).toBe("first");
});

Deno.test("FileKeychain says when its place cannot be looked into", async () => {
  await using folder = await testFolder();
  await Deno.writeTextFile(`${folder.path}/file`, "");
  await using keychain = new FileKeychain({ path: `${folder.path}/file/items` });
  for (const use of [() => keychain.read("a"), () => keychain.write("a", "b")]) {
    await expect(use()).rejects.toMatchObject({ code: "unavailable" });
  }
});

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
