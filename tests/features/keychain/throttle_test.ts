/** Guessing is slowed down, for stored and for unknown services alike, and right answers end it. */

import { expect } from "expect";
import { type AttemptResult, Throttle } from "../../../src/features/keychain/throttle.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { testApp } from "../../support/client.ts";
import { waitFor } from "../../support/wait.ts";

const HOUR_MS = 3_600_000;
const WRONG: AttemptResult = { ok: false, wrong: ["password"], right: [] };
const RIGHT: AttemptResult = { ok: true, wrong: [], right: ["password"] };
const NAME_ONLY: AttemptResult = { ok: true, wrong: [], right: ["username"] };
const FILLED: AttemptResult = { ok: true, wrong: [], right: [] };

/** Tries with these outcomes, one after the other; returns the delays that came before them. */
async function delaysOf(outcomes: readonly AttemptResult[]): Promise<number[]> {
  const delays: number[] = [];
  const throttle = new Throttle(DEFAULT_LIMITS, (ms) => {
    delays[delays.length - 1] = ms;
    return Promise.resolve();
  });
  const client = new AbortController();
  for (const outcome of outcomes) {
    delays.push(0);
    const answer = await throttle.attempt("github", client, () => Promise.resolve(outcome));
    expect(answer).toBe(outcome.ok);
  }
  return delays;
}

const times = (count: number, outcome: AttemptResult) => Array<AttemptResult>(count).fill(outcome);

Deno.test("Throttle delays the sixth wrong try 1 s, then twice as long, up to 30 s", async () => {
  expect(await delaysOf(times(13, WRONG)))
    .toEqual([0, 0, 0, 0, 0, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
});

Deno.test("Throttle forgets wrong tries after a right one", async () => {
  const tries = [...times(4, WRONG), RIGHT, ...times(6, WRONG), RIGHT, WRONG];
  expect(await delaysOf(tries)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 2000, 0]);
});

Deno.test("Throttle keeps wrong tries when only another field was right, or a form was filled in", async () => {
  const tries = [...times(4, WRONG), NAME_ONLY, WRONG, FILLED, WRONG];
  expect(await delaysOf(tries)).toEqual([0, 0, 0, 0, 0, 0, 1000, 1000]);
});

Deno.test("Throttle runs tries for one name one after the other, and other names at once", async () => {
  const throttle = new Throttle(DEFAULT_LIMITS);
  const client = new AbortController();
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string) => () => {
    running.push(name);
    return new Promise<AttemptResult>((resolve) => ends.push(() => resolve(RIGHT)));
  };
  const tries = ["a", "a", "b"].map((name) => throttle.attempt(name, client, run(name)));
  await waitFor(() => running.length >= 2);
  expect(running).toEqual(["a", "b"]);
  ends[0]!();
  await waitFor(() => running.length === 3);
  for (const end of ends) end();
  expect(await Promise.all(tries)).toEqual([true, true, true]);
});

Deno.test("Throttle lets a try that fails pass on the turn", async () => {
  const throttle = new Throttle(DEFAULT_LIMITS);
  const client = new AbortController();
  const failing = throttle.attempt("a", client, () => Promise.reject(new Error("gone")));
  const next = throttle.attempt("a", client, () => Promise.resolve(RIGHT));
  await expect(failing).rejects.toThrow("gone");
  expect(await next).toBe(true);
});

Deno.test("Throttle refuses with 503 when too many tries wait", async () => {
  const throttle = new Throttle({ ...DEFAULT_LIMITS, maxWaitingInput: 2 });
  const client = new AbortController();
  const tries = [1, 2].map(() => throttle.attempt("a", client, () => Promise.resolve(RIGHT)));
  await expect(throttle.attempt("a", client, () => Promise.resolve(RIGHT)))
    .rejects.toMatchObject({ code: "unavailable" });
  expect(await Promise.all(tries)).toEqual([true, true]);
});

Deno.test("authenticate() slows down wrong tries in parallel, for stored and unknown services alike", async () => {
  const limits = { ...DEFAULT_LIMITS, wrongTryDelayMs: HOUR_MS, maxWrongTryDelayMs: HOUR_MS };
  const app = testApp({ config: { limits } });
  await app.post("/api/keychain/set-item", { service: "stored", item: { password: "right" } });
  const answered: Record<string, unknown[]> = { stored: [], unknown: [] };
  const gone = new AbortController();
  const tries = ["stored", "unknown"].flatMap((service) =>
    Array.from({ length: 9 }, async () => {
      const response = await app.fetch(tryOf(service, "wrong", gone.signal));
      const text = await response.text();
      if (!gone.signal.aborted) answered[service]!.push(JSON.parse(text));
    })
  );
  await waitFor(() => answered["stored"]!.length === 5 && answered["unknown"]!.length === 5);
  // another service is not slowed down, and when it has answered the sixth tries still wait
  expect((await app.post("/api/keychain/authenticate", bodyOf("other", "x"))).json).toBe(false);
  expect(answered).toEqual({ stored: Array(5).fill(false), unknown: Array(5).fill(false) });
  gone.abort();
  await Promise.all(tries);
});

Deno.test("authenticate() gives the right answer also after a delay", async () => {
  const limits = { ...DEFAULT_LIMITS, wrongTryDelayMs: 5, maxWrongTryDelayMs: 5 };
  const app = testApp({ config: { limits } });
  await app.post("/api/keychain/set-item", { service: "a", item: { password: "right" } });
  for (let wrong = 0; wrong < 7; wrong++) {
    expect((await app.post("/api/keychain/authenticate", bodyOf("a", "wrong"))).json).toBe(false);
  }
  expect((await app.post("/api/keychain/authenticate", bodyOf("a", "right"))).json).toBe(true);
});

function bodyOf(service: string, value: string) {
  return { service, authElements: [{ type: "password", value }] };
}

function tryOf(service: string, value: string, signal: AbortSignal): Request {
  return new Request("http://localhost/api/keychain/authenticate", {
    method: "POST",
    headers: { host: "localhost", "content-type": "application/json" },
    body: JSON.stringify(bodyOf(service, value)),
    signal,
  });
}
