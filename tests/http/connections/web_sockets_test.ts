/** WebSockets on the connections that the service accepts itself: opened, counted, and ended. */

import { expect } from "expect";
import { type Actor, MAIN } from "../../../src/features/actor.ts";
import { Control } from "../../../src/features/control/control.ts";
import { type RunningServer, startServer } from "../../../src/http/connections/server.ts";
import { openSocketCalls } from "../../../src/platform/files.ts";
import { type TestApp, testApp } from "../../support/client.ts";
import { openPage, takeTicket } from "../../support/console.ts";
import { frame, RawSocket, SAMPLE_KEY } from "../../support/raw_socket.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const LIMITS = {
  max: 20,
  maxPerAddress: 20,
  headerMs: 60_000,
  bodyMs: 60_000,
  writeMs: 60_000,
  idleMs: 60_000,
};

const ignore = unless(Deno.build.os !== "windows", "Windows has no descriptors to peek at");

interface Running extends AsyncDisposable {
  readonly app: TestApp;
  readonly server: RunningServer;
  readonly url: string;
}

function start(changes: Partial<typeof LIMITS> = {}): Running {
  const app = testApp();
  const limits = { ...LIMITS, ...changes };
  const calls = openSocketCalls(Deno.build.os);
  const server = startServer({ hostname: "127.0.0.1", port: 0, limits, calls }, app.fetch);
  return {
    app,
    server,
    url: `http://127.0.0.1:${server.port}`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await app.session[Symbol.asyncDispose]();
    },
  };
}

function controlOf({ app }: Running): Control {
  return app.session.use(Control);
}

/** Sends a text in pieces, and reads all that comes until the service closes the connection. */
async function exchange({ server }: Running, ...pieces: readonly string[]): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  connection.setNoDelay(true);
  for (const piece of pieces) {
    await connection.write(new TextEncoder().encode(piece));
    await new Promise((resolve) => setTimeout(resolve, 20)); // so that it comes by itself
  }
  let text = "";
  const buffer = new Uint8Array(4_096);
  for (;;) {
    const size = await connection.read(buffer).catch(() => null);
    if (size === null) return text;
    text += new TextDecoder().decode(buffer.subarray(0, size));
  }
}

const HEAD = [
  ...["host: 127.0.0.1", "connection: Upgrade", "upgrade: websocket"],
  ...["sec-websocket-version: 13", `sec-websocket-key: ${SAMPLE_KEY}`],
].join("\r\n");

/** A socket of the console that reads and answers only what a test says. */
async function openRaw({ server, url }: Running): Promise<RawSocket> {
  const { ticket } = await (await takeTicket(url)).json();
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  const head =
    `GET /console/socket?ticket=${ticket} HTTP/1.1\r\n${HEAD}\r\norigin: http://127.0.0.1`;
  await connection.write(new TextEncoder().encode(`${head}\r\n\r\n`));
  const raw = new RawSocket(connection);
  expect(await raw.head()).toMatch(/^HTTP\/1\.1 101 /);
  return raw;
}

const say = (message: unknown) => frame(JSON.stringify(message));

Deno.test({
  name: "a socket is a connection that is in use until it is closed",
  ignore,
  async fn() {
    await using running = start({ idleMs: 200, headerMs: 200 });
    const { server } = running;
    const page = await openPage(running.url);
    await waitFor(() => server.connections === 1); // that of the ticket was idle for too long
    page.send({ t: "take" });
    await page.message("state", ({ mode }) => mode === "person");
    page.socket.close();
    await page.closed;
    await waitFor(() => server.connections === 0);
  },
});

Deno.test({
  name: "a shutdown closes all sockets",
  ignore,
  async fn() {
    await using running = start();
    const pages = [await openPage(running.url), await openPage(running.url)];
    await running.server.shutdown();
    for (const page of pages) expect((await page.closed).code).toBe(1001);
    expect(running.server.connections).toBe(0);
  },
});

Deno.test({
  name: "a shutdown does not wait for a client that neither reads nor answers",
  ignore,
  async fn() {
    await using running = start();
    using raw = await openRaw(running);
    await raw.send(say({ t: "take" }));
    await waitFor(() => controlOf(running).state.mode === "person");
    await running.server.shutdown();
    expect(running.server.connections).toBe(0);
  },
});

Deno.test({
  name: "a client that is closed and does not answer is gone at once, and cut off soon",
  ignore,
  async fn() {
    await using running = start();
    using raw = await openRaw(running);
    const left: string[] = [];
    const control = controlOf(running);
    Object.assign(control, { personLeft: ({ name }: Actor) => left.push(name) });
    await raw.send(say({ t: "take" }), say({ t: "nonsense" }));
    await waitFor(() => left.length === 1);
    await raw.ended();
    await waitFor(() => running.server.connections <= 1); // that of the ticket
  },
});

