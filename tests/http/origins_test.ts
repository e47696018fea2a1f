/** Answers to web pages: no CORS, unless an origin is named. */

import { expect } from "expect";
import { SAMPLES } from "../support/sample_operations.ts";
import { type TestApp, testApp } from "../support/client.ts";

const QUERY = "/api/sample/query";
const ORIGIN = "https://app.example";
const PREFLIGHT = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "content-type",
};

function open(token?: string): TestApp {
  const config = { allowOrigins: [ORIGIN], ...(token === undefined ? {} : { token }) };
  return testApp({ operations: SAMPLES, config });
}

Deno.test("app sends no CORS headers unless an origin is named", async () => {
  const app = testApp({ operations: SAMPLES });
  const { headers } = await app.send("GET", QUERY, { headers: { origin: "http://localhost" } });
  expect([...headers.keys()].filter((name) => /^access-control|^vary/.test(name))).toEqual([]);
  const preflight = await app.send("OPTIONS", QUERY, {
    headers: { origin: "http://localhost", ...PREFLIGHT },
  });
  expect(preflight.status).toBe(405);
});

Deno.test("app answers a preflight of a named origin, before it asks for the token", async () => {
  const { status, headers } = await open("t").send("OPTIONS", "/api/sample/echo", {
    headers: { origin: ORIGIN, ...PREFLIGHT },
  });
  expect(status).toBe(204);
  expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
  expect(headers.get("access-control-allow-methods")).toContain("DELETE");
  expect(headers.get("access-control-allow-headers")).toContain("authorization");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect(headers.get("vary")).toContain("Origin");
  expect(headers.get("x-request-id")).toMatch(/./);
});

Deno.test("app refuses a preflight of any other origin", async () => {
  for (const origin of ["https://evil.example", "null"]) {
    const answer = await open().send("OPTIONS", QUERY, { headers: { origin, ...PREFLIGHT } });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  }
});

Deno.test("app lets a named origin read answers and errors", async () => {
  for (const [path, status] of [[QUERY, 200], ["/api/nothing", 404], [`${QUERY}?num=x`, 422]]) {
    const answer = await open().send("GET", String(path), { headers: { origin: ORIGIN } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(answer.headers.get("access-control-expose-headers")).toContain("x-request-id");
    expect(answer.headers.get("vary")).toContain("Origin");
  }
});

Deno.test("app tells caches that answers differ by origin where one is named", async () => {
  const { headers } = await open().send("GET", QUERY);
  expect(headers.get("vary")).toContain("Origin");
  expect(headers.get("access-control-allow-origin")).toBeNull();
});
