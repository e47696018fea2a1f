/** The token of a file, as a mounted Secret has it: links, owners, and a token that changes. */

import { expect } from "expect";
import { readTokenAt } from "../../../src/config/token.ts";
import { Tokens } from "../../../src/http/tokens/tokens.ts";
import { type TestApp, testApp } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";
import { SAMPLES } from "../../support/sample_operations.ts";
import { createStrictLog } from "../../support/strict_log.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const QUERY = "/api/sample/query";
const ignore = unless(Deno.build.os !== "windows", "links need rights on Windows");

/** A volume as the kubelet makes it: `token -> ..data/token`, `..data -> ..1`. */
async function mountSecret(folder: string, token: string): Promise<string> {
  await putVersion(folder, "..1", token);
  await Deno.symlink("..1", `${folder}/..data`);
  await Deno.symlink("..data/token", `${folder}/token`);
  return `${folder}/token`;
}

async function putVersion(folder: string, version: string, token: string): Promise<void> {
  await Deno.mkdir(`${folder}/${version}`);
  await Deno.writeTextFile(`${folder}/${version}/token`, `${token}\n`);
  await Deno.chmod(`${folder}/${version}/token`, 0o440);
}

/** Exchanges the whole folder at once, as the kubelet does. */
async function changeSecret(folder: string, version: string, token: string): Promise<void> {
  await putVersion(folder, version, token);
  await Deno.symlink(version, `${folder}/..data_tmp`);
  await Deno.rename(`${folder}/..data_tmp`, `${folder}/..data`);
}

interface Opened extends AsyncDisposable {
  readonly app: TestApp;
  readonly logged: readonly string[];
  status(token: string): Promise<number>;
}

function open(tokenFile: string, token: string): Opened {
  const logged: string[] = [];
  const log = createStrictLog((line) => logged.push(line));
  const tokens = new Tokens({ tokenFile, token }, log);
  const app = testApp({ operations: SAMPLES, tokens, config: { token, tokenFile } });
  return {
    app,
    logged,
    async status(given) {
      const headers = { authorization: `Bearer ${given}` };
      return (await app.send("GET", QUERY, { headers })).status;
    },
    [Symbol.asyncDispose]: () => app.session[Symbol.asyncDispose](),
  };
}

async function becomes(status: number, opened: Opened, token: string): Promise<void> {
  await waitFor(async () => await opened.status(token) === status, { what: `${status}` });
}

Deno.test({
  name:
    "a mounted Secret is followed when it changes: the old token is refused, the new one is good",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const path = await mountSecret(folder.path, "first");
    await using opened = open(path, readTokenAt(path));
    expect(await opened.status("first")).toBe(200);
    expect(await opened.status("second")).toBe(401);
    for (const [version, old, token] of [["..2", "first", "second"], ["..3", "second", "third"]]) {
      await changeSecret(folder.path, version!, token!);
      await becomes(200, opened, token!);
      expect(await opened.status(old!)).toBe(401);
    }
    expect(opened.logged).toEqual([]);
  },
});

Deno.test({
  name: "a file that becomes unusable lets nobody in until it is good again, and is logged once",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const path = `${folder.path}/token`;
    await Deno.writeTextFile(path, "s3cret", { mode: 0o600 });
    await using opened = open(path, "s3cret");
    expect(await opened.status("s3cret")).toBe(200);
    const spoil: readonly (() => Promise<void>)[] = [
      () => Deno.chmod(path, 0o644),
      async () => {
        await Deno.writeTextFile(path, "");
        await Deno.chmod(path, 0o600);
      },
      () => Deno.remove(path),
      () => Deno.mkdir(path),
    ];
    for (const [at, step] of spoil.entries()) {
      await step();
      await waitFor(async () => {
        expect(await opened.status("s3cret")).not.toBe(401);
        return opened.logged.length === at + 1;
      }, { what: `line ${at + 1} of the log` });
      expect(await opened.status("s3cret")).toBe(503);
    }
    await Deno.remove(path);
    await Deno.writeTextFile(path, "s3cret", { mode: 0o600 });
    await becomes(200, opened, "s3cret");
    expect(opened.logged.join("\n")).not.toContain("s3cret");
  },
});

Deno.test({
  name: "a browser that has signed in with the token of a file is out when that changes",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const path = await mountSecret(folder.path, "first");
    await using opened = open(path, "first");
    const origin = { origin: "http://127.0.0.1:4242", host: "127.0.0.1:4242" };
    const json = { "content-type": "application/json" };
    const signIn = async (token: string) => {
      const body = JSON.stringify({ token });
      const answer = await opened.app.send("POST", "/docs/session", {
        headers: { ...origin, ...json },
        body,
      });
      return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    };
    const statusOf = async (cookie: string) =>
      (await opened.app.send("GET", QUERY, { headers: { ...origin, cookie } })).status;
    const cookie = await signIn("first");
    expect(await statusOf(cookie)).toBe(200);
    await changeSecret(folder.path, "..2", "second");
    await becomes(200, opened, "second");
    expect(await statusOf(cookie)).toBe(401);
    expect(await statusOf(await signIn("second"))).toBe(200);
  },
});

const unreadable: readonly (readonly [what: string, make: (path: string) => Promise<void>])[] = [
  ["a link that leads nowhere", (path) => Deno.symlink("nowhere", path)],
  ["links in a circle", (path) => Deno.symlink(path, path)],
  ["a link to a folder", (path) => Deno.symlink("/", path)],
  ["a link to a device", (path) => Deno.symlink("/dev/zero", path)],
  ["a link to a file that all can read", (path) => Deno.symlink("/etc/hosts", path)],
];

for (const [what, make] of unreadable) {
  Deno.test({
    name: `--token-file refuses ${what}`,
    ignore,
    async fn() {
      await using folder = await testFolder();
      const path = `${folder.path}/token`;
      await make(path);
      expect(() => readTokenAt(path)).toThrow(`--token-file "${path}": `);
    },
  });
}
