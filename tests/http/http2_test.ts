/** HTTP/2 without TLS, as `curl --http2-prior-knowledge` sends it: refused before any frame counts. */

import { expect } from "expect";
import { connect } from "node:http2";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import { connectionLimits, startServer } from "../../src/http/connections/server.ts";
import { openSocketCalls } from "../../src/platform/files.ts";
import { sendRaw, serveApp, testApp } from "../support/client.ts";
import { SAMPLES } from "../support/sample_operations.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const QUERY = "/api/sample/query";
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const LIMITS = connectionLimits(DEFAULT_LIMITS, 1_024);

const calls = openSocketCalls(Deno.build.os);
const ignore = unless(calls !== undefined, "connections of this system cannot be looked at");

function start(limits = LIMITS) {
  const { fetch } = testApp({ operations: SAMPLES });
  const server = startServer({ hostname: "127.0.0.1", port: 0, limits, calls }, fetch);
  return { server, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Sends a text in parts, which nearly always arrive as packets of their own. */
async function sendParts(port: number, parts: readonly string[]): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.setNoDelay(true);
  for (const part of parts) {
    await connection.write(new TextEncoder().encode(part));
    await new Promise((next) => setTimeout(next, 3));
  }
  const buffer = new Uint8Array(4_096);
  const size = await connection.read(buffer) ?? 0;
  return new TextDecoder().decode(buffer.subarray(0, size));
}

for (const parts of [[PREFACE], ["P", PREFACE.slice(1)], ["PR", PREFACE.slice(2)]]) {
  Deno.test({
    ignore,
    name: `HTTP/2 that begins with ${JSON.stringify(parts[0])} is refused`,
    async fn() {
      await using running = start();
      expect(await sendParts(running.server.port, parts)).toMatch(/^HTTP\/1\.1 505 /);
      await waitFor(() => running.server.connections === 0, {
        what: "the connection to be closed",
      });
    },
  });
}

for (const first of ["P", "PO", "PRO", "G"]) {
  Deno.test({
    ignore,
    name: `HTTP/1 whose first packet is "${first}" is served`,
    async fn() {
      await using running = start();
      const [method] = ["POST", "PROPFIND", "GET"].filter((each) => each.startsWith(first));
      const rest = `${method!.slice(first.length)} /none HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      expect(await sendParts(running.server.port, [first, rest])).toMatch(/^HTTP\/1\.1 (?!505)/);
    },
  });
}

Deno.test({
  ignore,
  name: "a connection that sends a part of the preface and no more is closed",
  async fn() {
    await using running = start({ ...LIMITS, headerMs: 100 });
    expect(await sendParts(running.server.port, ["PR"])).toBe("");
  },
});

Deno.test("app refuses HTTP/2 without a Host where Deno speaks it", async () => {
  await using server = serveApp(testApp({ operations: SAMPLES }));
  expect(await statusOf(server.url, { ":authority": "127.0.0.1" })).toBe(403);
});

for (const line of [`GET ${QUERY} HTTP/1.1`, `GET ${QUERY} HTTP/1.0`]) {
  for (const more of ["", "Connection: close\r\n"]) {
    Deno.test(`app refuses "${line}" without a Host and with ${JSON.stringify(more)}`, async () => {
      await using running = start();
      const answer = await sendRaw(running.server.port, `${line}\r\n${more}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.\d 403 /);
    });
  }
}

/** The status of a GET over one HTTP/2 connection of its own. */
function statusOf(url: string, headers: object): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const session = connect(url);
  session.on("error", reject);
  const request = session.request({ ":method": "GET", ":path": QUERY, ...headers });
  request.on("error", reject);
  request.on("response", (answer) => resolve(Number(answer[":status"])));
  request.resume();
  request.end();
  return promise.finally(() => new Promise<void>((closed) => session.close(closed)));
}
