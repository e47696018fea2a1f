/** Errors: what the caller is told, and what the log is told. */

import { expect } from "expect";
import { type ErrorCode, ServiceError, STATUS } from "../../src/core/errors.ts";
import { doing } from "../support/sample_operations.ts";
import { testApp } from "../support/client.ts";

const DO = "/api/sample/do";

for (const [code, status] of Object.entries(STATUS)) {
  if (code === "internal") continue;
  Deno.test(`app answers ${status} with one sentence when a feature throws "${code}"`, async () => {
    const app = testApp({
      operations: [doing(() => Promise.reject(new ServiceError(code as ErrorCode, "It is so")))],
    });
    const answer = await app.post(DO, {});
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ detail: "It is so" });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.has("retry-after")).toBe(status === 429 || status === 503);
    expect(app.logged.length).toBe(status >= 500 ? 1 : 0);
  });
}

const BUGS: readonly (readonly [name: string, thrown: () => unknown])[] = [
  ["an Error", () => new TypeError("secret detail", { cause: new Error("deeper") })],
  ["a ServiceError of ours", () => new ServiceError("internal", "secret detail")],
  ["a text", () => "secret detail"],
  ["nothing", () => undefined],
];

for (const [name, thrown] of BUGS) {
  for (const way of ["throws", "rejects with"]) {
    Deno.test(`app answers 500 without details when a handler ${way} ${name}`, async () => {
      const app = testApp({
        operations: [doing(() => {
          if (way === "throws") throw thrown();
          return Promise.reject(thrown());
        })],
      });
      const answer = await app.post(DO, {}, { "x-request-id": "req-7" });
      expect(answer.status).toBe(500);
      expect(answer.json.detail).toContain("req-7");
      expect(answer.text).not.toContain("secret");
      expect(answer.headers.get("x-request-id")).toBe("req-7");
      expect(app.logged.length).toBe(1);
      expect(app.logged[0]).toContain("req-7");
    });
  }
}

Deno.test("app logs the stack of a bug and of its cause, and neither query nor body", async () => {
  const app = testApp({
    config: { ignoreUnknownFields: true },
    operations: [doing(() => {
      throw new Error("outer", { cause: new Error("inner") });
    })],
  });
  await app.post(`${DO}?token=hunter2`, { password: "hunter3" });
  expect(app.logged[0]).toContain("outer");
  expect(app.logged[0]).toContain("inner");
  expect(app.logged[0]).toContain(`POST ${DO}`);
  expect(app.logged[0]).not.toContain("hunter");
});
