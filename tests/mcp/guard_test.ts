/** What stands before `/mcp`: host, origin, token, name, sizes; and messages that contradict themselves. */

import { expect } from "expect";
import type { Config } from "../../src/config/config.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { type TestApp, testApp } from "../support/client.ts";
import { JSON_HEADERS, LEGACY, legacyMessage, modernMessage } from "../support/mcp.ts";

const LIST = modernMessage("tools/list");

function post(
  app: TestApp,
  { headers = {}, body = LIST.body, path = "/mcp" }: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly path?: string;
  } = {},
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return app.send("POST", path, { headers: { ...LIST.headers, ...headers }, body: text });
}

const GUARDED: readonly [string, Record<string, string>, number, Partial<Config>?][] = [
  ["its own host", { host: "127.0.0.1:4242" }, 200],
  ["a foreign host", { host: "evil.example" }, 403],
  [
    "a rebound host with its own origin",
    { host: "evil.example", origin: "http://evil.example" },
    403,
  ],
  ["a foreign origin", { origin: "https://evil.example" }, 403],
  ["the origin of a file", { origin: "null" }, 403],
  ["its own origin", { host: "localhost:4242", origin: "http://localhost:4242" }, 200],
  ["another site without an origin", { "sec-fetch-site": "cross-site" }, 403],
  ["an allowed origin", { origin: "https://ok.example" }, 200, {
    allowOrigins: ["https://ok.example"],
  }],
  ["no token", {}, 401, { token: "secret" }],
  ["a wrong token", { authorization: "Bearer Secret" }, 401, { token: "secret" }],
  ["the token", { authorization: "Bearer secret" }, 200, { token: "secret" }],
];

for (const [what, headers, status, config = {}] of GUARDED) {
  Deno.test(`/mcp answers ${status} to ${what}`, async () => {
    const app = testApp({ config });
    for (const path of ["/mcp", "/desk-1/mcp"]) {
      const answer = await post(app, { headers, path });
      expect([path, answer.status]).toEqual([path, status]);
      const opened = answer.headers.get("access-control-allow-origin");
      expect(opened).toBe(status === 200 && config.allowOrigins ? headers["origin"]! : null);
    }
  });
}

Deno.test("/mcp is served under the computer's own name and no other", async () => {
  const app = testApp({ config: { name: "desk-1" } });
  expect((await post(app, { path: "/desk-1/mcp" })).status).toBe(200);
  expect((await post(app, { path: "/mcp" })).status).toBe(200);
  const other = await post(app, { path: "/desk-2/mcp" });
  expect([other.status, other.text]).toEqual([404, expect.stringContaining("desk-1")]);
});

Deno.test("a page of an allowed origin may send the headers of the protocol", async () => {
  const app = testApp({ config: { allowOrigins: ["https://ok.example"] } });
  const ask = (origin: string) =>
    app.send("OPTIONS", "/mcp", {
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "mcp-method,mcp-name,mcp-protocol-version",
      },
    });
  const allowed = (await ask("https://ok.example")).headers.get("access-control-allow-headers");
  for (const name of ["mcp-method", "mcp-name", "mcp-protocol-version", "authorization"]) {
    expect(allowed).toContain(name);
  }
  expect((await ask("https://evil.example")).status).toBe(403);
});

Deno.test("/mcp takes POST only", async () => {
  const app = testApp();
  for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
    const answer = await app.send(method, "/mcp", { headers: { accept: "text/event-stream" } });
    expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "POST"]);
  }
});

Deno.test("headers that contradict the body are refused", async () => {
  const app = testApp();
  const call = modernMessage("tools/call", { name: "wait", arguments: { duration: 0 } });
  const wrong: readonly Record<string, string>[] = [
    { "mcp-name": "bash" },
    { "mcp-method": "tools/list" },
    { "mcp-protocol-version": LEGACY },
  ];
  for (const headers of wrong) {
    const answer = await post(app, { headers: { ...call.headers, ...headers }, body: call.body });
    expect([headers, answer.status, answer.json.error.code]).toEqual([headers, 400, -32020]);
  }
  const right = await post(app, { headers: call.headers, body: call.body });
  expect(right.status).toBe(200);
});

Deno.test("what is no JSON, no object or a batch is refused in the words of JSON-RPC", async () => {
  const app = testApp();
  const ping = legacyMessage("ping").body;
  const bodies: readonly [unknown, number, number][] = [
    ["{", 400, -32700],
    ["", 400, -32700],
    ["null", 400, -32700],
    ['"text"', 400, -32600],
    [[ping, ping], 400, -32600],
    [[], 400, -32600],
  ];
  for (const [body, status, code] of bodies) {
    const { headers } = legacyMessage("ping");
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await app.send("POST", "/mcp", { headers, body: sent });
    expect([body, answer.status, answer.json.error?.code]).toEqual([body, status, code]);
  }
  const typed = await post(app, { headers: { "content-type": "text/plain" } });
  expect(typed.status).toBe(415);
});

Deno.test("large bodies stay within the limits of every operation", async () => {
  const app = testApp({ config: { limits: { ...DEFAULT_LIMITS, maxBodyBytes: 100_000 } } });
  const args = (text: string) => modernMessage("tools/call", { name: "type", arguments: { text } });
  const large = args("x".repeat(100_000));
  expect((await post(app, { headers: large.headers, body: large.body })).status).toBe(413);
  const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  expect((await post(app, { body: `{"jsonrpc":"2.0","x":${deep}}` })).status).toBe(400);
  const many = `{"jsonrpc":"2.0","x":[${"1,".repeat(20_000)}1]}`;
  expect((await post(app, { body: many })).status).toBe(400);
});

Deno.test("an unknown method, a missing envelope and an old version have answers of their own", async () => {
  const app = testApp();
  const unknown = modernMessage("tools/none");
  const answer = await post(app, { headers: unknown.headers, body: unknown.body });
  expect([answer.status, answer.json.error.code]).toEqual([404, -32601]);
  const hello = {
    jsonrpc: "2.0",
    id: 7,
    method: "initialize",
    params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };
  const old = await app.send("POST", "/mcp", {
    headers: JSON_HEADERS,
    body: JSON.stringify(hello),
  });
  expect(old.status).toBe(200);
  expect(old.headers.get("mcp-session-id")).toBe(null);
  expect(old.text).toContain(`"protocolVersion":"${LEGACY}"`);
});
