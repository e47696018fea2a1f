/** HTTP/2 without TLS, as `curl --http2-prior-knowledge` sends it: the host is in the address. */

import { expect } from "expect";
import { connect } from "node:http2";
import { readAuthority } from "../../src/http/hosts.ts";
import { sendRaw, serveApp, testApp } from "../support/client.ts";
import { SAMPLES } from "../support/sample_operations.ts";

const QUERY = "/api/sample/query";
const CONFIG = { allowHosts: ["desk.example:8443"] };

const AUTHORITIES: readonly (readonly [authority: string, status: number, headers?: object])[] = [
  ["127.0.0.1:4242", 200],
  ["[::1]:4242", 200],
  ["desk.localhost", 200],
  ["desk.example:8443", 200],
  ["desk.example:9", 403],
  ["evil.example", 403],
  ["user@127.0.0.1", 403],
  ["127.0.0.1", 200, { origin: "http://127.0.0.1" }],
  ["127.0.0.1", 403, { origin: "http://evil.example" }],
  ["localhost:4242", 200],
  ["localhost", 200],
  ["localhost.evil.example", 403],
];

for (const [authority, status, headers = {}] of AUTHORITIES) {
  Deno.test(`app answers ${status} over HTTP/2 to ${authority} with ${JSON.stringify(headers)}`, async () => {
    await using server = serveApp(testApp({ operations: SAMPLES, config: CONFIG }));
    expect(await statusOf(server.url, { ":authority": authority, ...headers })).toBe(status);
  });
}

Deno.test("app asks for the token over HTTP/2 too", async () => {
  await using server = serveApp(testApp({ operations: SAMPLES, config: { token: "s3cret" } }));
  const named = { ":authority": "127.0.0.1" };
  expect(await statusOf(server.url, named)).toBe(401);
  expect(await statusOf(server.url, { ...named, authorization: "Bearer s3cret" })).toBe(200);
});

for (const line of [`GET ${QUERY} HTTP/1.1`, `GET ${QUERY} HTTP/1.0`]) {
  Deno.test(`app refuses "${line}" without a Host`, async () => {
    await using server = serveApp(testApp({ operations: SAMPLES }));
    const answer = await sendRaw(server.port, `${line}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.\d 403 /);
  });
}

const ADDRESSES:
  readonly (readonly [url: string, authority: string | undefined, headers?: HeadersInit])[] = [
    ["http://127.0.0.1:4242/x", "127.0.0.1:4242"],
    ["http://desk.example?q", "desk.example"],
    ["http://localhost:4242/x", "localhost:4242"],
    ["http://localhost:4242/x", undefined, { "keep-alive": "timeout=5" }],
    ["http://localhost:4242/x", undefined, { "upgrade": "h2c" }],
  ];

for (const [url, authority, headers = {}] of ADDRESSES) {
  Deno.test(`authorityOf() gives ${authority} for ${url} with ${JSON.stringify(headers)}`, () => {
    expect(readAuthority(new Request(url, { headers }))).toBe(authority);
  });
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
