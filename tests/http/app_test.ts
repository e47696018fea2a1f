/** The service from request to response: order of checks, methods, request ids, answers, and the real operations. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { doing, SAMPLES } from "../support/sample_operations.ts";
import { testApp } from "../support/client.ts";

const PROCESS = "/api/sample/process/x/input";

/** Each request has the errors of all rows below it; the first check that fails answers alone. */
const STAGES: readonly (readonly [
  stage: string,
  path: string,
  method: string,
  over: object,
  status: number,
  type?: string,
])[] = [
  ["the guard", "/nothing", "PUT", { host: "evil.example" }, 403],
  ["the route", "/api/nothing", "PUT", {}, 404],
  ["the method", PROCESS, "PUT", {}, 405],
  ["the size", PROCESS, "POST", { "content-type": "text/plain", "content-length": "1001" }, 413],
  ["the media type", PROCESS, "POST", { "content-type": "text/plain" }, 422, "content_type"],
  ["the JSON", PROCESS, "POST", { "content-type": "application/json" }, 422, "json_invalid"],
];

for (const [stage, path, method, headers, status, type] of STAGES) {
  Deno.test(`app checks ${stage} before what comes after it`, async () => {
    const limits = { ...DEFAULT_LIMITS, maxBodyBytes: 1_000 };
    const app = testApp({ operations: SAMPLES, config: { limits } });
    const answer = await app.send(method, path, { headers: { ...headers }, body: "{broken" });
    expect(answer.status).toBe(status);
    if (type !== undefined) {
      expect(answer.json.detail.map((error: { type: string }) => error.type)).toEqual([type]);
    }
  });
}

Deno.test("app checks fields before values", async () => {
  const app = testApp({ operations: SAMPLES });
  const fields = await app.post("/api/sample/refuse/x", { code: "invalid", field: "pid" });
  expect(fields.json.detail).toMatchObject([{ loc: ["path", "pid"], type: "int_parsing" }]);
  const values = await app.post("/api/sample/refuse/1", { code: "invalid", field: "pid" });
  expect(values.json.detail).toMatchObject([{ loc: ["path", "pid"], type: "value_error" }]);
});

const METHODS: readonly (readonly [method: string, path: string, allow: string])[] = [
  ["GET", "/api/sample/echo", "POST"],
  ["HEAD", "/api/sample/echo", "POST"],
  ["PUT", "/api/sample/echo", "POST"],
  ["OPTIONS", "/api/sample/echo", "POST"],
  ["PATCH", "/api/sample/query", "GET, HEAD"],
  ["POST", "/api/sample/query", "GET, HEAD"],
  ["GET", "/api/sample/process/1", "DELETE"],
  ["DELETE", "/desk/api/sample/echo", "POST"],
];

