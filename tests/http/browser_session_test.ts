/** With a token, a person opens the pages in a browser: a page to sign in, and a session for it. */

import { expect } from "expect";
import { formatBanner } from "../../src/cli/serve.ts";
import { type TestApp, testApp, testConfig } from "../support/client.ts";

const TOKEN = "a-token/with+signs";
const HOST = "127.0.0.1:4242";
const ORIGIN = `http://${HOST}`;
const HTML = { host: HOST, accept: "text/html,*/*" };
const JSON_TYPE = { "content-type": "application/json" };

const closedApp = () => testApp({ config: { token: TOKEN } });

function signIn(app: TestApp, token: string, headers: Record<string, string> = {}) {
  return app.send("POST", "/docs/session", {
    headers: { host: HOST, origin: ORIGIN, ...JSON_TYPE, ...headers },
    body: JSON.stringify({ token }),
  });
}

async function cookieOf(app: TestApp): Promise<string> {
  const { status, headers } = await signIn(app, TOKEN);
  expect(status).toBe(204);
  return headers.get("set-cookie")!.split(";")[0]!;
}

Deno.test("without a session, the addresses that a person opens show a page to sign in", async () => {
  const app = closedApp();
  for (const path of ["/", "/docs", "/desk-1", "/desk-1/docs"]) {
    const { status, headers, text } = await app.send("GET", path, { headers: HTML });
    expect([path, status]).toEqual([path, 401]);
    expect(headers.get("content-type")).toContain("text/html");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toContain("script-src 'self'");
    const [, script] = /<script src="([^"]+)">/.exec(text) ?? [];
    expect(script!.startsWith(path.includes("desk") ? "/desk-1/docs/" : "/docs/")).toBe(true);
    expect((await app.send("GET", script!, { headers: { host: HOST } })).status).toBe(200);
    expect(text).not.toContain(TOKEN);
  }
  for (const path of ["/openapi.json", "/api/display/list", "/docs/swagger-ui.css"]) {
    const { status, json } = await app.send("GET", path, { headers: HTML });
    expect([path, status, json.code]).toEqual([path, 401, "unauthorized"]);
  }
  const asked = await app.send("GET", "/docs", { headers: { host: HOST } });
  expect([asked.status, asked.json.code]).toEqual([401, "unauthorized"]);
});

Deno.test("the page never contains a piece of the address that a page could be made of", async () => {
  const { text } = await closedApp().send("GET", `/"><img src=x>/docs`, { headers: HTML });
  expect(text).not.toContain("<img");
});

Deno.test("the page asks below the name of the computer as it was sent, whatever its characters", async () => {
  const app = closedApp();
  const names = ["/a:b", "/a+b", "/%C3%A4", "/a%2Fb", "/a@b;c=1", "/a&amp;b", "/a'b", "/a%22%3Eb"];
  for (const name of names) {
    const { status, text } = await app.send("GET", `${name}/docs`, { headers: HTML });
    const given = /data-base="([^"]*)"/.exec(text)?.[1]?.replace(
      /&#(\d+);/g,
      (_, code) => String.fromCharCode(code),
    );
    expect([status, given]).toEqual([401, name]);
    const script = await app.send("GET", `${name}/docs/sign-in.js`, { headers: { host: HOST } });
    expect(script.status).toBe(200);
  }
});

Deno.test("the token gives a session: pages, the document and pictures open, operations run", async () => {
  const app = closedApp();
  const answer = await signIn(app, TOKEN);
  expect(answer.status).toBe(204);
  expect(answer.headers.get("set-cookie"))
    .toMatch(/^computer-control-4242=main\.[\da-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/);
  const headers = { host: HOST, cookie: `other=1; ${await cookieOf(app)}` };
  for (const path of ["/docs", "/openapi.json", "/api/display/list", "/docs/swagger-ui.css"]) {
    expect([path, (await app.send("GET", path, { headers })).status]).toEqual([path, 200]);
  }
  const move = (more: object) =>
    app.send("POST", "/api/mouse/move", {
      headers: { ...headers, ...JSON_TYPE, ...more },
      body: '{"x": 1, "y": 2}',
    });
  expect((await move({ origin: ORIGIN })).status).toBe(204);
  expect((await move({})).status).toBe(403); // no page of ours says that it sends this
  for (const origin of ["http://127.0.0.1:5000", `http://evil@${HOST}`, `https://${HOST}`]) {
    expect([origin, (await move({ origin })).status]).toEqual([origin, 403]);
  }
  // behind a proxy that speaks TLS
  const site = { "sec-fetch-site": "same-origin" };
  expect((await move({ origin: `https://${HOST}`, ...site })).status).toBe(204);
});

Deno.test("a page that --allow-origin lets in changes nothing by the session of a person", async () => {
  const origin = "http://127.0.0.1:5000";
  const app = testApp({ config: { token: TOKEN, allowOrigins: [origin] } });
  const headers = { host: HOST, cookie: await cookieOf(app), origin, ...JSON_TYPE };
  const body = '{"x": 1, "y": 2}';
  expect((await app.send("POST", "/api/mouse/move", { headers, body })).status).toBe(403);
  const asked = { ...headers, authorization: `Bearer ${TOKEN}` };
  expect((await app.send("POST", "/api/mouse/move", { headers: asked, body })).status).toBe(204);
});

Deno.test("a session is of one host and one run of the service", async () => {
  const app = closedApp();
  const cookie = await cookieOf(app);
  const get = (host: string, to = app, sent = cookie) =>
    to.send("GET", "/api/display/list", { headers: { host, cookie: sent } });
  expect((await get(HOST)).status).toBe(200);
  expect((await get("localhost:4242")).status).toBe(401);
  expect((await get("127.0.0.1:5000")).status).toBe(401);
  expect((await get(HOST, closedApp())).status).toBe(401);
  expect((await get(HOST, app, cookie.slice(0, -1))).status).toBe(401);
  expect((await get(HOST, app, `${cookie}0`)).status).toBe(401);
});

Deno.test("nothing but the token gives a session, and only to our own page", async () => {
  const app = closedApp();
  for (const token of ["", "a-token", `${TOKEN}x`]) {
    const { status, headers, text } = await signIn(app, token);
    expect([status, headers.get("set-cookie")]).toEqual([401, null]);
    expect(text).not.toContain(TOKEN);
  }
  expect((await signIn(app, TOKEN, { origin: "http://evil.example" })).status).toBe(403);
  expect((await signIn(app, TOKEN, { "content-type": "text/plain" })).status).toBe(422);
  const bare = await app.send("POST", "/docs/session", {
    headers: { host: HOST, ...JSON_TYPE },
    body: JSON.stringify({ token: TOKEN }),
  });
  expect([bare.status, bare.json.code]).toEqual([403, "forbidden"]);
  expect(app.logged).toEqual([]);
  expect((await signIn(testApp(), TOKEN)).status).toBe(405); // there is no token to sign in with
});

Deno.test("the banner has the address that signs in only on a terminal", () => {
  const config = testConfig({ token: TOKEN, name: "desk-1" });
  const banner = (isTerminal: boolean) => formatBanner(config, 4242, { backends: [], isTerminal });
  expect(banner(true)).toContain(`${ORIGIN}/desk-1/console#token=a-token%2Fwith%2Bsigns`);
  expect(banner(false)).not.toContain("a-token");
  expect(banner(true)).not.toContain("Compat");
});
