/** Every error says its code and the id of its request, whoever refuses the request. */

import { expect } from "expect";
import { MEANINGS, STATUS } from "../../src/core/errors.ts";
import { createWaitingApp } from "../../src/http/app.ts";
import { type Received, received, testApp, testConfig } from "../support/client.ts";
import { doing } from "../support/sample_operations.ts";

const JSON_BODY = { "content-type": "application/json" };
const FOREIGN = { host: "elsewhere.example" };

function check({ status, headers, json }: Received, code: keyof typeof STATUS): void {
  expect(json).toEqual({
    detail: expect.anything(),
    code,
    request_id: headers.get("x-request-id"),
  });
  expect(status).toBe(STATUS[code]);
}

const app = testApp({
  config: {
    disabled: new Set(["bash"]),
    name: "desk-1",
    limits: { ...testConfig().limits, maxBodyBytes: 100 },
  },
});
const POST = (path: string, body: string, headers = {}) =>
  app.send("POST", path, { headers: { ...JSON_BODY, ...headers }, body });

for (
  const [what, code, ask] of [
    ["a foreign host", "forbidden", () => app.send("GET", "/healthz", { headers: FOREIGN })],
    ["an unknown address", "not_found", () => app.send("GET", "/nothing")],
    ["another computer", "not_found", () => app.send("GET", "/desk-2/api/system/info")],
    ["another method", "method_not_allowed", () => app.send("GET", "/api/mouse/move")],
    ["another method of a page", "method_not_allowed", () => POST("/docs", "{}")],
    ["another method of MCP", "method_not_allowed", () => app.send("GET", "/mcp")],
    ["a group that is switched off", "forbidden", () => POST("/api/bash/restart", "{}")],
    ["a body that is too large", "too_large", () => POST("/api/mouse/move", "x".repeat(101))],
    ["a body that is no JSON", "invalid", () => POST("/api/mouse/move", "{")],
    ["a missing field", "invalid", () => POST("/api/mouse/move", "{}")],
    ["an unknown field", "invalid", () => app.send("GET", "/api/display/list?a=1")],
  ] as const
) {
  Deno.test(`the answer to ${what} has the code "${code}" and the id of the request`, async () => {
    check(await ask(), code);
  });
}

Deno.test("a bug of the service has its code and the id under which the log has it", async () => {
  const broken = testApp({
    operations: [doing(() => {
      throw new Error("secret");
    })],
  });
  const answer = await broken.post("/api/sample/do", {}, { "x-request-id": "mine-1" });
  check(answer, "internal");
  expect(answer.json.request_id).toBe("mine-1");
  expect(answer.text).not.toContain("secret");
});

Deno.test("a request without the token has its code, and so has one during the start", async () => {
  const closed = testApp({ config: { token: "t" } });
  check(await closed.send("GET", "/api/display/list"), "unauthorized");
  const { fetch } = createWaitingApp(testConfig());
  const headers = { host: "localhost" };
  const request = new Request("http://localhost/api/display/list", { headers });
  check(await received(await fetch(request)), "unavailable");
});

Deno.test("an unknown address is answered with the operation that it resembles", async () => {
  const open = testApp();
  const cases = [
    ["/api/mouse/clik", "POST /api/mouse/click"],
    ["/api/mouse/left_click", "POST /api/mouse/left-click"],
    ["/mouse/move", "POST /api/mouse/move"],
    ["/api/screenshot", "GET /api/display/screenshot"],
    ["/desk-1/api/display/screensize", "GET /api/display/screen_size"],
  ] as const;
  for (const [path, nearest] of cases) {
    const { status, json } = await open.post(path, {});
    expect([path, status]).toEqual([path, 404]);
    expect(json.detail).toContain(`did you mean "${nearest}"?`);
  }
  for (const path of ["/nothing/at/all", `/api/${"x".repeat(10_000)}`]) {
    const { json } = await open.send("GET", path);
    expect(json.detail).not.toContain("did you mean");
    expect(json.detail.length).toBeLessThan(300);
  }
});

Deno.test("docs/errors.md has every code with its status and meaning", async () => {
  const text = await Deno.readTextFile(new URL("../../docs/errors.md", import.meta.url));
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| (.*?) +\|$/gm)]
    .map(([, code, status, meaning]) => [code, Number(status), meaning]);
  expect(rows).toEqual(
    Object.entries(MEANINGS).map((
      [code, meaning],
    ) => [code, STATUS[code as keyof typeof STATUS], meaning]),
  );
});
