/** Steps of a batch with a condition, which holds before the next step runs. */

import { expect } from "expect";
import { testFolder } from "../../support/folder.ts";
import { testApp } from "../../support/client.ts";

const click = { operation: "mouse.left-click", input: { x: 3, y: 4 } };

Deno.test("a step with a condition ends when that holds; its result has the answer of the wait", async () => {
  await using folder = await testFolder();
  const path = `${folder.path}/made`;
  const app = testApp();
  const { sent } = app.platform.screen().fake;
  const running = app.post("/api/batch", {
    steps: [{ ...click, until: { file: { path } }, timeout_ms: 30_000 }, click],
  });
  const looked = await app.post("/api/display/wait", {
    until: { file: { path } },
    timeout_ms: 100,
  });
  expect([looked.json.status, sent.filter((line) => line === "press left").length])
    .toEqual(["timeout", 1]);
  await Deno.writeTextFile(path, "");
  const { json } = await running;
  expect(json.results).toEqual([
    {
      status: "done",
      waited: { status: "found", elapsed_ms: expect.any(Number) },
      elapsed_ms: expect.any(Number),
    },
    { status: "done", elapsed_ms: expect.any(Number) },
  ]);
});

Deno.test("a step whose condition does not come has failed, and no other one runs", async () => {
  const app = testApp();
  const until = { file: { path: "/nonexistent/file" } };
  const { json } = await app.post("/api/batch", {
    steps: [{ ...click, until, timeout_ms: 50 }, click],
  });
  expect(json.status).toBe("failed");
  expect(json.results).toMatchObject([
    { status: "failed", error: { code: "timed_out", status: 504 } },
    { status: "not_run" },
  ]);
  expect(app.platform.screen().fake.sent.filter((line) => line === "press left").length).toBe(1);
});

Deno.test("a faulty condition is told with its step, and nothing runs", async () => {
  const app = testApp();
  const { status, json } = await app.post("/api/batch", {
    steps: [
      { ...click, until: { file: {} } },
      { ...click, until: "change" },
      { ...click, until: {} },
      { operation: "mouse.left-click", input: { x: "1", y: 4 }, until: { nonsense: 1 } },
      { ...click, timeout_ms: -1 },
    ],
  });
  expect([status, app.platform.screen().fake.sent]).toEqual([422, []]);
  expect(json.detail).toMatchObject([{ loc: ["body", "steps", 4, "timeout_ms"] }]);
  const { json: inside } = await app.post("/api/batch", {
    steps: [
      { ...click, until: { file: {} } },
      { ...click, until: "change" },
      { operation: "mouse.left-click", input: { x: "1", y: 4 }, until: { nonsense: 1 } },
    ],
  });
  const locs = inside.detail.map(({ loc }: { loc: unknown[] }) => loc.slice(2));
  expect(locs).toEqual([
    [0, "until", "file", "path"],
    [1, "until"],
    [2, "input", "x"],
    [2, "until"],
  ]);
});
