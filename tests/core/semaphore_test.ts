/** Semaphore: whatever happens in whatever order, no place is lost and none is given twice. */

import { expect } from "expect";
import * as fc from "fast-check";
import { type Place, Semaphore } from "../../src/core/semaphore.ts";

const FULL = new Error("full");

function open(places: number, maxWaiting = 1_000): Semaphore {
  return new Semaphore({ places, maxWaiting, full: () => FULL });
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("acquire() admits in the order of arrival", async () => {
  const semaphore = open(1);
  const order: number[] = [];
  await Promise.all([0, 1, 2, 3].map((one) =>
    semaphore.run(async () => {
      await turn();
      order.push(one);
    })
  ));
  expect(order).toEqual([0, 1, 2, 3]);
  expect([semaphore.taken, semaphore.waiting]).toEqual([0, 0]);
});

Deno.test("acquire() refuses more than may wait, and those who have left before", async () => {
  const semaphore = open(1, 1);
  using _held = await semaphore.acquire();
  const waiting = semaphore.acquire();
  await expect(semaphore.acquire()).rejects.toBe(FULL);
  await expect(semaphore.acquire(AbortSignal.abort("gone"))).rejects.toBe("gone");
  _held[Symbol.dispose]();
  (await waiting)[Symbol.dispose]();
});

Deno.test("a place that is given in the moment in which its caller leaves is not lost", async () => {
  for (const first of ["leave", "give"] as const) {
    const semaphore = open(1);
    const held = await semaphore.acquire();
    const client = new AbortController();
    const ran = semaphore.run(() => "ran", client.signal).catch((reason) => reason);
    if (first === "leave") client.abort("gone");
    held[Symbol.dispose]();
    if (first === "give") client.abort("gone");
    expect(await ran).toBe("gone");
    expect(semaphore.taken).toBe(0);
  }
});

Deno.test("run() gives its place back when the work fails, at once or later", async () => {
  const semaphore = open(1);
  const failure = new Error("no");
  await expect(semaphore.run(() => {
    throw failure;
  })).rejects.toBe(failure);
  await expect(semaphore.run(() => Promise.reject(failure))).rejects.toBe(failure);
  expect(semaphore.taken).toBe(0);
});

/** What may happen, in any order: somebody comes, leaves, gives a place back (also twice), time goes by. */
const Step = fc.record({
  kind: fc.constantFrom("come", "leave", "give", "turn"),
  who: fc.nat(50),
});

Deno.test("no order of coming, leaving and giving back loses a place or gives it twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(Step, { maxLength: 60 }), run),
    { numRuns: 300 },
  );
});

async function run(places: number, steps: readonly { kind: string; who: number }[]) {
  const semaphore = open(places);
  const clients: { controller: AbortController; place?: Place }[] = [];
  const all: Promise<void>[] = [];
  for (const step of steps) {
    if (step.kind === "turn") await Promise.resolve();
    else if (step.kind === "come") {
      const client: typeof clients[number] = { controller: new AbortController() };
      clients.push(client);
      all.push(
        semaphore.acquire(client.controller.signal)
          .then((place) => void (client.place = place), () => {}),
      );
    } else if (step.kind === "leave") clients[step.who]?.controller.abort("gone");
    else clients[step.who]?.place?.[Symbol.dispose]();
    expect(semaphore.taken).toBeLessThanOrEqual(places);
    if (semaphore.waiting > 0) expect(semaphore.taken).toBe(places);
  }
  for (let round = 0; round < 200; round++) {
    await Promise.resolve();
    for (const { place } of clients) place?.[Symbol.dispose]();
  }
  expect([semaphore.taken, semaphore.waiting]).toEqual([0, 0]);
  await Promise.all(all);
}
