/** The keyring daemon is killed while values are stored and checked: no wrong answer, nothing acknowledged lost. */

import { expect } from "expect";
import { startCommand } from "../support/command.ts";
import { startKeyring } from "../support/keyring.ts";
import { zombiesOf } from "../support/processes.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { ask } from "./support/ask.ts";

const TIMES = Deno.env.get("CHAOS") === "full" ? 20 : 2;
const CLIENTS = 3;

Deno.test({
  name: "a keyring that is killed makes operations fail, never answer wrong, and is found again",
  ignore: unless(Deno.build.os === "linux", "only Linux has the Secret Service"),
  async fn() {
    await using keyring = await startKeyring("unlocked");
    const args = ["--no-setup", "--display", ":65535", "--keychain", "secret-service"];
    await using service = await startCommand(args, { DBUS_SESSION_BUS_ADDRESS: keyring.address });
    const call = (operation: string, body: unknown) =>
      ask(service.address, `/api/keychain/${operation}`, body);
    const store = async (name: string, value: string): Promise<boolean> =>
      (await call("set-item", { service: name, item: { password: value } })).kind === "done";
    const check = (name: string, value: string) =>
      call("authenticate", { service: name, authElements: [{ type: "password", value }] });

    const stop = new AbortController();
    const stored = new Map<string, string>();
    let [done, failed] = [0, 0];
    async function storeAndCheck(name: string): Promise<void> {
      for (let round = 0; !stop.signal.aborted; round++) {
        const value = `${name} in round ${round}`;
        // after one that failed the old value or the new one is there
        if (!await store(name, value)) stored.delete(name), failed++;
        else stored.set(name, value), done++;
        const known = stored.get(name);
        if (known === undefined) continue;
        const outcome = await check(name, known);
        if (outcome.kind === "done") {
          expect([name, round, outcome.json]).toEqual([name, round, true]);
        }
      }
    }
    const load = Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => storeAndCheck(`service-${index}`)),
    );
    load.catch(() => stop.abort());
    for (let time = 0; time < TIMES && !stop.signal.aborted; time++) {
      const [before, failures] = [done, failed];
      await waitFor(() => done >= before + CLIENTS, { what: "values to be stored" });
      await keyring.kill();
      await waitFor(() => failed > failures, { what: "an operation to fail", timeoutMs: 60_000 });
      expect(await statusOf(`${service.address}/readyz`)).toBe(503);
      await keyring.restart();
      await waitFor(() => store("probe", "a probe"), { what: "the keyring to be found again" });
    }
    stop.abort();
    await load;
    for (const [name, value] of stored) {
      expect(await check(name, value)).toEqual({ kind: "done", json: true });
    }
    await waitFor(() => zombiesOf(service.pid).length === 0, { what: "no zombie" });
    expect(service.errors.seen.filter((line) => / error (?!request failed)/.test(line))).toEqual(
      [],
    );
  },
});

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}
