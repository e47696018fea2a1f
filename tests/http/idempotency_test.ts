/** `Idempotency-Key`: what is sent again gets the first answer, and is not done again. */

import { expect } from "expect";
import { z } from "zod";
import { ServiceError } from "../../src/core/errors.ts";
import { MAIN } from "../../src/features/actor.ts";
import type { Context } from "../../src/features/context.ts";
import { Control } from "../../src/features/control/control.ts";
import { json, noContent, type Operation } from "../../src/features/operation.ts";
import { IdempotentRequests, KEPT_MS } from "../../src/http/idempotency.ts";
import { serveApp, type TestApp, testApp } from "../support/client.ts";
import { doing, echoBody } from "../support/sample_operations.ts";
import { bearer, tokenApp } from "../support/tokens.ts";
import { waitFor } from "../support/wait.ts";

const DO = "/api/sample/do";
const REPLAYED = "idempotent-replayed";

const withKey = (key: string) => ({ "idempotency-key": key });

/** An app whose operation counts how often it runs. */
function countingApp(
  run: (runs: number, context: Context) => unknown = (runs) => ({ runs }),
  rest: Partial<Operation> = {},
): TestApp & AsyncDisposable & { runs(): number } {
  let runs = 0;
  const operation = doing((context) => run(++runs, context), {
    readOnly: false,
    body: z.object({ text: z.string().optional() }),
    answer: json("What came.", z.unknown()),
    ...rest,
  });
  const app = testApp({ operations: [operation, { ...operation, path: `${DO}/else` }, echoBody] });
  return {
    ...app,
    runs: () => runs,
    [Symbol.asyncDispose]: () => app.session[Symbol.asyncDispose](),
  };
}

Deno.test("a request that is sent again gets the first answer, and is not carried out", async () => {
  await using app = countingApp();
  const first = await app.post(DO, { text: "a" }, withKey("one"));
  const again = await app.post(DO, { text: "a" }, withKey("one"));
  expect(first.headers.has(REPLAYED)).toBe(false);
  expect(again.headers.get(REPLAYED)).toBe("true");
  expect([again.status, again.text]).toEqual([200, '{"runs":1}']);
  expect([first.status, first.text]).toEqual([again.status, again.text]);
  expect(again.headers.get("content-type")).toBe("application/json");
  expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  expect((await app.post(DO, { text: "a" }, withKey("two"))).json).toEqual({ runs: 2 });
  expect((await app.post(DO, { text: "a" })).json).toEqual({ runs: 3 });
});

Deno.test("an empty answer, that of a DELETE too, is given again", async () => {
  const gone = { answer: noContent("It is gone.") };
  for (const method of ["POST", "DELETE"] as const) {
    const { body: _body, ...plain } = doing(() => {});
    const body = method === "POST" ? { body: z.object({}) } : {};
    let runs = 0;
    const operation = {
      ...plain,
      ...gone,
      ...body,
      method,
      readOnly: false,
      run: () => void runs++,
    };
    const app = testApp({ operations: [operation] });
    const sent = {
      headers: { ...withKey("k"), "content-type": "application/json" },
      ...(method === "POST" ? { body: "{}" } : {}),
    };
    const answers = [await app.send(method, DO, sent), await app.send(method, DO, sent)];
    expect(answers.map(({ status, headers }) => [status, headers.get(REPLAYED)]))
      .toEqual([[204, null], [204, "true"]]);
    expect(runs).toBe(1);
    await app.session[Symbol.asyncDispose]();
  }
});

Deno.test("what has failed after it began is not carried out again, whatever the status", async () => {
  for (const code of ["unavailable", "conflict", "timed_out", "too_many_requests"] as const) {
    await using app = countingApp(() => {
      throw new ServiceError(code, "The second half could not be done");
    });
    const first = await app.post(DO, {}, withKey("k"));
    const again = await app.post(DO, {}, withKey("k"));
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get("retry-after")).toBe(first.headers.get("retry-after"));
    expect([again.headers.get(REPLAYED), app.runs()]).toEqual(["true", 1]);
  }
});

Deno.test("a bug is answered the same again, and logged once", async () => {
  await using app = countingApp(() => {
    throw new TypeError("a bug");
  });
  const [first, again] = [
    await app.post(DO, {}, withKey("k")),
    await app.post(DO, {}, withKey("k")),
  ];
  expect([first.status, again.text, app.runs()]).toEqual([500, first.text, 1]);
  expect(app.logged.filter((line) => line.includes("request crashed"))).toHaveLength(1);
});

