/** What a batch runs, and what its answer says. */

import { ANYONE } from "../../../src/features/actor.ts";
import { expect } from "expect";
import { ServiceError } from "../../../src/core/errors.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { batchOperations } from "../../../src/features/batch/operations.ts";
import { testApp, type TestAppOptions } from "../../support/client.ts";
import { doing } from "../../support/sample_operations.ts";

const click = { operation: "mouse.left-click", input: { x: 3, y: 4 } };

function setUp(options: TestAppOptions = {}) {
  const app = testApp(options);
  return { app, sent: app.platform.screen().fake.sent };
}

/** An app whose steps do what a test wants, by the name `doAnything`. */
function doingApp(run: () => unknown, options: TestAppOptions = {}) {
  return testApp({ ...options, operations: [doing(run), ...batchOperations(DEFAULT_LIMITS)] });
}

Deno.test("a batch answers with the value of each step, and how long it took", async () => {
  const { app, sent } = setUp();
  const { status, json } = await app.post("/api/batch", {
    steps: [
      { operation: "mouse.move", input: { x: 3, y: 4 } },
      { operation: "mouse/position" },
      { operation: "pressKey", input: { key: "a" } },
    ],
  });
  expect(status).toBe(200);
  expect(json).toEqual({
    status: "completed",
    results: [
      { status: "done", elapsed_ms: expect.any(Number) },
      { status: "done", value: { x: 3, y: 4 }, elapsed_ms: expect.any(Number) },
      { status: "done", value: null, elapsed_ms: expect.any(Number) },
    ],
    elapsed_ms: expect.any(Number),
  });
  expect(sent).toEqual(["move 3,4", "press key a", "release key a"]);
});

Deno.test("a batch stops at the first step that fails, says why, and takes its picture", async () => {
  const { app, sent } = setUp();
  const { status, json } = await app.post("/api/batch", {
    steps: [
      { operation: "keyboard.hold", input: { key: "shift" } },
      { operation: "mouse.left-click", input: { x: 800, y: 0 } },
      click,
      click,
    ],
    then_screenshot: { max_width: 400, format: "jpeg" },
  });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    status: "failed",
    results: [
      { status: "done" },
      {
        status: "failed",
        error: {
          code: "invalid",
          status: 422,
          detail: [{ loc: ["body", "steps", 1, "input", "x"], type: "value_error" }],
        },
        elapsed_ms: expect.any(Number),
      },
      { status: "not_run" },
      { status: "not_run" },
    ],
    screenshot: { media_type: "image/jpeg", width: 400, height: 300, scale: 0.5, display_num: 1 },
  });
  expect(Uint8Array.fromBase64(json.screenshot.data).slice(0, 2)).toEqual(
    new Uint8Array([0xff, 0xd8]),
  );
  expect(sent).toEqual(["press key shift", "release key shift"]);
});

Deno.test("the frame of a batch's picture can be used by the next one", async () => {
  const { app, sent } = setUp();
  const first = await app.post("/api/batch", {
    steps: [click],
    then_screenshot: { max_width: 80 },
  });
  const { frame } = first.json.screenshot;
  sent.length = 0;
  await app.post("/api/batch", {
    steps: [{ operation: "mouse.move", input: { x: 10, y: 20, frame } }],
  });
  expect(sent).toEqual(["move 105,205"]);
});

Deno.test("a picture among the steps is a value of the answer", async () => {
  const { app } = setUp();
  const { json } = await app.post("/api/batch", {
    steps: [{ operation: "display.screenshot", input: { width: 20, height: 10, format: "webp" } }],
  });
  expect(json.results[0].value)
    .toMatchObject({ media_type: "image/webp", width: 20, height: 10, scale: 1 });
});

Deno.test("a bug in a step is a failed step, of which the log tells more", async () => {
  const app = doingApp(() => {
    throw new TypeError("secret detail");
  });
  const { status, json } = await app.post("/api/batch", { steps: [{ operation: "doAnything" }] });
  expect(status).toBe(200);
  expect(json.results[0].error).toMatchObject({ code: "internal", status: 500 });
  expect(JSON.stringify(json)).not.toContain("secret detail");
  expect(app.logged.join()).toContain("secret detail");
});

Deno.test("an error that a step does not declare fails a test here too", async () => {
  const undeclared = doing(() => {
    throw new ServiceError("not_found", "No");
  }, { errors: {} });
  const app = testApp({ operations: [undeclared, ...batchOperations(DEFAULT_LIMITS)] });
  const { status } = await app.post("/api/batch", { steps: [{ operation: "doAnything" }] });
  expect(status).toBe(500);
});

Deno.test("values beyond the bound of an answer are left out, and the steps run nevertheless", async () => {
  const { app } = setUp({ config: { limits: { ...DEFAULT_LIMITS, maxBatchBytes: 5_000 } } });
  const picture = { operation: "display.screenshot", input: { width: 100, height: 50 } };
  const large = { operation: "display.screenshot", input: { format: "jpeg", quality: 100 } };
  const { json } = await app.post("/api/batch", {
    steps: [{ operation: "mouse.position" }, large, picture, click],
    then_screenshot: { width: 10, height: 10 },
  });
  expect(json).toMatchObject({
    status: "completed",
    results: [
      { value: { x: 0, y: 0 } },
      { status: "done", value_omitted: true },
      { value: { width: 100 } },
      { status: "done" },
    ],
    screenshot: { width: 10 },
  });
  expect(json.results[1]).not.toHaveProperty("value");
});

Deno.test("the last values make room for the picture, which is left out only if it alone is too large", async () => {
  const { app } = setUp({ config: { limits: { ...DEFAULT_LIMITS, maxBatchBytes: 1_500 } } });
  const small = { operation: "display.screenshot", input: { width: 10, height: 10 } };
  const steps = Array(30).fill(small);
  const { json } = await app.post("/api/batch", {
    steps,
    then_screenshot: { width: 10, height: 10 },
  });
  const kept = json.results.map((result: object) => "value" in result);
  expect(json.screenshot.width).toBe(10);
  expect(kept[0]).toBe(true);
  expect(kept.at(-1)).toBe(false);
  const { json: other } = await app.post("/api/batch", {
    steps: [small],
    then_screenshot: { format: "jpeg", quality: 100 },
  });
  expect(other).toMatchObject({ results: [{ value: {} }], screenshot_omitted: true });
});

Deno.test("a batch gives what its steps give, up to the one that fails", async () => {
  const { app } = setUp();
  const { json } = await app.post("/api/batch", {
    steps: [
      { operation: "mouse.position" },
      { operation: "display.screenshot", input: { width: 2, height: 2 } },
      { operation: "mouse.left-click", input: { x: -1, y: 0 } },
      click,
    ],
  });
  expect(json.results).toMatchObject([
    { status: "done", value: { x: 0, y: 0 } },
    { status: "done", value: { media_type: "image/png" } },
    { status: "failed", error: { code: "invalid" } },
    { status: "not_run" },
  ]);
});

Deno.test("a batch runs nothing after its caller has gone", async () => {
  const caller = new AbortController();
  let runs = 0;
  const { callables } = doingApp(() => {
    runs++;
    caller.abort();
  });
  const steps = Array(3).fill({ operation: "doAnything" });
  const prepared = callables.prepare("batch", { steps });
  await expect(prepared.run({ actor: ANYONE, signal: caller.signal })).rejects.toThrow();
  expect(runs).toBe(1);
});
