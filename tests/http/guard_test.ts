/** Who may call: hosts, origins, the token and the switches. */

import { expect } from "expect";
import type { Config } from "../../src/config/config.ts";
import { isEqual } from "../../src/http/tokens/tokens.ts";
import { SAMPLES } from "../support/sample_operations.ts";
import { sendRaw, serveApp, testApp } from "../support/client.ts";

const QUERY = "/api/sample/query";

type HostRow = readonly [host: string, status: number, config?: Partial<Config>];

const WILDCARD = { host: "0.0.0.0", noAuth: true };
/** With `--allow-host *.desks.example`. */
const WITHIN: readonly (readonly [host: string, status: number])[] = [
  ["a.desks.example", 200],
  ["A.b.Desks.Example:4242", 200],
  ["a.desks.example.", 200],
  ["desks.example", 403],
  ["evildesks.example", 403],
  [".desks.example", 403],
  ["a.desks.example.evil.example", 403],
  ["*.desks.example", 403],
];
const HOSTS: readonly HostRow[] = [
  ["localhost", 200],
  ["LocalHost:4242", 200],
  ["localhost.", 200],
  ["desk.localhost:1", 200],
  ["127.0.0.1:4242", 200],
  ["127.8.9.10", 200],
  ["[::1]:4242", 200],
  ["[0:0:0:0:0:0:0:1]", 200],
  ["evil.example", 403],
  ["localhost.evil.example", 403],
  ["127.0.0.1.evil.example", 403],
  ["127.evil.example", 403],
  ["192.168.1.5", 403],
  ["[::ffff:127.0.0.1]", 403],
  ["", 403],
  ["localhost:", 403],
  ["localhost:abc", 403],
  ["localhost:123456", 403],
  ["user@localhost", 403],
  ["localhost/x", 403],
  ["localhost evil", 403],
  ["[::1", 403],
  ["192.168.1.5:4242", 200, { host: "192.168.1.5" }],
  ["192.168.1.6", 403, { host: "192.168.1.5" }],
  ["desk.lan:80", 200, { host: "desk.lan" }],
  ["[fd00::5]:1", 200, { host: "fd00:0:0::5" }],
  ["desk.example", 200, { allowHosts: ["Desk.example"] }],
  ["desk.example:8443", 200, { allowHosts: ["desk.example"] }],
  ["desk.example:8443", 200, { allowHosts: ["desk.example:8443"] }],
  ["desk.example:9", 403, { allowHosts: ["desk.example:8443"] }],
  ["desk.example.:8443", 200, { allowHosts: ["Desk.example.:8443"] }],
  ["[fd00:0::5]:8443", 200, { allowHosts: ["[fd00:0:0::5]:8443"] }],
  ["[fd00::5]:9", 403, { allowHosts: ["[fd00::5]:8443"] }],
  ...WITHIN.map(([host, status]): HostRow => [host, status, { allowHosts: ["*.Desks.example"] }]),
  ["a.desks.example:8443", 200, { allowHosts: ["*.desks.example:8443"] }],
  ["a.desks.example:9", 403, { allowHosts: ["*.desks.example:8443"] }],
  ["a.desks.example", 403, { allowHosts: ["*.desks.example:8443"] }],
  ["192.168.1.5:4242", 200, WILDCARD],
  ["[fd00::5]", 200, { host: "::", noAuth: true }],
  ["evil.example", 403, WILDCARD],
];

