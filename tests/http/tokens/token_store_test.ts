/** The file of tokens: what is kept of them, and who may change it. */

import { expect } from "expect";
import { ServiceError } from "../../../src/core/errors.ts";
import {
  addToken,
  hasTokens,
  readTokens,
  revokeToken,
  tokensPath,
} from "../../../src/http/tokens/token_store.ts";
import { runCommand } from "../../support/command.ts";
import { testFolder } from "../../support/folder.ts";
import { unless } from "../../support/test_if.ts";

const ALL = { scopes: ["all"] } as const;
const hasModes = Deno.build.os !== "windows";

Deno.test("addToken() keeps the hash of a token and not the token, for this user alone", async () => {
  await using folder = await testFolder();
  const token = await addToken(folder.path, { name: "Ada", scopes: ["view", "input"] });
  expect(token).toMatch(/^cct_[\w-]{43}$/);
  const path = tokensPath(folder.path);
  const text = await Deno.readTextFile(path);
  expect(text).not.toContain(token);
  expect(text).not.toContain(token.slice(4, 20));
  const mode = (await Deno.stat(path)).mode;
  expect(hasModes ? mode! & 0o777 : 0o600).toBe(0o600);
  expect(await readTokens(path)).toEqual([{
    name: "Ada",
    hash: expect.stringMatching(/^[\da-f]{64}$/),
    scopes: ["view", "input"],
    created: expect.stringMatching(/^\d{4}-.*Z$/),
    expires: null,
  }]);
});

Deno.test("no two tokens are alike, and a name is that of one token", async () => {
  await using folder = await testFolder();
  const one = await addToken(folder.path, { name: "one", ...ALL });
  expect(await addToken(folder.path, { name: "two", ...ALL })).not.toBe(one);
  await expect(addToken(folder.path, { name: "one", ...ALL })).rejects.toThrow(/is a token named/);
  expect((await readTokens(tokensPath(folder.path)))!.map(({ name }) => name))
    .toEqual(["one", "two"]);
});

Deno.test("a token that has expired gives its name to another", async () => {
  await using folder = await testFolder();
  await addToken(folder.path, { name: "one", ...ALL, expires: Date.now() - 1 });
  await addToken(folder.path, { name: "one", ...ALL });
  const kept = await readTokens(tokensPath(folder.path));
  expect(kept!.map(({ name, expires }) => [name, expires])).toEqual([["one", null]]);
});

Deno.test("names are letters and digits with little between them", async () => {
  await using folder = await testFolder();
  for (const name of ["a", "Ada Lovelace", "ci-2", "ada@desk.example", "Jürgen", "日本"]) {
    await addToken(folder.path, { name, ...ALL });
  }
  const wrong = ["", " a", "a ", "-a", "a\nb", "a\u001b[2J", "a/b", "main", "anyone", "é\u202e"];
  for (const name of [...wrong, "a".repeat(65)]) {
    const refused = addToken(folder.path, { name, ...ALL });
    await expect(refused).rejects.toThrow(/cannot be the name/);
  }
  await revokeToken(folder.path, "Ju\u0308rgen"); // the same letters in other characters
  expect(await readTokens(tokensPath(folder.path))).toHaveLength(5);
});

Deno.test("revokeToken() removes one token, and says where there is none", async () => {
  await using folder = await testFolder();
  expect(await hasTokens(folder.path)).toBe(false);
  await addToken(folder.path, { name: "one", ...ALL });
  expect(await hasTokens(folder.path)).toBe(true);
  await expect(revokeToken(folder.path, "other")).rejects.toThrow(/no token named "other"/);
  await revokeToken(folder.path, "one");
  expect(await hasTokens(folder.path)).toBe(false);
  await expect(revokeToken(folder.path, "one")).rejects.toThrow(ServiceError);
});

for (
  const [what, text] of [
    ["is cut off", '{"version": 1, "tokens": [{"name'],
    ["is empty", ""],
    ["is of a later version", '{"version": 2, "tokens": []}'],
    [
      "has a scope that is not known",
      JSON.stringify({
        version: 1,
        tokens: [{
          name: "a",
          hash: "0".repeat(64),
          scopes: ["everything"],
          created: "2026-01-01T00:00:00.000Z",
          expires: null,
        }],
      }),
    ],
  ] as const
) {
  Deno.test(`a file of tokens that ${what} is not used, and not written over`, async () => {
    await using folder = await testFolder();
    const path = tokensPath(folder.path);
    await Deno.writeTextFile(path, text, { mode: 0o600 });
    await expect(readTokens(path)).rejects.toThrow(/it is damaged/);
    await expect(addToken(folder.path, { name: "a", ...ALL })).rejects.toThrow(/it is damaged/);
    expect(await Deno.readTextFile(path)).toBe(text);
  });
}

Deno.test("a file of more than 1 MiB is not read", async () => {
  await using folder = await testFolder();
  const path = tokensPath(folder.path);
  const tokens = '{"version": 1, "tokens": []}';
  await Deno.writeTextFile(path, tokens + " ".repeat(1024 * 1024), { mode: 0o600 });
  await expect(readTokens(path)).rejects.toThrow(/has more than 1048576 bytes/);
  await Deno.writeTextFile(path, tokens + " ".repeat(1024 * 1024 - tokens.length));
  expect(await readTokens(path)).toEqual([]);
});

Deno.test({
  name: "a file of tokens that others can read is not used",
  ignore: unless(hasModes, "this system has no permission bits"),
  async fn() {
    await using folder = await testFolder();
    await addToken(folder.path, { name: "a", ...ALL });
    await Deno.chmod(tokensPath(folder.path), 0o644);
    const refused = readTokens(tokensPath(folder.path));
    await expect(refused).rejects.toThrow(/other users can access it \(mode 644\)/);
    await expect(addToken(folder.path, { name: "b", ...ALL })).rejects.toThrow(/mode 644/);
  },
});

Deno.test({
  name: "a file of tokens of another user is not used",
  ignore: unless(Deno.uid() === 0, "only root can give a file away"),
  async fn() {
    await using folder = await testFolder();
    await addToken(folder.path, { name: "a", ...ALL });
    await Deno.chown(tokensPath(folder.path), 12_345, null);
    await expect(readTokens(tokensPath(folder.path))).rejects.toThrow(/belongs to user 12345/);
  },
});

Deno.test("processes that add tokens at the same time lose none", async () => {
  await using folder = await testFolder();
  const names = ["a", "b", "c", "d"];
  const added = await Promise.all(
    names.map((name) => runCommand(["token", "add", name, "--state-dir", folder.path])),
  );
  for (const { code, stdout, stderr } of added) {
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^cct_[\w-]{43}\n$/), ""]);
  }
  const kept = await readTokens(tokensPath(folder.path));
  expect(kept!.map(({ name }) => name).sort()).toEqual(names);
});

Deno.test("a process adds no token while another one changes the file", async () => {
  await using folder = await testFolder();
  await addToken(folder.path, { name: "first", ...ALL });
  using lock = await Deno.open(`${tokensPath(folder.path)}.lock`, { read: true, write: true });
  await lock.lock(true);
  let isAdded = false;
  const adding = addToken(folder.path, { name: "second", ...ALL }).then(() => isAdded = true);
  await addAfter(lock, () => isAdded);
  await adding;
  expect(await readTokens(tokensPath(folder.path))).toHaveLength(2);
});

/** Lets go of the lock after the other has had many turns to be wrong in. */
async function addAfter(lock: Deno.FsFile, isAdded: () => boolean): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(isAdded()).toBe(false);
  await lock.unlock();
}
