/**
 * Mixed load while the X server, the service and its helpers are killed, the disk is full and
 * descriptors run out: no wrong answer, nothing acknowledged lost, no key left down. `deno task chaos`
 * runs all of it, five minutes; without `CHAOS=full` each fault comes once.
 */

import { expect } from "expect";
import { zombiesOf } from "../support/processes.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { TestX } from "../support/x_client.ts";
import { ask } from "./support/ask.ts";
import { createClients } from "./support/clients.ts";
import { FAULTS } from "./support/faults.ts";
import { createWorld, type World } from "./support/world.ts";

const IS_FULL = Deno.env.get("CHAOS") === "full";

/** How often each fault comes. */
const TIMES: Readonly<Record<keyof typeof FAULTS, number>> = {
  "the X server is killed": IS_FULL ? 20 : 1,
  "the X server stands still": IS_FULL ? 10 : 1,
  "the service stands still": IS_FULL ? 10 : 1,
  "the service is killed": IS_FULL ? 50 : 2,
  "helpers of the service are killed": IS_FULL ? 20 : 1,
  "the disk is full": IS_FULL ? 15 : 1,
  "descriptors run out": IS_FULL ? 15 : 1,
  "the clock is set forward": IS_FULL ? 10 : 1,
};

const MAY = Deno.build.os === "linux" && Deno.build.arch === "x86_64" && Deno.uid() === 0;

Deno.test({
  name: "the service comes back from every fault, and loses nothing that it has acknowledged",
  ignore: unless(MAY, "chaos mounts a disk of its own, for which it must be root on Linux"),
  async fn() {
    await using world = await createWorld();
    const clients = createClients(world);
    const names = Object.keys(clients);
    const counts: Record<string, number> = {};
    const stop = new AbortController();
    const load = Promise.all(
      Object.entries(clients).map(async ([name, client]) => {
        for (let round = 0; !stop.signal.aborted; round++) {
          try {
            await client(round);
          } catch (error) {
            throw new Error(`The client that ${name}, round ${round}`, { cause: error });
          }
          counts[name] = round;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }),
    );
    const backs: Record<string, number[]> = {};
    const chaos = (async () => {
      for (const name of schedule()) {
        // Deno never tries a module again that it was loading when descriptors ran out
        const from = { ...counts };
        const isWarm = () => names.every((each) => (counts[each] ?? 0) >= (from[each] ?? 0) + 5);
        await waitFor(isWarm, { what: "a few rounds of every client" });
        await FAULTS[name](world);
        const since = performance.now();
        await worksAgain(world);
        (backs[name] ??= []).push(Math.round(performance.now() - since));
      }
      stop.abort();
    })();
    await Promise.all([load.catch((error) => (stop.abort(), Promise.reject(error))), chaos]);
    for (const [name, times] of Object.entries(backs)) {
      console.log(`${name}: back after ${Math.max(...times)} ms at most, ${times.length} times`);
    }
    console.log("rounds:", counts);
    await nothingIsLeft(world);
    expect(world.errors).toEqual([]);
  },
});

/** All faults as often as they are to come, mixed. */
function schedule(): (keyof typeof FAULTS)[] {
  const all = Object.entries(TIMES).flatMap(([name, times]) =>
    Array.from({ length: times }, () => name as keyof typeof FAULTS)
  );
  return all.map((name) => ({ name, key: Math.random() }))
    .sort((a, b) => a.key - b.key).map(({ name }) => name);
}

/** Waits until everything is done again that is asked for. */
async function worksAgain({ address, folder }: World): Promise<void> {
  const asks: [string, unknown][] = [
    ["/api/mouse/scroll", { clicks: 1 }],
    ["/api/keyboard/key", { key: "shift" }],
    ["/api/bash/command", { command: "true" }],
    ["/api/filesystem/write", { path: `${folder}/probe`, content: "x", overwrite: true }],
    ["/api/keychain/set-item", { service: "probe", item: { password: "a probe" } }],
  ];
  for (const [path, body] of asks) {
    await waitFor(async () => (await ask(address, path, body)).kind === "done", {
      what: `${path} to work again`,
    });
  }
}

async function nothingIsLeft({ address, display, pid }: World): Promise<void> {
  expect(await ask(address, "/api/keyboard/held")).toEqual({ kind: "done", json: [] });
  using x = await TestX.open(display);
  expect(await x.keysDown()).toEqual([]);
  expect(await x.buttonsDown()).toBe(0);
  expect(await ask(address, "/api/bash/processes/managed")).toEqual({ kind: "done", json: [] });
  await waitFor(() => zombiesOf(pid).length === 0, { what: "no zombie" });
}
