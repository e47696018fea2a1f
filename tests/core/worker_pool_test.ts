/** WorkerPool: whatever jobs, callers and threads do, every job ends, and no place is lost. */

import { expect } from "expect";
import * as fc from "fast-check";
import { FieldError, fromSent, toSent } from "../../src/core/errors.ts";
import { WorkerPool, type WorkerPoolOptions } from "../../src/core/worker_thread.ts";
import { waitFor } from "../support/wait.ts";
import type { PoolJob } from "./pool_jobs.ts";

const MODULE = new URL("./pool_jobs.ts", import.meta.url);

type Pool = WorkerPool<PoolJob, unknown>;

function open(options: Partial<WorkerPoolOptions> = {}): Pool {
  return new WorkerPool({ module: MODULE, name: "test", ...options });
}

const job = (kind: PoolJob["kind"], number = 1, jobsEach = 1) => ({ kind, number, jobsEach });

Deno.test("run() gives what a job gives, throws what it throws, and answers what it asks", async () => {
  using pool = open({ threads: 1 });
  expect(await pool.run(job("echo", 7))).toBe(7);
  await expect(pool.run(job("fail", 7))).rejects
    .toMatchObject({ name: "ServiceError", code: "conflict", message: "failed 7" });
  const answer = (number: number) => Promise.resolve(number * 2);
  expect(await pool.run(job("ask", 7), { answer })).toBe(14);
  const refuse = () => Promise.reject(new FieldError("x", "no"));
  await expect(pool.run(job("ask"), { answer: refuse })).rejects
    .toMatchObject({ name: "FieldError", field: "x" });
  await expect(pool.run(job("strange"))).rejects.toThrow("could not be cloned");
  expect(pool.threads).toBe(1);
});

Deno.test("a question that comes after the end of its job is refused", async () => {
  using pool = open({ threads: 1 });
  const answer = () => Promise.resolve("answered");
  expect(await pool.run(job("late"), { answer })).toBe(undefined);
  expect(await pool.run(job("late"), { answer })).toBe("The caller has left");
});

Deno.test("a job that runs is told when nobody waits for it, and its thread goes on", async () => {
  using pool = open({ threads: 1 });
  const client = new AbortController();
  const spinning = pool.run(job("spin"), {
    signal: client.signal,
    onMessage: () => client.abort("gone"),
  });
  const waiting = pool.run(job("echo", 2), { signal: client.signal });
  const next = pool.run(job("echo", 3));
  expect(await Promise.allSettled([spinning, waiting, next])).toMatchObject([
    { reason: "gone" },
    { reason: "gone" },
    { value: 3 },
  ]);
  expect([pool.threads, pool.failure]).toEqual([1, undefined]);
});

Deno.test("a thread whose job does not stop is ended in time, and another one takes the next job", async () => {
  using pool = open({ threads: 1, stopMs: 10 });
  const client = new AbortController();
  const hanging = pool.run(job("hang"), {
    signal: client.signal,
    onMessage: () => client.abort("gone"),
  });
  const next = pool.run(job("echo", 2));
  await expect(hanging).rejects.toBe("gone");
  expect(await next).toBe(2);
});

Deno.test("all jobs of a thread that dies fail, and those that wait get another one", async () => {
  using pool = open({ threads: 1, jobsEach: 2 });
  const dying = [pool.run(job("ask", 1, 2), { answer: () => new Promise(() => {}) })];
  dying.push(pool.run(job("die", 2, 2)));
  const next = pool.run(job("echo", 3, 2));
  const reason = {
    code: "internal",
    message: expect.stringMatching(/test worker crashed: .*dead/),
  };
  expect(await Promise.allSettled(dying)).toMatchObject([{ reason }, { reason }]);
  expect(await next).toBe(3);
  expect(pool.failure).toMatchObject({ code: "internal" });
});

