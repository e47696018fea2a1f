/** The listening socket: time limits, room for others, and what happens when accepting fails. */

import { expect } from "expect";
import { EXTRA } from "../../../src/http/connections/connections.ts";
import {
  type RunningServer,
  Server,
  type ServerOptions,
  startServer,
} from "../../../src/http/connections/server.ts";
import { findServeConnection } from "../../../src/http/connections/serve_connection.ts";
import { testApp } from "../../support/client.ts";
import { SAMPLES } from "../../support/sample_operations.ts";
import { waitFor } from "../../support/wait.ts";

const LIMITS = {
  max: 100,
  maxPerAddress: 100,
  headerMs: 60_000,
  bodyMs: 60_000,
  writeMs: 60_000,
  idleMs: 60_000,
};

type Changes = Partial<typeof LIMITS>;

interface Running extends AsyncDisposable {
  readonly server: RunningServer;
  readonly url: string;
}

function start(changes: Changes = {}, more: Partial<ServerOptions> = {}): Running {
  const app = testApp({ operations: SAMPLES });
  const limits = { ...LIMITS, ...changes };
  const server = startServer({ hostname: "127.0.0.1", port: 0, limits, ...more }, app.fetch);
  return {
    server,
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function connect({ server }: Running): Promise<Deno.TcpConn> {
  return Deno.connect({ hostname: "127.0.0.1", port: server.port });
}

async function send(connection: Deno.Conn, text: string): Promise<void> {
  await connection.write(new TextEncoder().encode(text));
}

/** All that comes until the service closes the connection. */
async function readToEnd(connection: Deno.Conn): Promise<string> {
  let text = "";
  const buffer = new Uint8Array(4_096);
  for (;;) {
    const size = await connection.read(buffer).catch(() => null);
    if (size === null) return text;
    text += new TextDecoder().decode(buffer.subarray(0, size));
  }
}

async function status(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/sample/query`, { headers: { connection: "close" } });
  await answer.body?.cancel();
  return answer.status;
}

const GET = "GET /api/sample/query HTTP/1.1\r\nHost: localhost\r\n\r\n";
const POST_HEAD = "POST /api/sample/echo HTTP/1.1\r\nHost: localhost\r\n" +
  "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n";

for (const sent of ["", "GET / HTTP/1.1\r\nHost: loc"]) {
  Deno.test(`a connection that sends ${JSON.stringify(sent)} and no more is closed`, async () => {
    await using running = start({ headerMs: 100 });
    using connection = await connect(running);
    await send(connection, sent);
    expect(await readToEnd(connection)).toBe("");
    await waitFor(() => running.server.connections === 0, {
      what: "the connection to be forgotten",
    });
  });
}

Deno.test("a connection that is idle after an answer is closed", async () => {
  await using running = start({ idleMs: 100 });
  using connection = await connect(running);
  await send(connection, GET);
  expect(await readToEnd(connection)).toMatch(/^HTTP\/1.1 200 /);
});

for (
  const [kind, head] of [
    ["Content-Length", POST_HEAD],
    ["chunks", POST_HEAD.replace("Content-Length: 1000", "Transfer-Encoding: chunked")],
  ]
) {
  Deno.test(`a body with ${kind} that does not come is answered 408, and its connection closed`, async () => {
    await using running = start({ bodyMs: 100 });
    using connection = await connect(running);
    await send(connection, `${head}`);
    const answer = await readToEnd(connection);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('{"detail":"The body of the request did not arrive within 100 ms",');
    await waitFor(() => running.server.connections === 0, {
      what: "the connection to be forgotten",
    });
  });
}

Deno.test("large bodies that do not end hold a bounded memory, and what they held is free again", async () => {
  await using running = start();
  const size = 15 * 1024 * 1024;
  const head = POST_HEAD.replace("Length: 1000", `Length: ${size + 1}`);
  const clients = await Promise.all(Array.from({ length: 20 }, () => connect(running)));
  const body = new Uint8Array(size).fill(97);
  const sending = clients.map(async (client) => {
    await send(client, head);
    try {
      for (let at = 0; at < size;) at += await client.write(body.subarray(at));
    } catch {
      // it was refused meanwhile
    }
  });
  const answers = clients.map(async (client) => {
    const buffer = new Uint8Array(4_096);
    const size = await client.read(buffer).catch(() => null) ?? 0;
    return new TextDecoder().decode(buffer.subarray(0, size));
  });
  expect(await Promise.race(answers)).toMatch(
    /^HTTP\/1.1 503 [^]*Too many large bodies are arriving/,
  );
  for (const client of clients) client.close();
  await Promise.all(sending);
  await waitFor(() => running.server.connections === 0, { what: "all to be closed" });
  const text = JSON.stringify({ text: "a".repeat(2 * 1024 * 1024) });
  const headers = { "content-type": "application/json", "connection": "close" };
  const init = { method: "POST", headers, body: text };
  const answer = await fetch(`${running.url}/api/sample/echo`, init);
  await answer.body?.cancel();
  expect(answer.status).not.toBe(503);
});

Deno.test("an operation that runs longer than every time limit is answered", async () => {
  const answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return new Response("done");
  };
  const limits = { ...LIMITS, headerMs: 50, bodyMs: 50, idleMs: 50 };
  const server = startServer({ hostname: "127.0.0.1", port: 0, limits }, answer);
  const response = await fetch(`http://127.0.0.1:${server.port}/`);
  expect(await response.text()).toBe("done");
  await server.shutdown();
});

Deno.test("a new connection takes the place of the one that has been idle for the longest time", async () => {
  await using running = start({ max: 3 });
  const idle = await Promise.all([connect(running), connect(running), connect(running)]);
  await waitFor(() => running.server.connections === 3, { what: "three connections" });
  await send(idle[0]!, GET);
  await idle[0]!.read(new Uint8Array(4_096));
  expect(await status(running.url)).toBe(200);
  expect(await readToEnd(idle[1]!)).toBe("");
  expect(await stillOpen(idle[0]!)).toBe(true);
  for (const connection of idle) connection.close();
});

Deno.test("a connection that waits for the body of its request makes room after the idle ones", async () => {
  await using running = start({ maxPerAddress: 2 });
  using slow = await connect(running);
  await send(slow, POST_HEAD);
  using idle = await connect(running);
  await waitFor(() => running.server.connections === 2, { what: "two connections" });
  using first = await connect(running);
  await send(first, POST_HEAD);
  expect(await readToEnd(idle)).toBe("");
  expect(await status(running.url)).toBe(200);
  expect(await readToEnd(slow)).toMatch(/^HTTP\/1.1 503 /);
});

Deno.test("a connection is refused with 503 when all others, and a few more, are being answered", async () => {
  const block = Promise.withResolvers<Response>();
  const limits = { ...LIMITS, max: 2 };
  const options = { hostname: "127.0.0.1", port: 0, limits };
  let asked = 0;
  const server = startServer(
    options,
    () => (asked++, block.promise.then((answer) => answer.clone())),
  );
  const url = `http://127.0.0.1:${server.port}/`;
  const busy: Promise<Response>[] = [];
  while (busy.length < 2 + EXTRA) {
    busy.push(fetch(url));
    await waitFor(() => asked === busy.length, { what: "the request" });
  }
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  const refusal = await readToEnd(connection);
  expect(refusal).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 1/);
  const [head, body] = refusal.split("\r\n\r\n");
  expect(head).toContain(`content-length: ${body!.length}`);
  const { detail, code, request_id } = JSON.parse(body!);
  expect([typeof detail, code]).toEqual(["string", "unavailable"]);
  expect(head).toContain(`x-request-id: ${request_id}\r\n`);
  block.resolve(new Response("done"));
  for (const answer of await Promise.all(busy)) expect(await answer.text()).toBe("done");
  await server.shutdown();
});

