/** What a batch checks before anything runs. */

import { expect } from "expect";
import { testApp, type TestAppOptions } from "../../support/client.ts";

const click = { operation: "mouse.left-click", input: { x: 3, y: 4 } };

function setUp(options: TestAppOptions = {}) {
  const app = testApp(options);
  return { app, sent: app.platform.screen().fake.sent };
}

const TURNS: Readonly<Record<string, object>> = {
  anthropic: { content: [] },
  openai: { output: [] },
  gemini: { parts: [] },
  "ui-tars": { text: "Action: wait()" },
  qwen: { message: {} },
};

const refusals: [string, object, unknown[], string][] = [
  ["no steps", { steps: [] }, ["body", "steps"], "too_short"],
  ["10,000 steps", { steps: Array(10_000).fill(click) }, ["body", 110_001], "json_invalid"],
  ["3,000 steps", { steps: Array(3_000).fill({ operation: "?" }) }, ["body", "steps"], "too_long"],
  ["101 steps", { steps: Array(101).fill(click) }, ["body", "steps"], "too_long"],
  ["no list", { steps: click }, ["body", "steps"], "list_type"],
  ["a step that is no object", { steps: ["mouse.move"] }, ["body", "steps", 0], "dict_type"],
  ["a step without a name", { steps: [{}] }, ["body", "steps", 0, "operation"], "missing"],
  [
    "an unknown operation",
    { steps: [click, { operation: "mouse.lick" }] },
    ["body", "steps", 1, "operation"],
    "value_error",
  ],
  ...["anthropic", "openai", "gemini", "ui-tars", "qwen"].map((vendor) =>
    [
      `the turn of a model by ${vendor}`,
      { steps: [{ operation: `agents.${vendor}`, input: TURNS[vendor] }] },
      ["body", "steps", 0, "operation"],
      "value_error",
    ] as [string, object, unknown[], string]
  ),
  [
    "a batch in a batch",
    { steps: [click, { operation: "batch", input: { steps: [click] } }] },
    ["body", "steps", 1, "operation"],
    "value_error",
  ],
  [
    "wrong arguments in step 7",
    { steps: [...Array(7).fill(click), { operation: "mouse.move", input: { x: 1, y: "2" } }] },
    ["body", "steps", 7, "input", "y"],
    "int_type",
  ],
  [
    "an unknown field of a step's operation",
    { steps: [{ ...click, input: { x: 3, y: 4, clicks: 3 } }] },
    ["body", "steps", 0, "input", "clicks"],
    "extra_forbidden",
  ],
  [
    "an unknown field of a step",
    { steps: [click, { ...click, wait: 3 }] },
    ["body", "steps", 1, "wait"],
    "extra_forbidden",
  ],
  [
    "an unknown field of the batch",
    { steps: [click], screenshot: {} },
    ["body", "screenshot"],
    "extra_forbidden",
  ],
  [
    "an unknown field of the picture",
    { steps: [click], then_screenshot: { size: 3 } },
    ["body", "then_screenshot", "size"],
    "extra_forbidden",
  ],
  [
    "a wrong field of the picture",
    { steps: [click], then_screenshot: { quality: 101 } },
    ["body", "then_screenshot", "quality"],
    "less_than_equal",
  ],
  [
    "an input that is no object",
    { steps: [{ operation: "mouse.move", input: [1, 2] }] },
    ["body", "steps", 0, "input"],
    "model_attributes_type",
  ],
  [
    "a reserved name",
    JSON.parse('{"steps":[{"operation":"mouse.move","input":{"x":1,"y":2,"__proto__":{"z":1}}}]}'),
    ["body", "steps", 0, "input", "__proto__"],
    "extra_forbidden",
  ],
];

for (const [what, body, loc, type] of refusals) {
  Deno.test(`a batch with ${what} is refused, and nothing runs`, async () => {
    const { app, sent } = setUp();
    const { status, json } = await app.post("/api/batch", body);
    expect(status).toBe(422);
    expect(json.detail).toContainEqual({ loc, msg: expect.any(String), type });
    expect(sent).toEqual([]);
  });
}

Deno.test("a batch lists the errors of all steps", async () => {
  const { app } = setUp();
  const wrong = { operation: "mouse.move", input: { x: 1 } };
  const { json } = await app.post("/api/batch", {
    steps: [wrong, click, wrong, { operation: "?" }],
  });
  expect(json.detail.map(({ loc }: { loc: unknown[] }) => loc.join("."))).toEqual([
    "body.steps.0.input.y",
    "body.steps.2.input.y",
    "body.steps.3.operation",
  ]);
});

Deno.test("a batch with a step that is switched off is refused as a whole", async () => {
  const steps = [{ operation: "mouse.position" }, click];
  for (const config of [{ disabled: new Set(["mouse"]) }, { readOnly: true }] as const) {
    const { app, sent } = setUp({ config: config as TestAppOptions["config"] & object });
    const { status, json } = await app.post("/api/batch", { steps });
    expect(status).toBe(403);
    expect(json.detail).toMatch(/^No step was run: step \d \("mouse\.[a-z-]+"\): .*--/);
    expect(sent).toEqual([]);
  }
});

Deno.test("a batch that only reads is allowed with --read-only", async () => {
  const { app } = setUp({ config: { readOnly: true } });
  const body = { steps: [{ operation: "mouse.position" }], then_screenshot: {} };
  expect((await app.post("/api/batch", body)).json).toMatchObject({ status: "completed" });
});

Deno.test("--disable batch switches the batch off", async () => {
  const { app } = setUp({ config: { disabled: new Set(["batch"]) } });
  expect((await app.post("/api/batch", { steps: [click] })).status).toBe(403);
});
