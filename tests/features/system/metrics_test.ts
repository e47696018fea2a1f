/** `/metrics`: what is counted, by which labels, and who may read it. */

import { expect } from "expect";
import { ServiceError } from "../../../src/core/errors.ts";
import { BOUNDS_MS, Timings } from "../../../src/features/figures.ts";
import { systemOperations } from "../../../src/features/system/operations.ts";
import { batchOperations } from "../../../src/features/batch/operations.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { type TestApp, testApp } from "../../support/client.ts";
import { doing } from "../../support/sample_operations.ts";
import { bearer, tokenApp } from "../../support/tokens.ts";
import { waitFor } from "../../support/wait.ts";

const TYPE = "text/plain; version=0.0.4; charset=utf-8";
const PREFIX = "computer_control_";

/** The samples, by what stands before their values. */
async function readMetrics(app: TestApp, headers = {}): Promise<ReadonlyMap<string, number>> {
  const answer = await app.send("GET", "/metrics", { headers });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, TYPE]);
  const lines = answer.text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => {
    const space = line.lastIndexOf(" ");
    return [line.slice(0, space).replace(PREFIX, ""), Number(line.slice(space + 1))];
  }));
}

const requestsOf = (operation: string, status: number) =>
  `http_requests_total{operation="${operation}",status="${status}"}`;

Deno.test("/metrics counts requests by operation and status, and how long they took", async () => {
  const app = testApp();
  for (let times = 0; times < 3; times++) await app.post("/api/mouse/move", { x: 1, y: 2 });
  await app.post("/desk-1/api/mouse/move", { x: "1", y: 2 });
  const metrics = await readMetrics(app);
  expect(metrics.get(requestsOf("moveMouse", 204))).toBe(3);
  expect(metrics.get(requestsOf("moveMouse", 422))).toBe(1);
  const bucket = (le: string) =>
    metrics.get(`http_requests_duration_seconds_bucket{le="${le}",operation="moveMouse"}`);
  expect([bucket("+Inf"), bucket("300")]).toEqual([4, 4]);
  expect(bucket("0.001")).toBeGreaterThanOrEqual(bucket("0.00025")!);
  expect(metrics.get('http_requests_duration_seconds_count{operation="moveMouse"}')).toBe(4);
  expect(metrics.get('http_requests_duration_seconds_sum{operation="moveMouse"}'))
    .toBeGreaterThan(0);
  const again = await readMetrics(app);
  expect(again.get(requestsOf("getMetrics", 200))).toBe(1);
  await app.session[Symbol.asyncDispose]();
});

Deno.test("/metrics counts steps of a batch and tools of MCP by name and outcome", async () => {
  let calls = 0;
  const step = doing(() => {
    if (++calls === 2) throw new ServiceError("timed_out", "It took too long");
  }, { readOnly: false });
  const operations = [step, ...batchOperations(DEFAULT_LIMITS), ...systemOperations()];
  const app = testApp({ operations });
  const steps = [{ operation: "doAnything" }, { operation: "doAnything" }];
  await app.post("/api/batch", { steps });
  const metrics = await readMetrics(app);
  const callsOf = (outcome: string) =>
    metrics.get(`calls_total{operation="doAnything",outcome="${outcome}"}`);
  expect([callsOf("ok"), callsOf("timed_out")]).toEqual([1, 1]);
  expect(metrics.get('calls_duration_seconds_count{operation="doAnything"}')).toBe(2);
  expect(metrics.get(requestsOf("runBatch", 200))).toBe(1);
  expect(metrics.has(requestsOf("doAnything", 204))).toBe(false);
  await app.session[Symbol.asyncDispose]();
});

Deno.test("/metrics says what is held, waits and is remembered, and how the process is", async () => {
  const app = testApp();
  await app.post("/api/keyboard/hold", { key: "shift" });
  await app.post("/api/mouse/down", {}, { "idempotency-key": "k" });
  await app.send("GET", "/api/display/screenshot");
  const metrics = await readMetrics(app);
  const names = ["held_keys", "held_buttons", "idempotency_keys", "pictures_total"];
  expect(names.map((name) => metrics.get(name))).toEqual([1, 1, 1, 1]);
  const idle = ["input_waiting", "pictures_in_progress", "commands_running", "commands_waiting"];
  expect(idle.map((name) => metrics.get(name))).toEqual([0, 0, 0, 0]);
  expect(metrics.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  expect(metrics.get("process_cpu_seconds_total")).toBeGreaterThan(0);
  const age = Date.now() / 1_000 - metrics.get("process_start_time_seconds")!;
  expect(age).toBeGreaterThan(0);
  expect(metrics.get(`info{version="0.1.0",system="linux"}`)).toBe(1);
  await app.session[Symbol.asyncDispose]();
});

Deno.test("/metrics says for how long the main thread was held up since the last time", async () => {
  const app = testApp();
  await readMetrics(app); // it measures from now on
  const until = performance.now() + 600;
  while (performance.now() < until);
  const lag = await waitFor(async () => {
    const value = (await readMetrics(app)).get("event_loop_lag_seconds")!;
    return value > 0 && value;
  });
  expect(lag).toBeGreaterThan(0.3);
  expect(lag).toBeLessThan(60);
  await app.session[Symbol.asyncDispose]();
});

Deno.test("whatever is asked for adds no label: addresses, keys, names of files and of callers", async () => {
  await using opened = await tokenApp(["canary-caller"]);
  const { app, tokens } = opened;
  const headers = bearer(tokens[0]!);
  for (let at = 0; at < 50; at++) {
    await app.send("GET", `/api/canary-${at}/x`, { headers });
    await app.send("GET", `/canary-name-${at}/api/filesystem/info/canary-file-${at}`, { headers });
    await app.send("GET", `/canary-page-${at}`, {});
  }
  await app.post("/api/keyboard/type", { text: "canary" }, {
    ...headers,
    "idempotency-key": "canary-key",
    "x-request-id": "canary-id",
  });
  const metrics = await readMetrics(app, headers);
  expect([...metrics.keys()].join("\n")).not.toContain("canary");
  expect(metrics.get(requestsOf("none", 404))).toBe(50);
  expect(metrics.get(requestsOf("none", 401))).toBe(50);
  expect([...metrics.keys()].filter((name) => name.startsWith("http_requests_total"))).toHaveLength(
    4,
  );
});

Deno.test("/metrics needs the scope view", async () => {
  await using opened = await tokenApp();
  const ask = async (scope: "view" | "input") => {
    const token = await opened.add(scope, { scopes: [scope] });
    return await waitFor(async () => {
      const { status } = await opened.app.send("GET", "/metrics", { headers: bearer(token) });
      return status !== 401 && status;
    });
  };
  expect([await ask("view"), await ask("input")]).toEqual([200, 403]);
  const { app } = opened;
  expect((await app.send("GET", "/metrics")).status).toBe(401);
  const token = await opened.add("named");
  const named = await waitFor(async () => {
    const { status } = await app.send("GET", "/desk-1/metrics", { headers: bearer(token) });
    return status !== 401 && status;
  });
  expect(named).toBe(404);
});

Deno.test("Timings puts each time into the first bucket that has room for it", () => {
  const timings = new Timings();
  for (const ms of [0, ...BOUNDS_MS, 1e9]) timings.add("ok", ms);
  expect([...timings.times]).toEqual([2, ...BOUNDS_MS.slice(1).map(() => 1), 1]);
  expect(timings.counts.get("ok")).toBe(BOUNDS_MS.length + 2);
});
