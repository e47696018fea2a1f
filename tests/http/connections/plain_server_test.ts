/** A version of Deno that cannot serve a single connection: the service runs all the same. */

import { expect } from "expect";
import { connectionLimits, startServer } from "../../../src/http/connections/server.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { createWaitingApp } from "../../../src/http/app.ts";
import { testApp, testConfig } from "../../support/client.ts";
import { SAMPLES } from "../../support/sample_operations.ts";

const internals: Record<string, unknown> = Reflect.get(
  Deno,
  Reflect.get(Deno, "internal") as symbol,
);

/** Starts a server without the function that it needs for single connections. */
function start() {
  const name = "serveHttpOnConnection";
  const { [name]: serve } = internals;
  expect(serve).toBeInstanceOf(Function);
  const warned: string[] = [];
  const app = testApp({ operations: SAMPLES, config: { token: "s3cret" } });
  delete internals[name];
  try {
    const server = startServer({
      hostname: "127.0.0.1",
      port: 0,
      limits: connectionLimits(DEFAULT_LIMITS, 1_024),
      log: { warn: (event) => void warned.push(event) },
    }, createWaitingApp(testConfig({ token: "s3cret" })).fetch);
    return { app, server, warned, url: `http://127.0.0.1:${server.port}` };
  } finally {
    internals[name] = serve;
  }
}

Deno.test("the service runs on Deno.serve where single connections cannot be served", async () => {
  const { app, server, warned, url } = start();
  expect(warned.length).toBe(1);
  expect(warned[0]).toContain("connections are not limited");
  const headers = { authorization: "Bearer s3cret", "content-type": "application/json" };
  const status = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, { headers, ...init });
    await answer.body?.cancel();
    return answer.status;
  };
  expect(await status("/api/sample/query")).toBe(503); // it is starting
  server.answerWith(app.fetch);
  expect(await status("/api/sample/query")).toBe(200);
  expect(await status("/api/sample/query", { headers: {} })).toBe(401);
  expect(await status("/api/sample/query", { headers: { ...headers, origin: "http://evil" } }))
    .toBe(403);
  expect(await status("/api/sample/echo", { method: "POST", body: "{" })).toBe(422);
  expect(await status("/healthz", { headers: {} })).toBe(200);
  await server.shutdown();
  await expect(fetch(url)).rejects.toThrow();
});
