/** The throttle as it is delivered: the running service with its own limits. */

import { expect } from "expect";
import { Throttle } from "../../../src/features/keychain/throttle.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { startCommand } from "../../support/command.ts";
import { keepSecretsHidden, secretOf } from "../../support/secrets.ts";
import { startXvfb } from "../../support/xvfb.ts";

keepSecretsHidden();

Deno.test("the service delays the sixth wrong answer for a stored and for an unknown service", async () => {
  await using xvfb = await startXvfb();
  await using service = await startCommand(["--display", xvfb.display, "--keychain", "file"]);
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${service.address}/api/keychain/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return await response.text();
  };
  await post("set-item", { service: "stored", item: { password: secretOf("right") } });
  /** How long the answers to so many wrong tries at once took, in ms. */
  const tryWrong = async (name: string, times: number) => {
    const authElements = [{ type: "password", value: secretOf("wrong") }];
    const start = performance.now();
    const answers = await Promise.all(
      Array.from({ length: times }, () => post("authenticate", { service: name, authElements })),
    );
    expect(answers).toEqual(Array(times).fill("false"));
    return performance.now() - start;
  };
  const { maxWrongTries, wrongTryDelayMs } = DEFAULT_LIMITS;
  const times = await Promise.all(["stored", "unknown"].map(async (name) => {
    await tryWrong(name, maxWrongTries);
    return await tryWrong(name, 1);
  }));
  // a timer may be a little early by the other clock
  for (const took of times) expect(took).toBeGreaterThan(wrongTryDelayMs - 20);
});

Deno.test("Throttle remembers a flood of names in a bounded table", async () => {
  const throttle = new Throttle(DEFAULT_LIMITS, () => Promise.resolve());
  const client = new AbortController();
  const wrong = () => Promise.resolve({ ok: false, wrong: [], right: [] });
  const names = 80_000;
  for (let number = 0; number < names; number++) {
    await throttle.attempt(`service ${number}`, client, wrong);
  }
  // of 65,536 lanes that names fall into by chance, so many names leave a third empty
  expect(throttle.size).toBeLessThan(0.7 * 0x10000 + 1_000);
  expect(throttle.size).toBeGreaterThan(0.6 * 0x10000);
});