/** A server whose listening socket first fails with each of `failures`. */
function startFailing(failures: Error[]) {
  const warned: string[] = [];
  const done: string[] = [];
  const listen = (address: { hostname: string; port: number }) => {
    done.push("listen");
    const listener = Deno.listen(address);
    const accept = listener.accept.bind(listener);
    const close = listener.close.bind(listener);
    listener.close = () => (done.push("close"), close());
    listener.accept = () => {
      const failure = failures.shift();
      return failure === undefined ? accept() : Promise.reject(failure);
    };
    return listener;
  };
  const log = { warn: (event: string) => void warned.push(event) };
  return { ...start({}, { listen, log }), warned, done };
}

function failure(code: string, error = new Error(code)): Error {
  return Object.assign(error, { code });
}

const KEPT = [
  ["of a client that has gone", () => new Deno.errors.NotConnected("gone"), 0],
  ["of a client that has gone (macOS)", () => failure("EINVAL"), 0],
  ["of a connection that was reset", () => failure("ECONNABORTED"), 0],
  ["of a lack of descriptors", () => new Error("Too many open files (os error 24)"), 1],
  ["that nobody knows", () => new Deno.errors.BadResource("closed"), 1],
] as const;

for (const [what, make, lines] of KEPT) {
  Deno.test(`the listening socket stays open through failures ${what}`, async () => {
    const failures = Array.from({ length: 60 }, make);
    await using running = startFailing(failures);
    await waitFor(() => failures.length === 0, { what: "the failures" });
    expect(await status(running.url)).toBe(200);
    expect(running.done).toEqual(["listen"]);
    expect(running.warned.length).toBe(lines); // they share a line
  });
}

Deno.test("nobody can listen on the port beside the server", async () => {
  await using running = start();
  const { port } = running.server;
  for (const hostname of ["127.0.0.1", "0.0.0.0"]) {
    expect(() => Deno.listen({ hostname, port })).toThrow(Deno.errors.AddrInUse);
  }
});

Deno.test("shutdown() waits for an answer and for no idle connection", async () => {
  const block = Promise.withResolvers<Response>();
  let asked = 0;
  const options = { hostname: "127.0.0.1", port: 0, limits: LIMITS };
  const server = new Server(options, findServeConnection()!, () => (asked++, block.promise));
  using idle = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  const answer = fetch(`http://127.0.0.1:${server.port}/`);
  await waitFor(() => asked === 1, { what: "the request" });
  const ended = server.shutdown();
  expect(await readToEnd(idle)).toBe("");
  block.resolve(new Response("done"));
  expect(await (await answer).text()).toBe("done");
  await ended;
  expect(server.connections).toBe(0);
});

async function stillOpen(connection: Deno.Conn): Promise<boolean> {
  await send(connection, GET);
  return await connection.read(new Uint8Array(4_096)) !== null;
}

for (const [what, head] of [["address", "GET /?"], ["field", "GET / HTTP/1.1\r\nX: "]] as const) {
  Deno.test(`a head whose ${what} has more than 64 KiB is answered 400, and the connection closed`, async () => {
    await using running = start();
    using connection = await connect(running);
    const end = what === "address" ? " HTTP/1.1\r\n" : "\r\n";
    await send(connection, `${head}${"a".repeat(65 * 1024)}${end}Host: localhost\r\n\r\n`);
    expect(await readToEnd(connection)).toMatch(/^HTTP\/1.1 400 /);
  });
}
