/** Waiting ends in time or with the signal, and leaves no timer and no listener behind (Deno's own check of each test sees the timers). */

import { expect } from "expect";
import * as fc from "fast-check";
import {
  abortAfter,
  inTime,
  pause,
  poll,
  TIME_IS_UP,
  unlessAborted,
  within,
} from "../../src/core/deadline.ts";

const HOUR_MS = 3_600_000;
const turn = () => new Promise((resolve) => setTimeout(resolve));

/** A signal that counts its listeners. */
function counted() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.delete(args[1]);
    removeEventListener.apply(signal, args);
  };
  return { controller, signal, listeners };
}

Deno.test("every wait ends when its signal aborts, before or later, and leaves nothing behind", async () => {
  const never = new Promise<never>(() => {});
  const waits: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
    pause: (signal) => pause(HOUR_MS, signal),
    unlessAborted: (signal) => unlessAborted(never, signal),
    within: async (signal) => {
      expect(await within(never, HOUR_MS, signal)).toBe(false);
      throw signal.reason;
    },
    abortAfter: async (signal) => {
      using deadline = abortAfter(HOUR_MS, signal);
      await unlessAborted(never, deadline.signal);
    },
  };
  for (const wait of Object.values(waits)) {
    for (const when of ["before", "later"]) {
      const { controller, signal, listeners } = counted();
      if (when === "before") controller.abort("gone");
      const ended = wait(signal);
      if (when === "later") await turn().then(() => controller.abort("gone"));
      await expect(ended).rejects.toBe("gone");
      expect(listeners.size).toBe(0);
    }
  }
});

Deno.test("every wait ends in time, and leaves nothing behind", async () => {
  const { signal, listeners } = counted();
  const never = new Promise<never>(() => {});
  await pause(1, signal);
  await pause(-1);
  expect(await within(never, 1, signal)).toBe(false);
  expect(await within(Promise.resolve(), HOUR_MS, signal)).toBe(true);
  const late = new Error("late");
  await expect(inTime(never, 1, () => late)).rejects.toBe(late);
  expect(await inTime(Promise.resolve("done"), HOUR_MS, () => late)).toBe("done");
  {
    using deadline = abortAfter(1, signal);
    await expect(unlessAborted(never, deadline.signal)).rejects.toBe(TIME_IS_UP);
  }
  expect(listeners.size).toBe(0);
});

Deno.test("what the work throws is thrown, and what it throws when nobody waits any more is not lost in the air", async () => {
  const { promise: work, reject } = Promise.withResolvers<never>();
  const client = new AbortController();
  const waits = [
    unlessAborted(work, client.signal),
    inTime(work, 1, () => new Error("late")),
  ];
  client.abort(new Error("gone"));
  await expect(waits[0]).rejects.toThrow("gone");
  await expect(waits[1]).rejects.toThrow("late");
  reject(new Error("too late")); // an unhandled rejection would fail this test
  await turn();
  await expect(unlessAborted(Promise.reject(new Error("own")))).rejects.toThrow("own");
});

Deno.test("unlessAborted() gives nothing to who has left in the same moment", async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(["abort", "resolve"], { minLength: 2 }), async (order) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const client = new AbortController();
      const waiting = unlessAborted(promise, client.signal);
      for (const what of order) what === "abort" ? client.abort("gone") : resolve("done");
      await expect(waiting).rejects.toBe("gone");
    }),
  );
});

Deno.test("poll() looks at once, again after pauses, and gives what was found", async () => {
  const looks = [undefined, false, "found"] as const;
  let count = 0;
  const look = () => Promise.resolve(looks[count++]);
  expect(await poll(look, { everyMs: 1, timeoutMs: HOUR_MS })).toBe("found");
  expect(count).toBe(3);
  expect(await poll(() => 0, { everyMs: HOUR_MS, timeoutMs: 0 })).toBe(0);
});

Deno.test("poll() ends in time, by its signal, or as the look fails", async () => {
  let count = 0;
  const never = () => (count++, undefined);
  expect(await poll(never, { everyMs: HOUR_MS, timeoutMs: -1 })).toBeUndefined();
  expect(count).toBe(1);
  expect(await poll(never, { everyMs: { first: 1, most: 4 }, timeoutMs: 20 })).toBeUndefined();
  expect(count).toBeGreaterThan(2);
  const { controller, signal, listeners } = counted();
  const polling = { everyMs: HOUR_MS, timeoutMs: HOUR_MS, signal };
  const ended = poll(never, polling);
  await turn().then(() => controller.abort("gone"));
  await expect(ended).rejects.toBe("gone");
  expect(listeners.size).toBe(0);
  const failing = () => Promise.reject(new Error("it broke"));
  await expect(poll(failing, { everyMs: 1, timeoutMs: HOUR_MS })).rejects.toThrow("it broke");
});
