/** Reading bodies: size, media type, bytes, JSON. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { echoBody, echoQuery, SAMPLES } from "../support/sample_operations.ts";
import { sendRaw, serveApp, testApp } from "../support/client.ts";

const ECHO = "/api/sample/echo";
const JSON_TYPE = { "content-type": "application/json" };
const limits = { ...DEFAULT_LIMITS, maxBodyBytes: 1_000 };
const NOT_JSON = { msg: "JSON decode error", type: "json_invalid" };

for (const body of ["", "null"]) {
  Deno.test(`app answers 422 with "missing" to the body "${body}"`, async () => {
    const { status, json } = await testApp({ operations: [echoBody] }).post(ECHO, body);
    expect(status).toBe(422);
    expect(json).toMatchObject({
      detail: [{ loc: ["body"], msg: "Field required", type: "missing" }],
    });
  });
}

const BROKEN: readonly (readonly [body: string, offset: number])[] = [
  ["{", 1],
  ['{"x" 1}', 5],
  ['{"x":1}x', 7],
  ["x", 0],
  ["{'x':1}", 1],
  ['{"x":1,}', 7],
  ["NaN", 0],
  ['" at position 99 (line 1 column 2)', 34],
  [" ", 1],
];

for (const [body, offset] of BROKEN) {
  Deno.test(`app answers 422 with "json_invalid" to ${JSON.stringify(body)}`, async () => {
    const { status, json } = await testApp({ operations: [echoBody] }).post(ECHO, body);
    expect(status).toBe(422);
    expect(json).toMatchObject({ detail: [{ loc: ["body", offset], ...NOT_JSON }] });
  });
}

Deno.test('app answers 422 with "json_invalid" to a body that is not UTF-8', async () => {
  const body = new Uint8Array([...new TextEncoder().encode('{"x":1,"note":"'), 0xff, 0x22, 0x7d]);
  const { json } = await testApp({ operations: [echoBody] })
    .send("POST", ECHO, { headers: JSON_TYPE, body });
  expect(json).toMatchObject({ detail: [{ loc: ["body", 0], ...NOT_JSON }] });
});

for (
  const body of [
    "[]",
    "1",
    '"text"',
    "true",
    '[{"x":1}]',
  ]
) {
  Deno.test(`app answers 422 with "model_attributes_type" to ${body.slice(0, 20)}`, async () => {
    const { json } = await testApp({ operations: [echoBody] }).post(ECHO, body);
    const msg = "Input should be a valid dictionary or object to extract fields from";
    expect(json).toMatchObject({ detail: [{ loc: ["body"], msg, type: "model_attributes_type" }] });
  });
}

Deno.test("app takes deeply nested lists in known and unknown fields without breaking", async () => {
  const deep = "[".repeat(150) + "]".repeat(150);
  const app = testApp({ operations: [echoBody], config: { ignoreUnknownFields: true } });
  expect((await app.post(ECHO, `{"x":1,"other":${deep}}`)).status).toBe(200);
  const { status, json } = await app.post(ECHO, `{"x":1,"keys":${deep}}`);
  expect(status).toBe(422);
  expect(json.detail).toMatchObject([{ loc: ["body", "keys", 0], type: "string_type" }]);
});

for (
  const type of [
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    "application/merge-patch+json",
  ]
) {
  Deno.test(`app takes the media type "${type}"`, async () => {
    const { status } = await testApp({ operations: [echoBody] })
      .post(ECHO, { x: 1 }, { "content-type": type });
    expect(status).toBe(200);
  });
}

for (
  const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonx",
    "text/json",
    "",
  ]
) {
  Deno.test(`app answers 422 with "content_type" to the media type "${type}"`, async () => {
    const { status, json } = await testApp({ operations: [echoBody] })
      .post(ECHO, { x: 1 }, { "content-type": type });
    expect(status).toBe(422);
    expect(json.detail).toMatchObject([{ loc: ["header", "content-type"], type: "content_type" }]);
    expect(json.detail[0].msg).toContain(`not "${type}"`);
    expect(json.detail[0].msg).toContain("application/json");
  });
}

Deno.test('app answers 422 with "content_type" when there is none', async () => {
  const app = testApp({ operations: [echoBody] });
  const body = new TextEncoder().encode('{"x":1}');
  const { status, json } = await app.send("POST", ECHO, { body });
  expect(status).toBe(422);
  expect(json.detail).toMatchObject([{ loc: ["header", "content-type"], type: "content_type" }]);
});

Deno.test("app answers 413 to a declared size over the limit without reading", async () => {
  const app = testApp({ operations: [echoBody], config: { limits } });
  await using server = serveApp(app);
  const head = `POST ${ECHO} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const answer = await sendRaw(
    server.port,
    `${head}Content-Length: 1001\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(answer).toContain('{"detail":"The request body is larger than 1000 bytes",');
});

Deno.test("app answers 413 to a chunked body as soon as it is over the limit", async () => {
  const app = testApp({ operations: [echoBody], config: { limits } });
  await using server = serveApp(app);
  const head = `POST ${ECHO} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const chunk = `400\r\n${"x".repeat(1024)}\r\n`;
  // the last chunk never comes
  const answer = await sendRaw(
    server.port,
    `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
});

Deno.test("app answers 413 to 17 MiB, sent with its size or in chunks", async () => {
  const app = testApp({ operations: [echoBody] });
  await using server = serveApp(app);
  const big = new Uint8Array(17 * 1024 * 1024).fill(0x20);
  for (const body of [big, new Blob([big]).stream()]) {
    const response = await fetch(server.url + ECHO, { method: "POST", headers: JSON_TYPE, body });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      detail: "The request body is larger than 16777216 bytes",
    });
  }
});

Deno.test("app takes no memory for a declared body before it has come", async () => {
  await using server = serveApp(testApp({ operations: [echoBody] }));
  const head = `POST ${ECHO} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const declared = 16_000_000;
  const text = new TextEncoder().encode(`${head}Content-Length: ${declared}\r\n\r\n{`);
  const before = Deno.memoryUsage();
  const clients: Deno.Conn[] = [];
  for (let count = 0; count < 20; count++) {
    const client = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    await client.write(text);
    clients.push(client);
  }
  expect(
    (await fetch(server.url + ECHO, { method: "POST", headers: JSON_TYPE, body: '{"x":1}' }))
      .status,
  ).toBe(200); // all before it have been looked at
  const { rss, external } = Deno.memoryUsage();
  for (const client of clients) client.close();
  expect(Math.max(rss - before.rss, external - before.external)).toBeLessThan(4 * declared);
});

Deno.test("app takes a chunked body of exactly the limit", async () => {
  const app = testApp({ operations: [echoBody], config: { limits } });
  const text = '{"x":1}'.padEnd(1_000);
  const body = new Blob([text.slice(0, 500), text.slice(500)]).stream();
  expect((await app.send("POST", ECHO, { headers: JSON_TYPE, body })).status).toBe(200);
  const more = new Blob([text, " "]).stream();
  expect((await app.send("POST", ECHO, { headers: JSON_TYPE, body: more })).status).toBe(413);
});

Deno.test("app ignores the body and the media type of a GET", async () => {
  const app = testApp({ operations: [echoQuery] });
  await using server = serveApp(app);
  const head = "GET /api/sample/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n";
  const answer = await sendRaw(
    server.port,
    `${head}Content-Length: 3\r\nConnection: close\r\n\r\n???`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
});

Deno.test("app demands {} of an operation without fields", async () => {
  const app = testApp({ operations: SAMPLES });
  const { json } = await app.post("/api/sample/process/1/input", {});
  expect(json.detail).toMatchObject([{ loc: ["body", "text"], type: "missing" }]);
});
