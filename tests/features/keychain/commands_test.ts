/** Commands and the keychain: secrets by name in the environment of one command, and none in any output. */

import { expect } from "expect";
import { startDesktop } from "../../support/desktop.ts";
import { startShell } from "../../support/shell.ts";
import { watchFor } from "../../support/secret_watch.ts";
import { waitFor } from "../../support/wait.ts";
import { keepSecretsHidden, secretOf, spelled } from "../../support/secrets.ts";

keepSecretsHidden();

const ITEM = { username: "ann", password: secretOf("Command"), token: secretOf("token") };
const env_secrets = { ASKED_PASSWORD: { service: "db", field: "password" } };

async function startFilled() {
  const desktop = await startDesktop();
  await desktop.service.call("/api/keychain/set-item", { service: "db", item: ITEM });
  const run = async (body: Record<string, unknown>) =>
    await desktop.service.call("/api/bash/command", body) as {
      output: string;
      exit_code: number;
      process_id: number;
    };
  return { ...desktop, run };
}

Deno.test("a command has the secrets that it asks for in its environment, and the next one has not", async () => {
  await using desktop = await startFilled();
  const check = `[ "$ASKED_PASSWORD" = ${spelled(ITEM.password)} ] && [ -n "$OTHER" ]`;
  const env = { OTHER: "x" };
  expect((await desktop.run({ command: check, env, env_secrets })).exit_code).toBe(0);
  const next = await desktop.run({ command: 'echo "<$ASKED_PASSWORD>"; env' });
  expect(next.output).toContain("<>");
  expect(next.output).not.toContain("ASKED_PASSWORD");
});

Deno.test("stored values are replaced in the output of commands, also where it comes in pieces", async () => {
  await using desktop = await startFilled();
  const whole = await desktop.run({ command: 'echo "[$ASKED_PASSWORD] by ann"', env_secrets });
  expect(whole.output).toBe("[[redacted:db/password]] by ann\n");
  const [start, middle, end] = [[0, 8], [8, 16], [16]].map((part) => ITEM.password.slice(...part));
  const slow = `printf ${start} >&2; sleep 0.1; printf ${middle}; sleep 0.1; printf "${end}."`;
  expect((await desktop.run({ command: slow })).output).toBe("[redacted:db/password].");
  const most = ITEM.password.slice(0, -1);
  expect((await desktop.run({ command: `printf ${most}` })).output).toBe(most);
});

Deno.test("stored values are replaced in the output of a process in the background", async () => {
  await using desktop = await startFilled();
  const started = await desktop.run({
    ...{ command: "cat", stdin: `a ${ITEM.token.slice(0, 9)}`, timeout: 0, stdin_open: true },
  });
  const path = `/api/bash/process/${started.process_id}`;
  await desktop.service.call(`${path}/input`, { text: `${ITEM.token.slice(9)} b`, eof: true });
  const read = () => desktop.service.call(`${path}/output?wait_ms=60000&offset=0`);
  let answer = await read() as { output: string; status: string; next_offset: number };
  while (answer.status !== "completed") {
    answer = await desktop.service.call(
      `${path}/output?wait_ms=60000&offset=${answer.next_offset}`,
    ) as typeof answer;
  }
  const all = await desktop.service.call(`${path}/output`) as { output: string };
  expect(all.output).toBe("a [redacted:db/token] b");
  const listed = await desktop.service.call("/api/bash/processes/managed?all=true");
  expect(JSON.stringify(listed)).not.toContain(ITEM.token);
});

Deno.test("a secret is in the environment of the one command that asked for it, and of no other process", async () => {
  await using desktop = await startFilled();
  await using watch = watchFor([ITEM.password]);
  const command = { command: "exec cat", stdin_open: true, timeout: 0, env_secrets };
  const { process_id } = await desktop.run(command);
  await waitFor(() => watch.seen.length > 0, { what: "a look at the command" });
  await desktop.run({ command: "env", env: { OTHER: "x" } });
  const places = watch.seen.map((place) => place.split(":")[0]);
  expect([...new Set(places)]).toEqual([`environ of ${process_id}`]);
});

Deno.test("a command is refused when a secret that it asks for is not stored", async () => {
  await using desktop = await startFilled();
  const detail = await desktop.service.refused(422, "/api/bash/command", {
    command: "true",
    env_secrets: { A: { service: "db", field: "none" } },
  });
  expect(JSON.parse(detail)).toMatchObject([{ loc: ["body", "env_secrets", "A"] }]);
});

Deno.test("no output is lost when the keychain takes longer than the command", async () => {
  await using shell = startShell({ limits: { drainMs: 20 } });
  const { promise, resolve } = Promise.withResolvers<void>();
  const latest = setTimeout(resolve, 30_000); // so that a request that waits for it fails, and does not hang
  using _opened = { [Symbol.dispose]: () => [clearTimeout(latest), resolve()] };
  shell.app.platform.secrets.open = promise;
  const pid = await shell.start("echo whole");
  const early = await shell.run("echo early", { timeout: 0.3 });
  expect(early).toMatchObject({ status: "background", output: "" });
  resolve();
  expect(await shell.completed(pid)).toMatchObject({ output: "whole\n", exit_code: 0 });
  expect(await shell.completed(early.process_id!)).toMatchObject({ output: "early\n" });
});

Deno.test("a value that a running command was given stays hidden after it was replaced and deleted", async () => {
  await using desktop = await startFilled();
  const { process_id } = await desktop.run({
    ...{ command: 'read -r _; echo "$ASKED_PASSWORD"', env_secrets, timeout: 0, stdin_open: true },
  });
  const item = { password: secretOf("Another") };
  await desktop.service.call("/api/keychain/set-item", { service: "db", item });
  await desktop.service.call("/api/keychain/delete-item", { service: "db" });
  const path = `/api/bash/process/${process_id}`;
  await desktop.service.call(`${path}/input`, { text: "\n", eof: true });
  let answer: { output: string; status: string };
  do {
    answer = await desktop.service.call(`${path}/output?wait_ms=60000`) as typeof answer;
  } while (answer.status !== "completed");
  expect(answer.output).toBe("[redacted:db/password]\n");
});

Deno.test("a prompt that begins like a stored value is shown while the command waits for its answer", async () => {
  await using desktop = await startFilled();
  const { process_id } = await desktop.run({
    ...{ command: "printf 'Type z or q: z'; read -r _", timeout: 0, stdin_open: true },
  });
  const path = `/api/bash/process/${process_id}/output`;
  await waitFor(async () => {
    const { output } = await desktop.service.call(`${path}?wait_ms=1000&offset=0`) as OutputAnswer;
    return output === "Type z or q: z";
  }, { what: "the whole prompt" });
});

interface OutputAnswer {
  readonly output: string;
}
