/** Semaphore: whatever happens in whatever order, no place is lost and none is given twice. */

import { expect } from "expect";
import * as fc from "fast-check";
import { type Permit, Semaphore } from "../../src/core/locks.ts";

const FULL = new Error("full");

function open(places: number, maxWaiting = 1_000): Semaphore {
  return new Semaphore({ capacity: places, maxWaiting, full: () => FULL });
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

Deno.test("run() begins before anything else when a place is free", async () => {
  const semaphore = open(1);
  let begun = false;
  const ran = semaphore.run(() => void (begun = true));
  expect(begun).toBe(true);
  await ran;
});

Deno.test("a large demand is met in its turn, more than there is counts as all", async () => {
  const semaphore = open(10);
  const order: number[] = [];
  const sizes = [4, 6, 100, 1, 9, 0, 10];
  const results = await Promise.allSettled(
    sizes.map((size, number) =>
      semaphore.run(
        async () => {
          order.push(number);
          expect(semaphore.taken).toBeLessThanOrEqual(10);
          await turn();
          if (number === 2) throw new Error("no");
        },
        undefined,
        { size },
      )
    ),
  );
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(semaphore.taken).toBe(0);
});

Deno.test("a large demand that leaves lets those behind it in", async () => {
  const semaphore = open(2);
  using _held = await semaphore.acquire();
  const client = new AbortController();
  const large = semaphore.acquire(client.signal, { size: 2 });
  const small = semaphore.acquire();
  client.abort("gone");
  await expect(large).rejects.toBe("gone");
  using _small = await small;
  expect(semaphore.taken).toBe(2);
});

Deno.test("drop() rejects all who wait but the firm ones, whom a full queue takes too", async () => {
  const semaphore = open(1, 1);
  const held = await semaphore.acquire();
  const waiting = semaphore.acquire();
  const firm = semaphore.acquire(undefined, { unconditional: true });
  semaphore.drop("dropped");
  await expect(waiting).rejects.toBe("dropped");
  held[Symbol.dispose]();
  using _firm = await firm;
  expect([semaphore.taken, semaphore.waiting]).toEqual([1, 0]);
});

Deno.test("idle() resolves when all who hold a place or wait have ended", async () => {
  const semaphore = open(2);
  let ended = 0;
  for (let i = 0; i < 5; i++) semaphore.run(() => turn().then(() => ended++));
  await semaphore.idle();
  expect([ended, semaphore.taken]).toEqual([5, 0]);
});

const PLACES = 4;

/** What may happen, in any order: somebody comes, leaves, gives a place back (also twice), all are dropped, time goes by. */
const Step = fc.record({
  kind: fc.constantFrom("come", "come", "leave", "give", "drop", "turn"),
  who: fc.nat(30),
  size: fc.integer({ min: 0, max: PLACES + 1 }),
  firm: fc.boolean(),
});
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never;

interface Client {
  readonly number: number;
  readonly size: number;
  readonly controller: AbortController;
  place?: Permit;
  given: boolean;
}

Deno.test("no order of coming, leaving, dropping and giving back loses a place, gives it twice or lets one overtake", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { maxLength: 60 }), run),
    { numRuns: 500 },
  );
});

async function run(steps: readonly Step[]) {
  const semaphore = open(PLACES);
  const clients: Client[] = [];
  /** Of those who had to wait. */
  const admitted: number[] = [];
  const all: Promise<void>[] = [];
  const held = () =>
    clients.filter(({ place, given }) => place && !given).reduce((sum, { size }) => sum + size, 0);
  const give = (client: Client | undefined) => {
    if (client?.place) client.given = true;
    client?.place?.[Symbol.dispose]();
  };
  for (const { kind, who, size, firm } of steps) {
    if (kind === "turn") await turn();
    else if (kind === "come") {
      const controller = new AbortController();
      const client: Client = {
        ...{ number: clients.length, size: Math.min(size, PLACES), controller, given: false },
      };
      clients.push(client);
      const before = semaphore.waiting;
      const place = semaphore.acquire(controller.signal, { size, unconditional: firm });
      const waits = semaphore.waiting > before;
      if (before > 0) expect(waits).toBe(true);
      all.push(place.then((place) => {
        client.place = place;
        if (waits) admitted.push(client.number);
      }, () => {}));
    } else if (kind === "leave") clients[who]?.controller.abort("gone");
    else if (kind === "drop") semaphore.drop("dropped");
    else give(clients[who]);
    expect(held()).toBeLessThanOrEqual(semaphore.taken);
    expect(semaphore.taken).toBeLessThanOrEqual(PLACES);
  }
  while (semaphore.taken + semaphore.waiting > 0) {
    await turn();
    clients.forEach(give);
  }
  await Promise.all(all);
  clients.forEach(give); // those of no size
  expect(admitted).toEqual(admitted.toSorted((one, other) => one - other));
  expect([semaphore.taken, semaphore.waiting]).toEqual([0, 0]);
}
