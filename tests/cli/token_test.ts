/** `token add`, `list` and `revoke`, and a service that runs meanwhile. */

import { expect } from "expect";
import { readCommandLine } from "../../src/cli/command_line.ts";
import { tokensPath } from "../../src/http/tokens/token_store.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { waitFor } from "../support/wait.ts";
import { startXvfb } from "../support/xvfb.ts";

const WRONG: readonly (readonly [string, RegExp])[] = [
  ["token", /what to do: token add \| token list \| token revoke/],
  ["token ad", /did you mean "add"/],
  ["token add", /token add needs a name/],
  ["token revoke", /token revoke needs a name/],
  ["token add a b", /Too many words \(b\)/],
  ["token list a", /Too many words \(a\)/],
  ["token list --scopes view", /token list takes no --scopes/],
  ["token revoke a --expires 1d", /token revoke takes no --expires/],
  ["token add a --json", /token add takes no --json/],
  ["token add a --scopes view,typing", /"typing": is not a scope: the scopes are view, input/],
  ["token add a --expires tomorrow", /--expires "tomorrow": must be a time from 1m to 3650d/],
  ["token add a --expires 0d", /must be a time/],
  ["token add a --expires 3651d", /must be a time/],
  ["token add a --port 5", /token takes no flags|takes no --port/],
  ["serve --scopes view", /--scopes belongs to token/],
];

for (const [line, message] of WRONG) {
  Deno.test(`"${line}" is refused`, () => {
    expect(() => readCommandLine(line.split(" "))).toThrow(message);
  });
}

Deno.test("token add takes scopes and a time", () => {
  const read = (line: string) => readCommandLine(line.split(" "));
  expect(read("token add ci")).toMatchObject({ action: "add", name: "ci", scopes: ["all"] });
  expect(read("token add ci --scopes view,input --expires 12h")).toMatchObject({
    scopes: ["view", "input"],
    validMs: 12 * 3_600_000,
  });
  for (const [time, ms] of [["1m", 60_000], ["30d", 2_592_000_000], ["4w", 2_419_200_000]]) {
    expect(read(`token add ci --expires ${time}`)).toMatchObject({ validMs: ms });
  }
});

Deno.test("token list shows what there is, and never a token", async () => {
  await using folder = await testFolder();
  const tokenCommand = (...args: string[]) =>
    runCommand(["token", ...args, "--state-dir", folder.path]);
  expect((await tokenCommand("list")).stdout).toMatch(/^There are no tokens/);
  const token = (await tokenCommand("add", "ci", "--scopes", "view,files", "--expires", "1d"))
    .stdout.trim();
  expect((await tokenCommand("add", "ci")).stderr).toMatch(/There is a token named "ci"/);
  const { stdout } = await tokenCommand("list");
  expect(stdout).toMatch(/^ci +view,files +since \d{4}-\d\d-\d\d +until \d{4}-\d\d-\d\dT/);
  const json = await tokenCommand("list", "--json");
  expect(JSON.parse(json.stdout)).toEqual([{
    name: "ci",
    scopes: ["view", "files"],
    created: expect.any(String),
    expires: expect.any(String),
    desk: null,
    expired: false,
  }]);
  expect(stdout + json.stdout).not.toContain(token);
  expect((await tokenCommand("revoke", "ci")).stdout).toBe('The token "ci" is revoked\n');
  const missing = await tokenCommand("revoke", "ci");
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("no token named")]);
});

Deno.test("a service that runs takes a token at once, and refuses it once it is revoked", async () => {
  await using xvfb = await startXvfb();
  await using folder = await testFolder();
  const state = ["--state-dir", folder.path];
  await using service = await startCommand(["--display", xvfb.display, ...state]);
  const status = async (token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(`${service.address}/api/display/list`, { headers });
    await answer.body?.cancel();
    return answer.status;
  };
  expect(await status()).toBe(200);
  const token = (await runCommand(["token", "add", "ci", ...state])).stdout.trim();
  await waitFor(async () => await status() === 401, { what: "the service to ask for a token" });
  expect(await status(token)).toBe(200);
  expect((await runCommand(["token", "revoke", "ci", ...state])).code).toBe(0);
  await waitFor(async () => await status(token) === 401, { what: "the token to be refused" });
  expect(await status()).toBe(401);
  expect(service.errors.seen.join("\n")).not.toContain(token);
});

Deno.test("a service does not start with a file of tokens that is damaged, or with --no-auth beside it", async () => {
  await using folder = await testFolder();
  const start = ["--port", "0", "--state-dir", folder.path];
  expect((await runCommand(["token", "add", "ci", "--state-dir", folder.path])).code).toBe(0);
  const open = await runCommand([...start, "--no-auth"]);
  expect([open.code, open.stderr]).toEqual([2, expect.stringContaining("--no-auth contradicts")]);
  await Deno.writeTextFile(tokensPath(folder.path), "{");
  const damaged = await runCommand(start);
  expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining("it is damaged")]);
});

Deno.test("tokens of the state folder permit an address that others reach", async () => {
  await using folder = await testFolder();
  const start = ["--host", "192.0.2.1", "--port", "0", "--state-dir", folder.path];
  const refused = await runCommand(start);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("without a token")]);
  await runCommand(["token", "add", "ci", "--state-dir", folder.path]);
  const permitted = await runCommand(start); // and the address is not one of this computer
  expect([permitted.code, permitted.stderr]).toEqual([1, expect.stringContaining("Cannot listen")]);
});
