/** Operations answer with what they declare, and with nothing else. */

import { expect } from "expect";
import { z } from "zod";
import { FieldError, ServiceError, STATUS } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { listAnswers } from "../../src/features/operation.ts";
import { allOperations } from "../../src/features/mod.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { reportUndeclared } from "../../src/features/call/unknown_fields.ts";
import { openApiText } from "../../tools/openapi.ts";
import { testApp } from "../support/client.ts";
import { doing, echoQuery } from "../support/sample_operations.ts";

const operations = await allOperations(DEFAULT_LIMITS);
const plain = doing(() => {}, { errors: { conflict: "Something else is going on." } });

function report(error: unknown, operation = plain): string[] {
  const lines: string[] = [];
  reportUndeclared(operation, error, createLog((line) => lines.push(line.slice(25))));
  return lines;
}

Deno.test("reportUndeclared() logs the operation and the code that it does not declare", () => {
  expect(report(new ServiceError("not_found", "No")))
    .toEqual(['error undeclared error operation="doAnything" code="not_found"']);
});

Deno.test("reportUndeclared() is silent about declared errors, errors of fields and bugs", () => {
  expect(report(new ServiceError("conflict", "No"))).toEqual([]);
  expect(report(new FieldError("x", "No"))).toEqual([]);
  expect(report(new ServiceError("internal", "No"))).toEqual([]);
  expect(report(new TypeError("No"))).toEqual([]);
});

Deno.test("reportUndeclared() logs an error of a field where there is none", () => {
  const { query: _query, ...without } = echoQuery;
  expect(report(new FieldError("x", "No"), without))
    .toEqual(['error undeclared error operation="echoQuery" code="invalid"']);
});

Deno.test("a test fails when an operation answers with an error that it did not declare", async () => {
  const undeclared = doing(() => {
    throw new ServiceError("not_found", "No");
  }, { errors: {} });
  const app = testApp({ operations: [undeclared] });
  expect((await app.post("/api/sample/do", {})).status).toBe(500);
  expect(app.logged.join()).toContain("does not declare");
});

Deno.test("an answer with a name that is not declared is a bug, which is logged", async () => {
  const operation = doing(() => ({ outcome: "other" }), {
    answer: { oneOf: { known: { status: 200, description: "It is known.", schema: z.null() } } },
  });
  const app = testApp({ operations: [operation] });
  expect((await app.post("/api/sample/do", {})).status).toBe(500);
  expect(app.logged.join()).toContain('There is no answer \\"other\\"');
});

Deno.test("openapi document has the status of every outcome, with its sentence", async () => {
  const { paths } = JSON.parse(await openApiText());
  for (const { path, method, answer, errors = {} } of operations) {
    const { responses } = paths[path][method.toLowerCase()];
    const outcomes = [
      ...listAnswers(answer).map(({ status, description }) => [status, description] as const),
      ...Object.entries(errors)
        .map(([code, text]) => [STATUS[code as keyof typeof STATUS], text] as const),
    ];
    for (const [status, text] of outcomes) expect(responses[status].description).toContain(text);
  }
});
