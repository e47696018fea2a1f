/** The OpenAPI document: valid, complete, and the same as the file in the repository. */

import { expect } from "expect";
import { Validator } from "openapi-schema-validator";
import { allOperations } from "../../src/features/mod.ts";
import { DEFAULT_LIMITS } from "../../src/limits.ts";
import { OPENAPI_FILE, openApiText } from "../../tools/openapi.ts";
import { testApp } from "../support/client.ts";

Deno.test("openapi.json is what the operations say: run `deno task openapi`", async () => {
  expect(await Deno.readTextFile(OPENAPI_FILE)).toBe(openApiText());
});

Deno.test("openapi document is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate(JSON.parse(openApiText()));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

Deno.test("openapi document names version, operations and the validation error", () => {
  const document = JSON.parse(openApiText());
  expect(document.openapi).toBe("3.1.0");
  expect(document.info.version).toBe("0.1.0");
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, { operationId: string }>).map((one) => one.operationId)
  );
  expect(ids.sort()).toEqual(allOperations(DEFAULT_LIMITS).map((one) => one.id).sort());
  expect(document.components.schemas.ValidationError.required).toEqual(["loc", "msg", "type"]);
});

Deno.test("openapi document has no reference that leads nowhere", () => {
  const text = openApiText();
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
  expect(plain.json.servers).toBeUndefined();
  const named = await app.send("GET", "/desk%201/openapi.json");
  expect(named.json.servers).toEqual([{ url: "/desk%201" }]);
  const missing = Object.keys(plain.json.paths).filter((path) => !(path in named.json.paths));
  expect(missing).toEqual(["/healthz", "/readyz"]);
});
