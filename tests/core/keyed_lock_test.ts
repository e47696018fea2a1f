/** KeyedLock: never two of one key at once, in the order of the calls, whoever leaves or fails. */

import { expect } from "expect";
import * as fc from "fast-check";
import { KeyedLock } from "../../src/core/locks.ts";

const turn = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("run() begins before anything else when nothing is in the way", async () => {
  const lock = new KeyedLock<string>();
  const seen: string[] = [];
  const first = lock.run(["a"], () => turn().then(() => seen.push("first ends")));
  const other = lock.run(["b"], () => void seen.push("other"));
  const second = lock.run(["a"], () => void seen.push("second"));
  expect(seen).toEqual(["other"]);
  await Promise.all([first, other, second]);
  expect(seen).toEqual(["other", "first ends", "second"]);
});

Deno.test("who leaves while it waits is not begun, and those behind go on", async () => {
  const lock = new KeyedLock<string>();
  const client = new AbortController();
  const seen: string[] = [];
  const first = lock.run(["a"], turn);
  const left = lock.run(["a"], () => void seen.push("left"), client.signal);
  const third = lock.run(["a"], () => void seen.push("third"));
  client.abort("gone");
  await expect(left).rejects.toBe("gone");
  expect(seen).toEqual([]);
  await Promise.all([first, third]);
  expect(seen).toEqual(["third"]);
  await expect(lock.run(["a"], () => 1, client.signal)).rejects.toBe("gone");
  expect(lock.size).toBe(0);
});

const Call = fc.record({
  keys: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 }),
  /** When the caller leaves, in turns after the call; never where it is left out. */
  leaves: fc.option(fc.nat(6), { nil: undefined }),
  turns: fc.nat(3),
  fails: fc.boolean(),
  /** Turns until the next call. */
  rest: fc.nat(2),
});
type Call = typeof Call extends fc.Arbitrary<infer T> ? T : never;

Deno.test("no order of calls, leaving and failing runs two of one key at once, overtakes, or waits for ever", async () => {
  await fc.assert(fc.asyncProperty(fc.array(Call, { maxLength: 15 }), run), { numRuns: 200 });
});

async function run(calls: readonly Call[]) {
  const lock = new KeyedLock<number>();
  const running = new Set<number>();
  const begun: number[] = [];
  const all = [];
  for (const [number, { keys, leaves, turns, fails, rest }] of calls.entries()) {
    const client = new AbortController();
    if (leaves !== undefined) wait(leaves).then(() => client.abort("gone"));
    const work = async () => {
      expect(client.signal.aborted).toBe(false);
      begun.push(number);
      for (const key of keys) {
        expect(running.has(key)).toBe(false);
        running.add(key);
      }
      await wait(turns);
      for (const key of keys) running.delete(key);
      if (fails) throw new Error("failed");
    };
    all.push(
      lock.run(keys, work, client.signal).catch((error) => {
        expect(error.message ?? error).toBe(begun.includes(number) ? "failed" : "gone");
      }),
    );
    await wait(rest);
  }
  await Promise.all(all);
  for (let key = 0; key <= 3; key++) {
    const ofKey = begun.filter((number) => calls[number]!.keys.includes(key));
    expect(ofKey).toEqual(ofKey.toSorted((one, other) => one - other));
  }
  expect(lock.size).toBe(0);
}

async function wait(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await turn();
}
