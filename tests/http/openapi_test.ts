/** The OpenAPI document: valid, complete, with an example that fits for each operation, and the same as the file in the repository. */

import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect } from "expect";
import { Validator } from "openapi-schema-validator";
import { EXAMPLES } from "../../src/features/examples.ts";
import { allOperations } from "../../src/features/mod.ts";
import { listAnswers, type Operation } from "../../src/features/operation.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { OPENAPI_FILE, openApiText } from "../../tools/openapi.ts";
import { testApp } from "../support/client.ts";

Deno.test("openapi.json is what the operations say: run `deno task openapi`", async () => {
  expect(await Deno.readTextFile(OPENAPI_FILE)).toBe(await openApiText());
});

Deno.test("openapi document is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate(JSON.parse(await openApiText()));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

Deno.test("openapi document passes the linter's recommended rules", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({
    source: await openApiText(),
    absoluteRef: "/openapi.json",
    config,
  });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]))
    .toEqual([]);
});

Deno.test("openapi document declares every outcome of a picture, and what any operation can answer", async () => {
  const { paths } = JSON.parse(await openApiText());
  const { responses } = paths["/api/display/screenshot"].get;
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "204", "304"]));
  expect(Object.keys(responses["200"].headers)).toEqual(
    expect.arrayContaining(["ETag", "X-Frame", "X-Region", "X-Changes", "X-Display", "X-Scale"]),
  );
  for (
    const path of Object.values(paths) as Record<
      string,
      { responses: object; requestBody?: object }
    >[]
  ) {
    for (const operation of Object.values(path)) {
      const statuses = [
        "403",
        "500",
        "503",
        ...(operation.requestBody ? ["408", "413", "422"] : []),
      ];
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(statuses));
    }
  }
});

/** How fragments begin: what a description says must be a sentence of its own. */
const FRAGMENT = /^(Whether|How|Where|What|Which|Why|Of|In|By|Name|Path|Number|Seconds|Taken)\b/;

Deno.test("openapi document describes everything in whole sentences", async () => {
  const descriptions = descriptionsIn(JSON.parse(await openApiText()));
  expect(descriptions.length).toBeGreaterThan(300);
  const wrong = descriptions.filter((text) =>
    FRAGMENT.test(text) || !/^[A-Z`0-9].*\.$/.test(text) || text.split(" ").length < 3
  );
  expect(wrong).toEqual([]);
});

function descriptionsIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "description" && typeof value === "string" ? [value] : descriptionsIn(value)
  );
}

Deno.test("openapi document names version, operations and the validation error", async () => {
  const document = JSON.parse(await openApiText());
  expect(document.openapi).toBe("3.1.0");
  expect(document.info.version).toBe("0.1.0");
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, { operationId: string }>).map((one) => one.operationId)
  );
  expect(ids.sort()).toEqual(operations.map((one) => one.id).sort());
  expect(document.components.schemas.ValidationError.required).toEqual(["loc", "msg", "type"]);
});

Deno.test("openapi document has no reference that leads nowhere", async () => {
  const text = await openApiText();
  const { schemas } = JSON.parse(text).components;
  const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]!);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
  expect(text).not.toContain("#/$defs");
});

Deno.test("openapi document is served with and without the computer's name", async () => {
  const app = testApp();
  const plain = await app.send("GET", "/openapi.json");
  expect(plain.status).toBe(200);
  expect(plain.headers.get("content-type")).toContain("application/json");
  expect(plain.json.servers).toEqual([{ url: "/" }]);
  const named = await app.send("GET", "/desk%201/openapi.json");
  expect(named.json.servers).toEqual([{ url: "/desk%201" }]);
  const missing = Object.keys(plain.json.paths).filter((path) => !(path in named.json.paths));
  expect(missing).toEqual(["/healthz", "/readyz", "/metrics"]);
});

Deno.test("openapi document lets other requests through while it is made, and is made once", async () => {
  const app = testApp();
  const first = await countTurns(() => app.send("GET", "/openapi.json"));
  const second = await countTurns(() => app.send("GET", "/openapi.json"));
  expect(first.turns).toBeGreaterThan(10);
  expect(second.turns).toBeLessThan(10);
  expect(second.result.text).toBe(first.result.text);
});

/** How often others had their turn meanwhile. */
async function countTurns<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0;
  const timer = setInterval(() => turns++);
  const result = await work();
  clearInterval(timer);
  return { turns, result };
}

const operations = await allOperations(DEFAULT_LIMITS);

for (const operation of operations) {
  Deno.test(`openapi document has an example of ${operation.id}, and it fits the schemas`, () => {
    const example = EXAMPLES[operation.id] ?? expectExample(operation);
    const { params, query, body } = operation;
    expectFit(params, example.params, Object.keys(params?.shape ?? {}));
    expectFit(query, example.query, []);
    expectFit(body, example.body, firstOf(body));
    const good = listAnswers(operation.answer).find(({ status }) => status === 200);
    if (good === undefined || !("schema" in good)) expect(example.answer).toBeUndefined();
    else expect(good.schema.parse(example.answer)).toEqual(example.answer);
  });
}

/** The first field, where there is one besides the desk. */
function firstOf(body: Operation["body"]): string[] {
  return Object.keys(body?.shape ?? {}).filter((name) => name !== "desk").slice(0, 1);
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

Deno.test("openapi document shows the examples where generators and the docs page look", async () => {
  const { paths } = JSON.parse(await openApiText());
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

Deno.test("openapi document says that requests take no other fields", async () => {
  const { schemas } = JSON.parse(await openApiText()).components;
  const { steps, then_screenshot } = schemas.RunBatchRequest.properties;
  for (const schema of [schemas.RunBatchRequest, steps.items, then_screenshot]) {
    expect(schema.additionalProperties).toBe(false);
  }
  expect(steps.items.properties.input).toMatchObject({ type: "object" });
  expect(schemas.MoveMouseRequest.additionalProperties).toBe(false);
  expect(schemas.DragMouseRequest.properties.path.items.additionalProperties).toBe(false);
  expect(schemas.InputEffect).not.toHaveProperty("additionalProperties");
});

Deno.test("openapi document bounds the integers of requests by what a number can hold", async () => {
  const { schemas } = JSON.parse(await openApiText()).components;
  const { offset } = schemas.ReadFileRequest.properties;
  expect(offset).toMatchObject({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
  expect(JSON.stringify(schemas)).not.toContain("The the");
});

Deno.test("openapi document of a service that ignores unknown fields allows them, but in a batch", async () => {
  const app = testApp({ config: { ignoreUnknownFields: true } });
  const { paths, components } = (await app.send("GET", "/openapi.json")).json;
  expect(components.schemas.MoveMouseRequest).not.toHaveProperty("additionalProperties");
  expect(components.schemas.RunBatchRequest.additionalProperties).toBe(false);
  const { headers } = paths["/api/mouse/move"].post.responses[204];
  expect(headers).toHaveProperty("X-Ignored-Fields");
});
