/** What commands may show: held back until the keychain has been read, and said to be unsearched when it cannot be. */

import { expect } from "expect";
import { waitFor } from "../../support/wait.ts";
import { startShell, type TestShell } from "../../support/shell.ts";
import { toolText } from "../../support/mcp.ts";
import { testFolder } from "../../support/folder.ts";
import { keepSecretsHidden, secretOf, spelled } from "../../support/secrets.ts";

keepSecretsHidden();

const KNOWN = secretOf("known");
const FOREIGN = secretOf("foreign");

const stored = (value: string) => JSON.stringify([["password", value]]);

/** A shell whose keychain does not answer until `answer` is called. */
function startSlow(limits = {}): TestShell & { answer(): void } {
  const shell = startShell({ limits });
  const { promise, resolve } = Promise.withResolvers<void>();
  const { secrets } = shell.app.platform;
  secrets.stored.set("a", stored(KNOWN));
  secrets.open = promise;
  return {
    ...shell,
    answer: resolve,
    async [Symbol.asyncDispose]() {
      resolve();
      await shell[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a command is read while the keychain hangs, and shows nothing before that has answered", async () => {
  await using shell = startSlow();
  await using folder = await testFolder();
  const done = `${folder.path}/done`;
  // more than a pipe holds
  const pid = await shell.start(
    `echo ${spelled(KNOWN)}; head -c 300000 /dev/zero | tr '\\0' x; touch ${done}; printf end`,
  );
  await waitFor(() => Deno.statSync(done).isFile, { what: "the end of the command" });
  expect(await shell.output(pid)).toMatchObject({ output: "", status: "background" });
  shell.answer();
  const { output, truncated } = await shell.completed(pid);
  expect(output === `[redacted:a/password]\n${"x".repeat(300_000)}end`).toBe(true);
  expect(truncated).toBe(false);
});

Deno.test("a command that says more than can be held back goes on, and is said to be cut", async () => {
  await using shell = startSlow({ keptHeadBytes: 1_000, keptTailBytes: 1_000 });
  await using folder = await testFolder();
  const done = `${folder.path}/done`;
  const pid = await shell.start(`head -c 300000 /dev/zero | tr '\\0' x; touch ${done}`);
  await waitFor(() => Deno.statSync(done).isFile, { what: "the end of the command" });
  shell.answer();
  expect((await shell.completed(pid)).truncated).toBe(true);
});

Deno.test("a keychain that does not respond in time is told with the output, and read later all the same", async () => {
  await using shell = startSlow({ keychainTimeoutMs: 20 });
  const reason = "The keychain could not be read within 20 ms";
  const shown = await shell.run(`echo ${spelled(KNOWN)}`);
  expect(shown).toMatchObject({ output: `${KNOWN}\n`, redaction_gap: reason });
  const info = () => shell.app.send("GET", "/api/system/info").then(({ json }) => json.redaction);
  expect(await info()).toEqual({ state: "incomplete", reason });
  shell.answer();
  await waitFor(async () => (await info()).state === "on");
  const hidden = await shell.run(`echo ${spelled(KNOWN)}`);
  expect(hidden).toEqual({
    ...{ output: "[redacted:a/password]\n", status: "completed", process_id: null },
    ...{ exit_code: 0, truncated: false },
  });
});

Deno.test("a keychain that cannot be read is told with every output", async () => {
  await using shell = startShell();
  shell.app.platform.secrets.trouble = "The keyring is locked";
  const redaction_gap = "The keyring is locked";
  expect(await shell.run("echo a")).toMatchObject({ output: "a\n", redaction_gap });
  const pid = await shell.start("echo b");
  expect(await shell.completed(pid)).toMatchObject({ output: "b\n", redaction_gap });
  expect(await shell.list("?all=true")).toMatchObject([{ output: "b\n", redaction_gap }]);
});

Deno.test("a keychain that cannot be read is told to models with every output", async () => {
  await using shell = startShell();
  const { app } = shell;
  app.platform.secrets.trouble = "The keyring is locked";
  const line = "[Stored secrets may be in this output: The keyring is locked]";
  expect(await toolText(app.fetch, "bash", { command: "echo a" })).toBe(`a\n${line}`);
  const pid = await shell.start("echo b");
  await shell.completed(pid);
  expect(await toolText(app.fetch, "bash_output", { process_id: pid })).toBe(`b\n${line}`);
  const use = { type: "tool_use", id: "1", name: "bash", input: { command: "echo c" } };
  const turn = await app.post("/api/agents/anthropic", { content: [use] });
  expect(turn.json.content[0].content).toMatchObject([{ text: `c\n${line}` }]);
  const call = { type: "shell_call", call_id: "2", action: { commands: ["echo d"] } };
  const response = await app.post("/api/agents/openai", { output: [call] });
  expect(response.json.input[0].output[0]).toMatchObject({ stdout: "d\n", stderr: line });
});

Deno.test("what this service stores is taken out also when the keychain cannot be read", async () => {
  await using shell = startShell();
  const { secrets } = shell.app.platform;
  secrets.trouble = "The keyring is locked";
  await shell.run("true");
  secrets.trouble = undefined;
  const item = { password: KNOWN };
  await shell.app.post("/api/keychain/set-item", { service: "a", item });
  expect((await shell.run(`echo ${spelled(KNOWN)}`)).output).toBe("[redacted:a/password]\n");
});

Deno.test("an item of another program does not keep the others from being taken out", async () => {
  await using shell = startShell();
  const { stored: items } = shell.app.platform.secrets;
  items.set("foreign", FOREIGN);
  items.set("a", stored(KNOWN));
  const answer = await shell.run(`echo ${spelled(KNOWN)} ${spelled(FOREIGN)}`);
  expect(answer.output).toBe("[redacted:a/password] [redacted:foreign/item]\n");
  expect(answer).not.toHaveProperty("redaction_gap");
});

Deno.test("a value that another program has changed is taken out when a command has got it", async () => {
  await using shell = startShell();
  const { stored: items } = shell.app.platform.secrets;
  items.set("a", stored(secretOf("old")));
  expect((await shell.run(`echo ${spelled(secretOf("old"))}`)).output).toBe(
    "[redacted:a/password]\n",
  );
  items.set("a", stored(secretOf("new")));
  const env_secrets = { ASKED: { service: "a", field: "password" } };
  expect((await shell.run('echo "$ASKED"', { env_secrets })).output)
    .toBe("[redacted:a/password]\n");
});

Deno.test("a value is taken out also when storing it has failed half way", async () => {
  await using shell = startShell();
  const { secrets } = shell.app.platform;
  await shell.run("true");
  secrets.trouble = "The keychain has not answered in time";
  const item = { password: secretOf("half") };
  const { status } = await shell.app.post("/api/keychain/set-item", { service: "a", item });
  expect(status).toBe(503);
  expect((await shell.run(`echo ${spelled(secretOf("half"))}`)).output).toBe(
    "[redacted:a/password]\n",
  );
});
