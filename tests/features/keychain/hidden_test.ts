/** Secrets stay where they belong: the whole program is used, and its log, its answers and all processes are searched. */

import { expect } from "expect";
import { type RunningCommand, startCommand } from "../../support/command.ts";
import { testFolder } from "../../support/folder.ts";
import { startKeyring } from "../../support/keyring.ts";
import { openLoginForm } from "../../support/login_form.ts";
import { watchFor } from "../../support/secret_watch.ts";
import { waitFor } from "../../support/wait.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { keepSecretsHidden, secretOf } from "../../support/secrets.ts";
import { writeProgram } from "../../support/written_program.ts";

keepSecretsHidden();

const ITEM = { username: "ann.of.green", password: secretOf("hidden"), token: secretOf("token") };
const GUESS = secretOf("guess");
const SECRETS = [ITEM.password, ITEM.token, GUESS];
/** Of another family, because they are meant to be seen. */
const SHOWN = ["zq8-shown-password", "zq8-shown-token"];
const BASE64 = SECRETS.map((secret) => new TextEncoder().encode(secret).toBase64().slice(0, 16));

/** Uses everything that handles secrets; returns all that was answered. */
async function useEverything({ address }: RunningCommand, display: string): Promise<string> {
  const answers: string[] = [];
  const post = async (path: string, body: unknown) => {
    const response = await fetch(address + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    answers.push(await response.text());
  };
  await using form = await openLoginForm(display);
  await post("/api/keychain/set-item", { service: "shop", item: ITEM });
  await post("/api/keychain/set-item", { service: "", item: { ...ITEM, pin: 7 } });
  await post("/api/keychain/set-item", `{"service":"shop","item":{"password":"${ITEM.password}"`);
  for (const value of [ITEM.password, GUESS]) {
    await post("/api/keychain/authenticate", {
      service: "shop",
      authElements: [{ type: "password", value }],
    });
  }
  await post("/api/keychain/authenticate", {
    service: "shop",
    authElements: [{ type: "password", coordinates: form.password }],
  });
  await post("/api/keyboard/type", { secret: { service: "shop", field: "token" }, text: 1 });
  await post("/api/keyboard/type", { secret: { service: "shop", field: "token" } });
  await post("/api/keyboard/key", { key: "enter" });
  expect((await form.submitted()).password).toBe(ITEM.password + ITEM.token);
  await post("/api/keychain/delete-item", { service: "shop" });
  return answers.join("\n");
}

async function expectHidden(flags: readonly string[], env: Record<string, string>) {
  await using xvfb = await startXvfb();
  await using state = await testFolder();
  await using watch = watchFor([...SECRETS, ...BASE64]);
  const program = await startCommand(
    ["--display", xvfb.display, "--state-dir", state.path, ...flags],
    env,
  );
  let answers: string;
  {
    await using _running = program;
    answers = await useEverything(program, xvfb.display);
  }
  const log = [...program.output.seen, ...program.errors.seen].join("\n");
  expect(log).toContain("Address");
  for (const secret of [...SECRETS, ...BASE64]) {
    expect(log).not.toContain(secret);
    expect(answers).not.toContain(secret);
  }
  expect(watch.seen).toEqual([]);
  return log;
}

Deno.test("no secret appears in the log, in an answer or in a process, with the encrypted file", async () => {
  const log = await expectHidden(["--keychain", "file"], {});
  expect(log).toContain("keychain: file (as --keychain asks)");
});

Deno.test("no secret appears in the log, in an answer or in a process, with the Secret Service", async () => {
  await using keyring = await startKeyring("unlocked");
  await using tools = await testFolder();
  const record = `${tools.path}/record`;
  // the program lives for milliseconds only, so it is looked at by one that takes its place
  const recorder = `#!/bin/sh
cat "/proc/$$/cmdline" "/proc/$$/environ" >> "${record}"
exec /usr/bin/secret-tool "$@"
`;
  await writeProgram(`${tools.path}/secret-tool`, recorder);
  const PATH = `${tools.path}:${Deno.env.get("PATH")}`;
  const env = { DBUS_SESSION_BUS_ADDRESS: keyring.address, PATH };
  const log = await expectHidden(["--keychain", "secret-service"], env);
  expect(log).toContain("keychain: secret-service (as --keychain asks)");
  const recorded = await Deno.readTextFile(record);
  for (const command of ["store", "lookup", "clear"]) expect(recorded).toContain(`\0${command}\0`);
  for (const secret of [...SECRETS, ...BASE64]) expect(recorded).not.toContain(secret);
});

Deno.test("the search finds a secret in an argument and in an environment", async () => {
  const children = [
    new Deno.Command("sleep", { args: ["1000"], env: { PASSWORD: SHOWN[0]! } }).spawn(),
    new Deno.Command("sh", { args: ["-c", "read -r _", SHOWN[1]!], stdin: "piped" }).spawn(),
  ] as const;
  await using watch = watchFor(SHOWN);
  await waitFor(() => watch.seen.length >= 2);
  children[0].kill("SIGKILL");
  await children[1].stdin.close();
  await Promise.all(children.map((child) => child.status));
  expect(watch.seen.map((line) => line.split(" ")[0]).sort()).toEqual(["cmdline", "environ"]);
});