Deno.test("an idle thread is ended after a while, and a new one takes the next job", async () => {
  using pool = open({ idleMs: 1 });
  await Promise.all([pool.run(job("echo")), pool.run(job("echo"))]);
  await waitFor(() => pool.threads === 0);
  expect(await pool.run(job("echo", 5))).toBe(5);
});

Deno.test("end() ends what runs and what waits; disposing lets what runs end", async () => {
  const ended = open({ threads: 1 });
  const all = [ended.run(job("hang")), ended.run(job("echo"))];
  ended.end(new Error("over"));
  all.push(ended.run(job("echo")));
  const reason = new Error("over");
  expect(await Promise.allSettled(all)).toMatchObject([{ reason }, { reason }, { reason }]);
  expect(ended.threads).toBe(0);

  const disposed = open({ threads: 1 });
  const running = disposed.run(job("echo", 4));
  const waiting = expect(disposed.run(job("echo"))).rejects.toMatchObject({ code: "unavailable" });
  disposed[Symbol.dispose]();
  expect(await running).toBe(4);
  await waiting;
  await waitFor(() => disposed.threads === 0);
});

const Call = fc.record({
  kind: fc.constantFrom<PoolJob["kind"]>(
    "echo",
    "echo",
    "echo",
    "fail",
    "die",
    "spin",
    "hang",
    "ask",
  ),
  /** When the caller leaves, in milliseconds after the call; never where it is left out. */
  leaves: fc.option(fc.nat(30), { nil: undefined }),
});
type Call = typeof Call extends fc.Arbitrary<infer T> ? T : never;

Deno.test("no order of jobs, failures, deaths and callers who leave loses a place, or lets one wait for ever", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2 }),
      fc.integer({ min: 1, max: 2 }),
      fc.array(Call, { maxLength: 8 }),
      run,
    ),
    { numRuns: 20 },
  );
});

async function run(threads: number, jobsEach: number, calls: readonly Call[]) {
  using pool = open({ threads, jobsEach, stopMs: 20 });
  const begun: number[] = [];
  const ended = await Promise.all(calls.map(async ({ kind, leaves }, number) => {
    const client = new AbortController();
    const endless = kind === "spin" || kind === "hang"; // in the end everybody leaves these
    const ms = leaves ?? (endless ? 30 : undefined);
    const timer = ms === undefined ? undefined : setTimeout(() => client.abort("gone"), ms);
    try {
      return await pool.run({ kind, number, jobsEach }, {
        signal: client.signal,
        onMessage: () => void begun.push(number),
        answer: (asked: number) => Promise.resolve(asked),
      });
    } catch (error) {
      return error;
    } finally {
      clearTimeout(timer);
      expect(pool.threads).toBeLessThanOrEqual(threads);
    }
  }));
  for (const [number, end] of ended.entries()) {
    const { kind, leaves } = calls[number]!;
    if (typeof end === "number") expect(end).toBe(number);
    else if (end !== "gone") expect(String(end)).toMatch(/failed|crashed|was ended/);
    else expect(leaves !== undefined || ["spin", "hang"].includes(kind)).toBe(true);
    if (kind === "echo" && typeof end !== "number" && end !== "gone") {
      expect(jobsEach).toBe(2); // another job of its thread has ended that
    }
  }
  if (threads * jobsEach === 1) expect(begun).toEqual(begun.toSorted((one, other) => one - other));
  const last = Array.from({ length: 5 }, (_, n) => pool.run(job("echo", n, jobsEach)));
  expect(await Promise.all(last)).toEqual([0, 1, 2, 3, 4]);
}

Deno.test("errors keep their kind on the way", () => {
  const error = Object.assign(new TypeError("odd"), { code: "EIO" });
  expect(fromSent(toSent(error))).toMatchObject({ name: "TypeError", message: "odd", code: "EIO" });
  expect(fromSent(toSent("text"))).toMatchObject({ name: "Error", message: "text" });
  const shortage = new TypeError("Unable to load a.wasm: Too many open files (os error 24)");
  expect(fromSent(toSent(shortage))).toMatchObject({ name: "ServiceError", code: "unavailable" });
});
