/** `/mcp` on the real server: long calls, streams that wait, and the end of the service. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { connectionLimits, startServer } from "../../src/http/connections/server.ts";
import type { OpenMcp } from "../../src/http/mcp_route.ts";
import { testApp } from "../support/client.ts";
import { legacyMessage, type McpMessage, modernMessage } from "../support/mcp.ts";

/** Shorter than the calls below take. */
const LIMITS = { ...DEFAULT_LIMITS, idleTimeoutMs: 100, headerTimeoutMs: 100, writeTimeoutMs: 100 };

function listen(ending = new AbortController().signal) {
  const openMcp: OpenMcp = async (source) => {
    const { openMcp } = await import("../../src/mcp/server.ts");
    return openMcp(source, ending);
  };
  const app = testApp({ openMcp });
  const limits = connectionLimits(LIMITS, 1_024);
  return startServer({ hostname: "127.0.0.1", port: 0, limits }, app.fetch);
}

function post(port: number, { headers, body }: McpMessage): Promise<Response> {
  const sent = { method: "POST", headers, body: JSON.stringify(body) };
  return fetch(`http://127.0.0.1:${port}/mcp`, sent);
}

Deno.test("a call that takes longer than idle connections may stay is answered in both eras", async () => {
  const server = listen();
  const params = { name: "wait", arguments: { duration: 1 } };
  for (const message of [modernMessage, legacyMessage]) {
    const response = await post(server.port, message("tools/call", params));
    expect(await response.text()).toContain("Waited 1 s.");
  }
  await server.shutdown();
});

Deno.test("a stream that waits for changes stays open, and ends when the service stops", async () => {
  const ending = new AbortController();
  const server = listen(ending.signal);
  const message = modernMessage("subscriptions/listen", { notifications: {} });
  const response = await post(server.port, message);
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const reader = response.body!.getReader();
  expect((await reader.read()).done).toBe(false); // it is acknowledged
  const other = await post(server.port, modernMessage("tools/list"));
  expect(other.status).toBe(200);
  await other.body?.cancel();
  ending.abort();
  while (!(await reader.read()).done);
  await server.shutdown();
});

Deno.test("a call that the client leaves is aborted, though its request came in pieces", async () => {
  const server = listen();
  const { headers, body } = modernMessage("tools/call", {
    name: "wait",
    arguments: { duration: 300 },
  });
  const text = JSON.stringify(body);
  const head = Object.entries({ ...headers, "content-length": String(text.length) })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const client = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  const encoder = new TextEncoder();
  await client.write(encoder.encode(`POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n`));
  await client.write(encoder.encode(text));
  const ask = async () => (await post(server.port, modernMessage("server/discover"))).text();
  await ask(); // the call has begun before this is answered
  client.close();
  await server.shutdown(); // would take five minutes
});
