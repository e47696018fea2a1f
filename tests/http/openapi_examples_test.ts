/** The examples of the OpenAPI document: one for every operation, and each is what the schemas say. */

import { expect } from "expect";
import { EXAMPLES } from "../../src/features/examples.ts";
import { allOperations } from "../../src/features/mod.ts";
import type { Operation } from "../../src/features/operation.ts";
import { DEFAULT_LIMITS } from "../../src/limits.ts";
import { openApiText } from "../../tools/openapi.ts";
import { testApp } from "../support/client.ts";

const operations = allOperations(DEFAULT_LIMITS);

for (const operation of operations) {
  Deno.test(`openapi document has an example of ${operation.id}, and it fits the schemas`, () => {
    const example = EXAMPLES[operation.id] ?? expectExample(operation);
    const { params, query, body } = operation;
    expectFit(params, example.params, Object.keys(params?.shape ?? {}));
    expectFit(query, example.query, []);
    expectFit(body, example.body, Object.keys(body?.shape ?? {}).slice(0, 1));
    if (!("schema" in operation.answer)) return expect(example.answer).toBeUndefined();
    expect(operation.answer.schema.parse(example.answer)).toEqual(example.answer);
  });
}

function expectExample(operation: Operation): never {
  throw new Error(`Give "${operation.id}" an example in src/features/examples.ts`);
}

/** The schema takes the example, knows all its fields, and the example shows the most important ones. */
function expectFit(schema: Operation["body"], example: object | undefined, shown: string[]): void {
  if (schema === undefined) return expect(example).toBeUndefined();
  expect(schema.parse(example ?? {})).toMatchObject(example ?? {});
  for (const field of shown) expect(Object.keys(example ?? {})).toContain(field);
}

Deno.test("no example belongs to an operation that does not exist", () => {
  const ids = new Set(operations.map(({ id }) => id));
  expect(Object.keys(EXAMPLES).filter((id) => !ids.has(id))).toEqual([]);
});

Deno.test("openapi document shows the examples where generators and the docs page look", () => {
  const { paths } = JSON.parse(openApiText());
  const json = "application/json";
  const click = paths["/api/mouse/left-click"].post;
  expect(click.requestBody.content[json].example).toEqual({ x: 200, y: 150 });
  const command = paths["/api/bash/command"].post;
  expect(command.responses["200"].content[json].example).toMatchObject({ exit_code: 0 });
  const type = paths["/api/keyboard/type"].post;
  expect(type.responses["200"].content[json]).toHaveProperty("example", null);
  const info = paths["/api/filesystem/info/{path}"].get;
  expect(info.parameters[0]).toMatchObject({ name: "path", example: "/home/ada/report.txt" });
  const shot = paths["/api/display/screenshot"].get.parameters;
  expect(shot.find(({ name }: { name: string }) => name === "quality").example).toBe(80);
});

Deno.test("a request made of an example's body is understood", async () => {
  const app = testApp();
  const body = EXAMPLES["moveMouse"]!.body!;
  expect((await app.post("/api/mouse/move", body)).status).toBe(204);
});