for (const [method, path, allow] of METHODS) {
  Deno.test(`app answers 405 with Allow to ${method} ${path}`, async () => {
    const answer = await testApp({ operations: SAMPLES }).send(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe(allow);
    if (method !== "HEAD") {
      expect(Object.keys(answer.json)).toEqual(["detail", "code", "request_id"]);
    }
  });
}

Deno.test("app answers HEAD where GET works, with the length and without the body", async () => {
  const app = testApp({ operations: SAMPLES });
  const get = await app.send("GET", "/api/sample/query");
  const head = await app.send("HEAD", "/api/sample/query");
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(head.headers.get("content-type")).toBe("application/json");
  expect(head.headers.get("content-length")).toBe(String(get.text.length));
});

const UNANSWERED = [
  ["an unknown address", "/api/nothing", {}],
  ["a foreign host", "/", { host: "other.example" }],
] as const;
for (const [reason, path, headers] of UNANSWERED) {
  Deno.test(`app answers HEAD of ${reason} with the length and without the body`, async () => {
    const app = testApp({ operations: SAMPLES });
    const get = await app.send("GET", path, { headers });
    const head = await app.send("HEAD", path, { headers });
    expect([head.status, head.text]).toEqual([get.status, ""]);
    expect(head.headers.get("content-length")).toBe(String(get.text.length));
  });
}

for (const id of ["abc", "A.b:c-d_9", "x".repeat(128)]) {
  Deno.test(`app keeps the request id "${id.slice(0, 10)}"`, async () => {
    const app = testApp({ operations: SAMPLES });
    for (const path of ["/api/sample/query", "/", "/docs", "/nothing"]) {
      const { headers } = await app.send("GET", path, { headers: { "x-request-id": id } });
      expect(headers.get("x-request-id")).toBe(id);
    }
  });
}

for (const id of ["", "a b", "a,b", 'a"b', "<x>", "x".repeat(129), "é"]) {
  Deno.test(`app makes an id instead of "${id.slice(0, 10)}"`, async () => {
    const app = testApp({ operations: SAMPLES });
    const first = await app.send("GET", "/api/sample/query", { headers: { "x-request-id": id } });
    const second = await app.send("GET", "/api/sample/query");
    const ids = [first, second].map(({ headers }) => headers.get("x-request-id"));
    expect(ids[0]).toMatch(/^[\w.:-]{1,128}$/);
    expect(ids[0]).not.toBe(id);
    expect(ids[0]).not.toBe(ids[1]);
  });
}

Deno.test("app sends bytes, statuses of their own, null and nothing as the operation says", async () => {
  const app = testApp({
    operations: [
      ...SAMPLES,
      doing(() => Promise.resolve()),
      doing(() => null, {
        path: "/api/sample/null",
        answer: { status: 200, description: "Done", schema: SAMPLES[0]!.body! },
      }),
    ],
  });
  const bytes = await app.fetch(
    new Request("http://localhost/api/sample/bytes", { headers: { host: "localhost" } }),
  );
  expect(bytes.headers.get("content-type")).toBe("image/png");
  expect(bytes.headers.get("x-content-type-options")).toBe("nosniff");
  expect([...await bytes.bytes()]).toEqual([1, 2, 255]);
  const status = await app.send("GET", "/api/sample/status");
  expect([status.status, status.json]).toEqual([503, { ready: false }]);
  const nothing = await app.post("/api/sample/do", {});
  expect([nothing.status, nothing.text, nothing.headers.get("content-type")]).toEqual([
    204,
    "",
    null,
  ]);
  const none = await app.post("/api/sample/null", {});
  expect([none.status, none.text]).toEqual([200, "null"]);
});

Deno.test("app refuses to start with a POST that asks for no body: a page could call it across origins", () => {
  const { body: _body, ...bare } = doing(() => undefined);
  expect(() => testApp({ operations: [bare] })).toThrow(/without a body schema/);
});

Deno.test("app moves the cursor and types with the real operations", async () => {
  const app = testApp();
  expect((await app.post("/api/mouse/move", { x: 30, y: 40 })).status).toBe(204);
  expect((await app.post("/desk-1/api/mouse/left-click", { display_num: 1 })).status).toBe(204);
  const typed = await app.post("/api/keyboard/type", { text: "hi", typing_delay: 0 });
  expect([typed.status, typed.text]).toEqual([200, "null"]);
  const { mouse, keyboard, sent } = app.platform.screen().fake;
  expect(mouse.cursor).toEqual({ x: 30, y: 40 });
  expect(keyboard.typed).toBe("hi");
  expect(sent.slice(0, 3)).toEqual(["move 30,40", "press left", "release left"]);
});

const WRONG: readonly (readonly [path: string, body: unknown, loc: unknown[], type: string])[] = [
  ["/api/keyboard/hotkey", { keys: [] }, ["body", "keys"], "too_short"],
  ["/api/keyboard/hotkey", { keys: Array(17).fill("a") }, ["body", "keys"], "too_long"],
  ["/api/keyboard/type", { text: "a".repeat(100_001) }, ["body", "text"], "string_too_long"],
  ["/api/keyboard/type", { text: "a\0" }, ["body", "text"], "value_error"],
  ["/api/keyboard/type", `{"text":"\\ud800"}`, ["body", "text"], "string_unicode"],
  ["/api/keyboard/key", { key: "a", repeat: 0 }, ["body", "repeat"], "greater_than_equal"],
  ["/api/keyboard/key", { key: "a", repeat: 101 }, ["body", "repeat"], "less_than_equal"],
  ["/api/keyboard/key", { key: "a", repeat: "2" }, ["body", "repeat"], "int_type"],
  ["/api/keyboard/key", { key: "a", repeat: 1.5 }, ["body", "repeat"], "int_from_float"],
  ["/api/keyboard/key", { key: "a", repeat: null }, ["body", "repeat"], "int_type"],
  [
    "/api/keyboard/key",
    { key: "a", duration_ms: 300_001 },
    ["body", "duration_ms"],
    "less_than_equal",
  ],
  ["/api/keyboard/hotkey", { keys: ["a"], repeat: 101 }, ["body", "repeat"], "less_than_equal"],
  ["/api/keyboard/type", { text: "a", clear: 1 }, ["body", "clear"], "bool_type"],
  ["/api/keyboard/type", { text: "a", clear: null }, ["body", "clear"], "bool_type"],
  ["/api/keyboard/key", { key: "no such key" }, ["body", "key"], "value_error"],
  ["/api/mouse/move", `{"x":1e400,"y":1}`, ["body", "x"], "finite_number"],
  ["/api/mouse/move", `{"x":9007199254740992,"y":1}`, ["body", "x"], "int_parsing_size"],
  [
    "/api/mouse/move",
    { x: 1, y: 1, display_num: -1 },
    ["body", "display_num"],
    "greater_than_equal",
  ],
];

for (const [path, body, loc, type] of WRONG) {
  Deno.test(`app answers 422 with "${type}" on ${loc.join(".")} at ${path}`, async () => {
    const app = testApp();
    const answer = await app.post(path, body);
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toMatchObject([{ loc, type }]);
    expect(app.platform.screen().fake.sent).toEqual([]);
  });
}

Deno.test("app answers 503 when display 99 does not exist", async () => {
  const { status, json } = await testApp().post("/api/mouse/move", { x: 1, y: 1, display_num: 99 });
  expect(status).toBe(503);
  expect(json.detail).toContain("Cannot open display 99");
});

Deno.test("app opens what answers at /mcp again, when it could not be opened before", async () => {
  let tries = 0;
  const openMcp = () => {
    if (++tries === 1) return Promise.reject(new ServiceError("unavailable", "no files"));
    return Promise.resolve({ answer: () => Promise.resolve(new Response("opened")) });
  };
  const app = testApp({ openMcp });
  const answers = [
    await app.post("/mcp", {}),
    await app.post("/mcp", {}),
    await app.post("/mcp", {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([503, 200, 200]);
  expect(tries).toBe(2);
});

Deno.test("app lets others have turns between requests that have waited for an operation to be loaded", async () => {
  const app = testApp();
  let answered = 0;
  const between: number[] = [];
  const timer = setInterval(() => {
    between.push(answered);
    answered = 0;
  });
  app.session.noteCall = () => {
    answered++;
    for (const end = performance.now() + 6; performance.now() < end;);
    return undefined;
  };
  const paths = Array.from({ length: 8 }, (_, at) => `/api/keyboard/held?display_num=${at}`);
  await Promise.all(paths.map((path) => app.send("GET", path)));
  clearInterval(timer);
  expect(between.reduce((sum, count) => sum + count, answered)).toBe(paths.length);
  expect(Math.max(answered, ...between)).toBeLessThanOrEqual(2);
});
