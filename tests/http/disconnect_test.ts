/** Clients that go away, over real sockets. */

import { expect } from "expect";
import type { Context } from "../../src/features/context.ts";
import { doing } from "../support/sample_operations.ts";
import { serveApp, type Served, testApp } from "../support/client.ts";

const DO = "/api/sample/do";

Deno.test("context.signal aborts when the client goes away while the handler runs", async () => {
  const started = Promise.withResolvers<Context>();
  const ended = Promise.withResolvers<unknown>();
  const operation = doing((context) => {
    const gone = aborted(context.signal);
    started.resolve(context);
    return gone.then(() => ended.resolve(context.signal.reason)).then(() => {
      throw new Error("nobody is there to be told");
    });
  });
  const app = testApp({ operations: [operation] });
  const server = serveApp(app);
  const client = await connect(server);
  await started.promise;
  client.close();
  expect(String(await ended.promise)).toContain("AbortError");
  await server[Symbol.asyncDispose](); // now the handler's error has been dealt with
  expect(app.logged).toEqual([]);
});

Deno.test("context.signal is aborted when it is asked for after the client has gone", async () => {
  const started = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const outcome = Promise.withResolvers<boolean>();
  const operation = doing(async (context) => {
    started.resolve();
    await gone.promise;
    outcome.resolve(context.signal.aborted);
  });
  const app = testApp({ operations: [operation] });
  await using server = serveApp({
    fetch: (request) => {
      aborted(request.signal).then(gone.resolve);
      return app.fetch(request);
    },
  });
  const client = await connect(server);
  await started.promise;
  client.close();
  expect(await outcome.promise).toBe(true);
});

Deno.test("context.signal does not abort after the answer", async () => {
  const signals: AbortSignal[] = [];
  let native: AbortSignal | undefined;
  const app = testApp({ operations: [doing((context) => void signals.push(context.signal))] });
  const spied = {
    fetch: (request: Request) => {
      native = request.signal;
      return app.fetch(request);
    },
  };
  const server = serveApp(spied);
  const headers = { "content-type": "application/json" };
  const response = await fetch(server.url + DO, { method: "POST", headers, body: "{}" });
  expect(response.status).toBe(204);
  // when the server has shut down, every connection has ended
  await server[Symbol.asyncDispose]();
  expect(native).toBeDefined();
  expect(signals.map((signal) => signal.aborted)).toEqual([false]);
});

async function connect(server: Served): Promise<Deno.Conn> {
  const client = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  const head = `POST ${DO} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  await client.write(new TextEncoder().encode(`${head}Content-Length: 2\r\n\r\n{}`));
  return client;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}
