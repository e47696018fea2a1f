/** Requests that are no proper HTTP, or mean two things: each is refused, and what follows is not taken for a second one. */

import { expect } from "expect";
import { startServer } from "../../src/http/connections/server.ts";
import { testApp } from "../support/client.ts";
import { SAMPLES } from "../support/sample_operations.ts";

const LIMITS = {
  max: 600,
  maxPerAddress: 600,
  headerMs: 2_000,
  bodyMs: 2_000,
  writeMs: 60_000,
  idleMs: 2_000,
};
const HOST = "Host: localhost\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const POST = `POST /api/sample/echo HTTP/1.1\r\n${HOST}${JSON_TYPE}`;
const HIDDEN = "DELETE /api/sample/process/1 HTTP/1.1\r\nHost: localhost\r\n\r\n";

const ATTACKS: readonly (readonly [what: string, request: string])[] = [
  ["two lengths", `${POST}Content-Length: 7\r\nContent-Length: 8\r\n\r\n{"x":1}${HIDDEN}`],
  ["two hosts", `GET /api/sample/query HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`],
  ["a folded header", `GET /api/sample/query HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`],
  ["a negative length", `${POST}Content-Length: -1\r\n\r\n${HIDDEN}`],
  ["a length in hexadecimal", `${POST}Content-Length: 0x7\r\n\r\n{"x":1}`],
  ["a chunk size that overflows", `${POST}Transfer-Encoding: chunked\r\n\r\n${"F".repeat(20)}\r\n`],
  ["an unknown coding", `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
  ["a space before the colon", `GET /api/sample/query HTTP/1.1\r\nHost : localhost\r\n\r\n`],
  // a bare LF may end a line (RFC 9112, 2.2): what follows must count
  ["a host after a bare LF", `GET /api/sample/query HTTP/1.1\r\n${HOST}X-A: b\nHost: evil\r\n\r\n`],
  [
    "a length after a bare LF",
    `${POST}Content-Length: 7\nContent-Length: 8\r\n\r\n{"x":1}${HIDDEN}`,
  ],
  ["an origin after a bare LF", `${POST}X-A: b\nOrigin: http://evil\r\n\r\n`],
  [
    "a bare LF after a chunk size",
    `${POST}Transfer-Encoding: chunked\r\n\r\n7\n{"x":1}\r\n0\r\n\r\n`,
  ],
  ["a bare CR in a header", `GET /api/sample/query HTTP/1.1\r\n${HOST}X-A: b\rX-B: c\r\n\r\n`],
  ["a NUL in a header", `GET /api/sample/query HTTP/1.1\r\n${HOST}X-A: \0\r\n\r\n`],
  ["a header of 1 MB", `GET /api/sample/query HTTP/1.1\r\n${HOST}X-A: ${"a".repeat(1e6)}\r\n\r\n`],
  ["10,000 headers", `GET /api/sample/query HTTP/1.1\r\n${HOST}${"X-A: b\r\n".repeat(1e4)}\r\n`],
  ["an address of 100 KB", `GET /${"a".repeat(1e5)} HTTP/1.1\r\n${HOST}\r\n`],
];

for (const [what, request] of ATTACKS) {
  Deno.test(`a request with ${what} is refused and performs nothing`, async () => {
    const { statuses, asked } = await answersTo(request);
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(asked).not.toContain("DELETE /api/sample/process/1");
  });
}

Deno.test("a body with a length and a coding is never taken for two requests", async () => {
  const body = '7\r\n{"x":1}\r\n0\r\n\r\n';
  for (const length of [4, body.length, body.length + HIDDEN.length]) {
    const head = `${POST}Content-Length: ${length}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { statuses } = await answersTo(head + body);
    expect(statuses.length).toBeLessThanOrEqual(1);
  }
});

/** The statuses of all answers until the connection is closed, and what reached the service. */
async function answersTo(request: string): Promise<{ statuses: number[]; asked: string[] }> {
  const app = testApp({ operations: SAMPLES });
  const asked: string[] = [];
  const options = { hostname: "127.0.0.1", port: 0, limits: LIMITS };
  const server = startServer(options, (one, caller) => {
    asked.push(`${one.method} ${new URL(one.url).pathname}`);
    return app.fetch(one, caller);
  });
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  try {
    const text = await exchange(connection, request);
    const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map((match) => Number(match[1]));
    return { statuses, asked };
  } finally {
    connection.close();
    await server.shutdown();
  }
}

async function exchange(connection: Deno.Conn, request: string): Promise<string> {
  const bytes = new TextEncoder().encode(request);
  const writing = (async () => {
    for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
  })().catch(() => {}); // refused before all was sent
  let text = "";
  const buffer = new Uint8Array(65_536);
  for (;;) {
    const size = await connection.read(buffer).catch(() => null);
    if (size === null) break;
    text += new TextDecoder().decode(buffer.subarray(0, size));
  }
  await writing;
  return text;
}