Deno.test("what was refused before it began may be tried again with its key", async () => {
  await using app = countingApp(undefined, { group: "mouse" });
  const control = app.session.use(Control);
  await control.pause({ ...MAIN, kind: "person" });
  expect((await app.post(DO, {}, withKey("k"))).status).toBe(423);
  control.resume({ ...MAIN, kind: "person" });
  expect((await app.post(DO, { text: 3 }, withKey("k"))).status).toBe(422);
  const done = await app.post(DO, {}, withKey("k"));
  expect([done.status, done.headers.get(REPLAYED), app.runs()]).toEqual([200, null, 1]);
});

Deno.test("while the first request runs, the second is refused and does nothing", async () => {
  const hold = Promise.withResolvers<void>();
  await using app = countingApp(async (runs) => {
    await hold.promise;
    return { runs };
  });
  const first = app.post(DO, {}, withKey("k"));
  await waitFor(() => app.runs() === 1, { what: "the first runs" });
  const second = await app.post(DO, {}, withKey("k"));
  expect([second.status, second.json.code]).toEqual([409, "conflict"]);
  expect(second.json.detail).toContain("still running");
  hold.resolve();
  expect((await first).json).toEqual({ runs: 1 });
  expect((await app.post(DO, {}, withKey("k"))).json).toEqual({ runs: 1 });
});

Deno.test("a key that was used for another request is refused", async () => {
  await using app = countingApp();
  await app.post(DO, { text: "a" }, withKey("k"));
  const others = [
    await app.post(DO, { text: "b" }, withKey("k")),
    await app.post(`${DO}/else`, { text: "a" }, withKey("k")),
  ];
  for (const { status, json } of others) {
    expect([status, json.detail[0].loc]).toEqual([422, ["header", "idempotency-key"]]);
    expect(json.detail[0].msg).toContain("another request");
  }
  expect(app.runs()).toBe(1);
  const named = await app.post(`/desk-1${DO}`, { text: "a" }, withKey("k"));
  expect(named.headers.get(REPLAYED)).toBe("true"); // the same operation by another name
});

Deno.test("an impossible key is refused, and nothing is done", async () => {
  await using app = countingApp();
  for (const key of ["", "a".repeat(256), "\u00e9", "a\tb"]) {
    const { status, json } = await app.post(DO, {}, withKey(key));
    expect([key, status, json.detail[0].loc]).toEqual([key, 422, ["header", "idempotency-key"]]);
  }
  expect(app.runs()).toBe(0);
  for (const key of ["a", "a".repeat(255), '"8e03978e-40d5-43e8-bc93-6894a57f9324"', "~ !"]) {
    expect((await app.post(DO, {}, withKey(key))).status).toBe(200);
  }
});

Deno.test("every caller has keys of its own", async () => {
  let runs = 0;
  const operation = doing(() => void runs++, { readOnly: false });
  await using opened = await tokenApp(["one", "two"], { operations: [operation] });
  for (const token of [...opened.tokens, ...opened.tokens]) {
    const { status } = await opened.app.post(DO, {}, { ...withKey("k"), ...bearer(token) });
    expect(status).toBe(204);
  }
  expect(runs).toBe(2);
});

Deno.test("what changes nothing takes no notice of a key", async () => {
  await using app = countingApp();
  const texts = [
    await app.post("/api/sample/echo", { x: 1 }, withKey("k")),
    await app.post("/api/sample/echo", { x: 2 }, withKey("k")),
  ];
  expect(texts.map(({ json, headers }) => [json.x, headers.get(REPLAYED)]))
    .toEqual([[1, null], [2, null]]);
});

Deno.test("a batch is carried out once, with all its steps", async () => {
  const app = testApp();
  const body = {
    steps: [
      { operation: "mouse.left-click", input: { x: 3, y: 4 } },
      { operation: "keyboard.key", input: { key: "a" } },
    ],
  };
  const first = await app.post("/api/batch", body, withKey("k"));
  const { sent } = app.platform.screen().fake;
  const done = [...sent];
  const again = await app.post("/api/batch", body, withKey("k"));
  expect(first.json.status).toBe("completed");
  expect(again.text).toBe(first.text);
  expect(sent).toEqual(done);
  await app.session[Symbol.asyncDispose]();
});

