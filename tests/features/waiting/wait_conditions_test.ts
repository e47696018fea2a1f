/** display/wait: conditions that there are not, and several at once. */

import { expect } from "expect";
import { testApp } from "../../support/client.ts";

const PIXEL = { x: 1, y: 1, rgb: [0, 0, 0] };
const ONE = {
  loc: ["body", "until"],
  msg:
    "Input should have exactly one of the fields 'pixel', 'image', 'file', 'process', 'element', 'text', 'window' or 'gone'",
  type: "value_error",
};

Deno.test("an unknown condition and several at once are errors of the field that has them", async () => {
  const app = testApp();
  const wrong = [
    {},
    { shape: "Save" },
    { form: { title: "x" } },
    { pixel: PIXEL, file: { path: "/tmp" } },
    { pixel: PIXEL, file: 5 },
    { image: "a.png", process: { pid: 1 } },
    { file: { path: "/tmp" }, process: { pid: 1 }, pixel: {} },
    { text: "Save", pixel: PIXEL, process: null },
  ];
  for (const until of wrong) {
    const { status, json } = await app.post("/api/display/wait", { until, timeout_ms: 0 });
    expect([until, status, json.detail]).toEqual([until, 422, [ONE]]);
  }
});

Deno.test("an error within the one condition is told where it is, and other fields can be ignored", async () => {
  const app = testApp({ config: { ignoreUnknownFields: true } });
  const faulty: readonly [unknown, readonly (string | number)[]][] = [
    [{ pixel: { ...PIXEL, x: "1" } }, ["pixel", "x"]],
    [{ file: { state: "gone" } }, ["file", "path"]],
    [{ process: 3, shape: "x" }, ["process"]],
    [{ process: { pid: 1, name: "x" } }, ["process"]],
    [{ gone: { process: { pid: 1, name: "x" } } }, ["gone", "process"]],
    [{ gone: { process: {} } }, ["gone", "process"]],
    [{ image: 3 }, ["image"]],
  ];
  for (const [until, path] of faulty) {
    const { status, json } = await app.post("/api/display/wait", { until, timeout_ms: 0 });
    expect([status, json.detail.map(({ loc }: { loc: unknown }) => loc)])
      .toEqual([422, [["body", "until", ...path]]]);
  }
  const until = { file: { path: "/proc/self/status" }, shape: "x" };
  const { status, headers, json } = await app.post("/api/display/wait", { until });
  expect([status, headers.get("x-ignored-fields"), json.status]).toEqual([
    200,
    "until.shape",
    "found",
  ]);
});

Deno.test("a batch refuses several conditions at once in the same words", async () => {
  const app = testApp();
  const until = { pixel: PIXEL, file: { path: "/tmp" } };
  const steps = [{ operation: "display.wait", input: { until } }];
  const { status, json } = await app.post("/api/batch", { steps });
  const loc = ["body", "steps", 0, "input", "until"];
  expect([status, json.detail]).toEqual([422, [{ ...ONE, loc }]]);
});