for (const [host, status, config = {}] of HOSTS) {
  Deno.test(`guard answers ${status} to Host "${host}" with ${JSON.stringify(config)}`, async () => {
    const app = testApp({ operations: SAMPLES, config });
    const answer = await app.send("GET", QUERY, { headers: { host } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).toMatch(/./);
    if (status === 403) expect(Object.keys(answer.json)).toEqual(["detail", "code", "request_id"]);
    // the second time the host is remembered
    expect((await app.send("GET", QUERY, { headers: { host } })).status).toBe(status);
  });
}

Deno.test("guard refuses a rebound request, which carries a foreign Host and no Origin", async () => {
  await using server = serveApp(testApp({ operations: SAMPLES }));
  const rest = "Connection: keep-alive\r\nAccept: */*\r\nSec-Fetch-Site: same-origin\r\n\r\n";
  const host = `Host: evil.example:${server.port}\r\n`;
  const rebound = await sendRaw(server.port, `GET ${QUERY} HTTP/1.1\r\n${host}${rest}`);
  expect(rebound).toMatch(/^HTTP\/1.1 403 /);
  const own = await sendRaw(server.port, `GET ${QUERY} HTTP/1.1\r\nHost: localhost\r\n${rest}`);
  expect(own).toMatch(/^HTTP\/1.1 200 /);
  const without = await sendRaw(server.port, `GET ${QUERY} HTTP/1.1\r\n${rest}`);
  expect(without).toMatch(/^HTTP\/1.1 403 /);
});

Deno.test("guard looks at the host of a whole address as request target, too", async () => {
  await using server = serveApp(testApp({ operations: SAMPLES }));
  const { port } = server;
  const ask = async (target: string) => {
    const head = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    return Number((await sendRaw(port, head)).split(" ")[1]);
  };
  for (const own of [`127.0.0.1:${port}`, `localhost:${port}`, "LOCALHOST"]) {
    expect([own, await ask(`http://${own}${QUERY}`)]).toEqual([own, 200]);
  }
  const foreign = ["evil.example", `127.0.0.1:${port}@evil.example`, `evil@127.0.0.1:${port}`];
  for (const host of foreign) {
    expect([host, [400, 403].includes(await ask(`http://${host}${QUERY}`))]).toEqual([host, true]);
  }
});

for (const path of ["/healthz", "/docs", "/openapi.json", "/", "/nothing", "/other/api/x"]) {
  Deno.test(`guard refuses a foreign Host before it looks at ${path}`, async () => {
    const app = testApp({ operations: SAMPLES, config: { name: "desk-1" } });
    const { status } = await app.send("PUT", path, { headers: { host: "evil.example" } });
    expect(status).toBe(403);
  });
}

const ORIGINS: readonly (readonly [origin: string, host: string, status: number])[] = [
  ["http://localhost:4242", "localhost:4242", 200],
  ["https://localhost:4242", "localhost:4242", 200],
  ["http://localhost", "localhost", 200],
  ["http://localhost", "localhost:80", 200],
  ["HTTP://LOCALHOST:4242", "localhost:4242", 200],
  ["http://[::1]:4242", "[::1]:4242", 200],
  ["http://localhost:8000", "localhost:4242", 403],
  ["http://evil@localhost:4242", "localhost:4242", 403],
  ["http://@localhost:4242", "localhost:4242", 403],
  ["http://localhost:4242?a", "localhost:4242", 403],
  ["http://localhost", "localhost:4242", 403],
  ["http://127.0.0.1:4242", "localhost:4242", 403],
  ["http://evil.example", "localhost", 403],
  ["http://localhost.evil.example", "localhost", 403],
  ["null", "localhost", 403],
  ["", "localhost", 403],
  ["ftp://localhost", "localhost", 403],
  ["chrome-extension://localhost", "localhost", 403],
  ["https://app.example", "localhost", 200],
  ["https://app.example:444", "localhost", 403],
  ["http://app.example", "localhost", 403],
];

for (const [origin, host, status] of ORIGINS) {
  Deno.test(`guard answers ${status} to Origin "${origin}" at ${host}`, async () => {
    const config = { allowOrigins: ["https://app.example"] };
    const app = testApp({ operations: SAMPLES, config });
    expect((await app.send("GET", QUERY, { headers: { host, origin } })).status).toBe(status);
  });
}

const TOKEN = "s3cret-Token";
const TOKENS: readonly (readonly [authorization: string | undefined, status: number])[] = [
  [`Bearer ${TOKEN}`, 200],
  [`bearer ${TOKEN}`, 200],
  [undefined, 401],
  ["", 401],
  [TOKEN, 401],
  [`Basic ${TOKEN}`, 401],
  ["Bearer ", 401],
  [`Bearer ${TOKEN}x`, 401],
  [`Bearer ${TOKEN.slice(1)}`, 401],
  [`Bearer ${TOKEN.toLowerCase()}`, 401],
  [`Bearer ${TOKEN} ${TOKEN}`, 401],
];

for (const [authorization, status] of TOKENS) {
  Deno.test(`guard answers ${status} to Authorization ${JSON.stringify(authorization)}`, async () => {
    const app = testApp({ operations: SAMPLES, config: { token: TOKEN } });
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await app.send("GET", QUERY, { headers });
    expect(answer.status).toBe(status);
    const challenge = status === 401 ? expect.stringContaining("Bearer") : null;
    expect(answer.headers.get("www-authenticate")).toEqual(challenge);
    expect(answer.text).not.toContain(TOKEN);
  });
}

const OWN = "x-computer-control-token";
const OWN_HEADERS: readonly (readonly [headers: Record<string, string>, status: number])[] = [
  [{ [OWN]: TOKEN }, 200],
  [{ [OWN]: TOKEN, authorization: "Bearer of-the-proxy" }, 200],
  [{ [OWN]: "", authorization: `Bearer ${TOKEN}` }, 401],
  [{ [OWN]: "wrong", authorization: `Bearer ${TOKEN}` }, 401],
  [{ [OWN]: `Bearer ${TOKEN}` }, 401],
  [{ [OWN]: `${TOKEN}, ${TOKEN}` }, 401],
];

for (const [headers, status] of OWN_HEADERS) {
  Deno.test(`guard answers ${status} to ${JSON.stringify(headers)}`, async () => {
    const app = testApp({ operations: SAMPLES, config: { token: TOKEN } });
    const answer = await app.send("GET", QUERY, { headers });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(TOKEN);
  });
}

Deno.test("/readyz says yes or no without a token, and why only with one", async () => {
  const app = testApp({ config: { token: TOKEN } });
  const ready = await app.send("GET", "/readyz");
  expect([ready.status, ready.json]).toEqual([200, { ready: true }]);
  expect(ready.headers.get("x-redaction-gap")).toBeNull();
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect((await app.send("GET", "/readyz", { headers })).json).toHaveProperty("display.reason");
  const head = await app.send("HEAD", "/readyz");
  expect([head.status, head.text]).toEqual([200, ""]);
  app.platform.screens.delete(1);
  const lost = await app.send("GET", "/readyz");
  expect([lost.status, lost.json]).toEqual([503, { ready: false }]);
  const wrong = { authorization: `Bearer ${TOKEN}x` };
  expect((await app.send("GET", "/readyz", { headers: wrong })).status).toBe(401);
  expect((await app.send("POST", "/readyz")).status).toBe(401);
  expect((await app.send("GET", "/a/readyz")).status).toBe(401);
  expect((await app.send("GET", "/readyz/")).status).toBe(401);
});

Deno.test("guard asks for the token everywhere but at /healthz", async () => {
  const app = testApp({ operations: SAMPLES, config: { token: TOKEN } });
  expect((await app.send("GET", "/healthz")).status).toBe(200);
  for (
    const path of ["/", "/docs", "/openapi.json", "/nothing", "/a/healthz", "/healthz/", QUERY]
  ) {
    expect([path, (await app.send("GET", path)).status]).toEqual([path, 401]);
  }
});

Deno.test("app answers 403 naming --disable for every way to a group that is switched off", async () => {
  const app = testApp({ operations: SAMPLES, config: { disabled: new Set(["system"]) } });
  for (const [method, path] of [["GET", QUERY], ["PUT", QUERY], ["GET", `/desk${QUERY}`]]) {
    const answer = await app.send(method!, path!);
    expect(answer.status).toBe(403);
    expect(answer.json.detail).toContain("--disable");
  }
  expect((await app.send("GET", "/healthz")).status).toBe(200);
});

Deno.test("app answers 403 naming --read-only to what changes something, and to nothing else", async () => {
  const app = testApp({ operations: SAMPLES, config: { readOnly: true } });
  const changing = await app.send("DELETE", "/api/sample/process/1");
  expect(changing.status).toBe(403);
  expect(changing.json.detail).toContain("--read-only");
  expect((await app.send("GET", QUERY)).status).toBe(200);
});

const SITES: readonly (readonly [site: string, origin: string | undefined, status: number])[] = [
  ["none", undefined, 200],
  ["same-origin", undefined, 200],
  ["same-origin", "http://localhost", 200],
  ["same-site", undefined, 403],
  ["cross-site", undefined, 403],
  ["made-up", undefined, 403],
  ["cross-site", "http://localhost", 403],
  ["cross-site", "https://desk.example", 200],
  ["same-site", "https://desk.example", 200],
  ["cross-site", "https://evil.example", 403],
  ["cross-site", "null", 403],
];

for (const [site, origin, status] of SITES) {
  Deno.test(`guard answers ${status} to a page of a site that is ${site}, with Origin ${origin}`, async () => {
    const config = { allowOrigins: ["https://desk.example"] };
    const app = testApp({ operations: SAMPLES, config });
    const headers = { "sec-fetch-site": site, ...(origin === undefined ? {} : { origin }) };
    for (const path of [QUERY, "/docs", "/openapi.json", "/healthz"]) {
      const answer = await app.send("GET", path, { headers });
      if (status === 403 || path === QUERY) expect(answer.status).toBe(status);
      else expect(answer.status).not.toBe(403);
    }
  });
}

Deno.test("guard refuses a browser that changes something by an address that was opened", async () => {
  const app = testApp({ operations: SAMPLES });
  const headers = { "sec-fetch-site": "none" };
  expect((await app.send("POST", QUERY, { headers })).status).toBe(403);
  expect((await app.send("GET", QUERY, { headers })).status).toBe(200);
});

Deno.test("every answer with a body forbids pages of other origins to embed it", async () => {
  const app = testApp({ operations: SAMPLES, config: { disabled: new Set(["bash"]) } });
  const paths = [QUERY, "/docs", "/docs/start.js", "/openapi.json", "/", "/nothing", "/healthz"];
  const samples = ["/api/sample/bytes", "/api/sample/empty", "/api/sample/query?num=x"];
  for (const path of [...paths, ...samples]) {
    for (const method of ["GET", "HEAD", "PUT"]) {
      const { status, headers } = await app.send(method, path);
      const policy = status === 204 ? null : "same-origin";
      expect([path, headers.get("cross-origin-resource-policy")]).toEqual([path, policy]);
    }
  }
  const foreign = await app.send("GET", QUERY, { headers: { host: "evil.example" } });
  expect(foreign.headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

Deno.test("an allowed page can read every header that an answer explains itself with", async () => {
  const config = { allowOrigins: ["https://desk.example"] };
  const app = testApp({ operations: SAMPLES, config });
  const answer = await app.send("GET", QUERY, { headers: { origin: "https://desk.example" } });
  const exposed = answer.headers.get("access-control-expose-headers")!.split(", ");
  expect(exposed).toEqual(expect.arrayContaining([
    ...["etag", "retry-after", "x-request-id"],
    ...["x-changes", "x-display", "x-frame", "x-region", "x-scale"],
  ]));
});

Deno.test("the guard compares the whole token, whatever it was given", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const token = bytes("s3cret");
  for (const given of ["s3cret", "x3cret", "s3creX", "s", "", "s3cret-and-more"]) {
    const lengths: number[] = [];
    const equal = isEqual(bytes(given), token, (one, other) => {
      lengths.push(one.byteLength, other.byteLength);
      return new TextDecoder().decode(one) === new TextDecoder().decode(other);
    });
    expect([given, equal]).toEqual([given, given === "s3cret"]);
    expect(lengths).toEqual([token.byteLength, token.byteLength]);
  }
});
