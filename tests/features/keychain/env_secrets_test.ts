/** env_secrets: names of stored values become the variables of one command. */

import { expect } from "expect";
import { EnvSecrets, resolveEnvSecrets } from "../../../src/features/bash/execute_command.ts";
import { testApp } from "../../support/client.ts";

Deno.test("resolveEnvSecrets() gives the stored values under the names that were asked for", async () => {
  const app = testApp();
  const item = { password: "p=1 é", token: "t" };
  await app.post("/api/keychain/set-item", { service: "a", item });
  using variables = await resolveEnvSecrets(app, {
    PASSWORD: { service: "a", field: "password" },
    TOKEN: { service: "a", field: "token" },
  });
  expect(variables.env).toEqual({ PASSWORD: "p=1 é", TOKEN: "t" });
});

Deno.test("resolveEnvSecrets() refuses what is not stored, and what no environment can hold", async () => {
  const app = testApp();
  await app.post("/api/keychain/set-item", { service: "a", item: { nul: "secret\0value" } });
  for (const field of ["missing", "nul"]) {
    const asked = resolveEnvSecrets(app, { NAME: { service: "a", field } });
    await expect(asked).rejects.toMatchObject({ code: "invalid", field: ["env_secrets", "NAME"] });
    await asked.catch(({ message }) => expect(message).not.toContain("secret"));
  }
});

Deno.test("EnvSecrets takes no name that no variable can have", () => {
  const secret = { service: "a", field: "b" };
  expect(EnvSecrets.safeParse({ _A_1: secret }).success).toBe(true);
  for (const name of ["", "A=B", "A\0", "1A", "A.x", "A-B", "É"]) {
    expect(EnvSecrets.safeParse({ [name]: secret }).success).toBe(false);
  }
});