Deno.test("a long answer is kept up to 1 MiB; after a longer one it is only known that it was carried out", async () => {
  await using app = countingApp((runs, _context) => ({ runs, text: "é".repeat(400_000) }));
  await using server = serveApp(app);
  const post = async (key: string) => {
    const response = await fetch(server.url + DO, {
      method: "POST",
      headers: { ...withKey(key), "content-type": "application/json" },
      body: "{}",
    });
    return { response, text: await response.text() };
  };
  const [first, again] = [await post("k"), await post("k")];
  expect(again.text === first.text).toBe(true);
  expect(again.response.headers.get(REPLAYED)).toBe("true");
  expect(again.response.headers.get("content-length"))
    .toBe(first.response.headers.get("content-length"));

  await using longer = countingApp(() => "a".repeat(1024 * 1024));
  expect((await longer.post(DO, {}, withKey("k"))).text).toHaveLength(1024 * 1024 + 2);
  const refused = await longer.post(DO, {}, withKey("k"));
  expect([refused.status, longer.runs()]).toEqual([409, 1]);
  expect(refused.json.detail).toContain("carried out");
});

Deno.test("a large body is told from another one", async () => {
  await using app = countingApp();
  const text = "a".repeat(3 * 1024 * 1024);
  const statuses = [
    await app.post(DO, { text }, withKey("k")),
    await app.post(DO, { text }, withKey("k")),
    await app.post(DO, { text: `${text}b` }, withKey("k")),
  ].map(({ status, headers }) => [status, headers.get(REPLAYED)]);
  expect(statuses).toEqual([[200, null], [200, "true"], [422, null]]);
});

Deno.test("what was interrupted because its client left is not carried out again", async () => {
  const started = Promise.withResolvers<void>();
  await using app = countingApp((_runs, { signal }) => {
    started.resolve();
    return new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    );
  });
  await using server = serveApp(app);
  const leaving = new AbortController();
  const init = {
    method: "POST",
    headers: { ...withKey("k"), "content-type": "application/json" },
    body: "{}",
  };
  const first = fetch(server.url + DO, { ...init, signal: leaving.signal }).catch(() => "left");
  await started.promise;
  leaving.abort();
  expect(await first).toBe("left");
  await waitFor(async () => {
    const { json } = await app.post(DO, {}, withKey("k"));
    return json.code === "conflict" && json.detail.includes("interrupted");
  }, { what: "the end of the first" });
  expect(app.runs()).toBe(1);
});

// The memory of keys.

const perform = (text: string) => (keep: (response: Response) => Promise<Response>) =>
  keep(new Response(text));
const request = (key: string, caller = "one", hasEntered = true) => ({
  key,
  caller,
  fingerprint: "f",
  hasEntered: () => hasEntered,
  fail: () => new Response(null, { status: 500 }),
});
const notAgain = () => Promise.reject(new Error("carried out again"));

Deno.test("a key is forgotten ten minutes after its answer", async () => {
  let now = 0;
  using requests = new IdempotentRequests(undefined, () => now);
  const late = Promise.withResolvers<void>();
  const running = requests.answer(request("long"), async (keep) => {
    await late.promise;
    return await keep(new Response("late"));
  });
  await requests.answer(request("k"), perform("first"));
  now = KEPT_MS - 1;
  expect(await (await requests.answer(request("k"), notAgain)).text()).toBe("first");
  now = KEPT_MS;
  expect(await (await requests.answer(request("k"), perform("second"))).text()).toBe("second");
  await expect(requests.answer(request("long"), notAgain)).rejects.toThrow("still running");
  late.resolve();
  await running;
  now = 2 * KEPT_MS - 1;
  expect(await (await requests.answer(request("long"), notAgain)).text()).toBe("late");
  now = 2 * KEPT_MS;
  await requests.answer(request("new", "two"), perform(""));
  expect(requests.size).toBe(1);
});

Deno.test("there is room for so many keys of a caller, and then more are refused", async () => {
  using requests = new IdempotentRequests();
  for (let at = 0; at < 20_000; at++) await requests.answer(request(`${at}`), perform(""));
  await expect(requests.answer(request("more"), notAgain)).rejects.toThrow("Too many keys");
  expect((await requests.answer(request("0"), notAgain)).headers.get(REPLAYED)).toBe("true");
  await requests.answer(request("0", "two"), perform(""));
  await requests.answer(request("refused", "two", false), perform(""));
  expect(requests.size).toBe(20_001);
});

Deno.test("answers of a caller have 16 MiB, and the oldest make room for new ones", async () => {
  using requests = new IdempotentRequests();
  const text = "a".repeat(1024 * 1024);
  for (let at = 0; at < 17; at++) await requests.answer(request(`${at}`), perform(text));
  await expect(requests.answer(request("0"), notAgain)).rejects.toThrow("carried out");
  for (const key of ["1", "16"]) {
    expect(await (await requests.answer(request(key), notAgain)).text()).toHaveLength(text.length);
  }
});