Deno.test({
  name: "a client that resets while its socket opens leaves nothing behind",
  ignore,
  async fn() {
    await using running = start();
    let left = 0;
    Object.assign(controlOf(running), { personLeft: () => left++ });
    for (let count = 0; count < 10; count++) {
      using raw = await openRaw(running); // closed with what is unread: that is a reset
      expect(raw.connection.remoteAddr.port).toBe(running.server.port);
    }
    await waitFor(() => left === 10);
    await waitFor(() => running.server.connections <= 1);
  },
});

Deno.test({
  name: "a client to which the service still writes is cut off all the same",
  ignore,
  async fn() {
    await using running = start();
    using raw = await openRaw(running);
    const control = controlOf(running);
    // one state alone is more than the system takes
    const help = Array.from({ length: 3_000 }, () => ({ reason: "x".repeat(10_000) }));
    const { stateOf } = control;
    Object.assign(control, {
      stateOf: (desk?: string) => ({ ...stateOf.call(control, desk), help }),
    });
    await control.pause(MAIN); // it is told to the page, which does not read it
    control.resume(MAIN);
    // the service closes it, and its end of the connection is gone: it answers with a reset
    await waitFor(() => raw.send(frame("", { opcode: 10 })).then(() => false, () => true));
    await waitFor(() => running.server.connections <= 1);
  },
});

Deno.test({
  name: "a request for a socket that is refused is answered, in one piece or in several",
  ignore,
  async fn() {
    await using running = start();
    const wrong = `GET /console/socket?ticket=none HTTP/1.1\r\n${HEAD}`;
    for (
      const pieces of [[`${wrong}\r\n\r\n`], ["GE", "T /console/so", wrong.slice(15), "\r\n\r\n"]]
    ) {
      const answer = await exchange(running, ...pieces);
      expect(answer).toMatch(/^HTTP\/1\.1 403 /); // no Origin
      expect(answer).toContain('"code":"forbidden"');
    }
    const own = `${wrong}\r\norigin: http://127.0.0.1\r\n\r\n`;
    expect(await exchange(running, own)).toMatch(/^HTTP\/1\.1 401 /);
    await waitFor(() => running.server.connections === 0);
  },
});

Deno.test({
  name: "a socket that is not the first request of its connection is refused",
  ignore,
  async fn() {
    await using running = start();
    const { ticket } = await (await takeTicket(running.url)).json();
    const first = "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
    const own = `${HEAD}\r\norigin: http://127.0.0.1\r\nconnection: close`;
    const second = `GET /console/socket?ticket=${ticket} HTTP/1.1\r\n${own}\r\n\r\n`;
    expect(await exchange(running, first, second)).toMatch(/HTTP\/1\.1 501 /);
  },
});

Deno.test({
  name: "a file whose path ends like that of the sockets is answered as any other",
  ignore,
  async fn() {
    await using running = start();
    const head = "HTTP/1.1\r\nhost: 127.0.0.1";
    const file = `GET /v1/files/nonexistent/console/socket ${head}\r\n\r\n`;
    const next = `GET /healthz ${head}\r\nconnection: close\r\n\r\n`;
    // the connection goes on: where a socket could open, an answer is held whole, and is the last one
    expect(await exchange(running, file, next)).toMatch(/^HTTP\/1\.1 404 [^]*HTTP\/1\.1 200 /);
  },
});

const damaged: [string, string][] = [
  ["a header without a colon", `GET /console/socket HTTP/1.1\r\nhost\r\n\r\n`],
  ["a header with a space in its name", `GET /console/socket HTTP/1.1\r\na b: c\r\n\r\n`],
  ["a name that is none", `GET /console/socket HTTP/1.1\r\n(: c\r\n\r\n`],
  ["a head that is too long", `GET /console/socket HTTP/1.1\r\na: ${"x".repeat(20_000)}\r\n\r\n`],
  ["an address that is none", `GET http://[/console/socket HTTP/1.1\r\nhost: a\r\n\r\n`],
];

for (const [name, head] of damaged) {
  Deno.test({
    name: `${name} is answered with 400`,
    ignore,
    async fn() {
      await using running = start();
      expect(await exchange(running, head)).toMatch(/^HTTP\/1\.1 400 /);
    },
  });
}

Deno.test({
  name: "a head that never ends is cut off",
  ignore,
  async fn() {
    await using running = start({ headerMs: 100 });
    expect(await exchange(running, "GET /console/socket HTTP/1.1\r\nhost: a")).toBe("");
    expect(await exchange(running, "GET /conso")).toBe("");
    await waitFor(() => running.server.connections === 0);
  },
});
