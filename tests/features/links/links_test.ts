/** Links to watch: what they open, what they do not, and how they end. */

import { expect } from "expect";
import { type Actor, MAIN, Revocations } from "../../../src/features/actor.ts";
import { WatchLinks } from "../../../src/features/links/watch_links.ts";
import { findWindowView } from "../../../src/features/live/live_displays.ts";
import { revokeToken } from "../../../src/http/tokens/token_store.ts";
import { available } from "../../../src/platform/capability.ts";
import { type TestApp, testApp } from "../../support/client.ts";
import { FakeWindows } from "../../support/fake_windows.ts";
import { legacyMessage } from "../../support/mcp.ts";
import { bearer, tokenApp } from "../../support/tokens.ts";
import { waitFor } from "../../support/wait.ts";

const HOST = "127.0.0.1:4242";
const ORIGIN = `http://${HOST}`;
const TOKEN = "s3cret";
const OWN = { host: HOST, origin: ORIGIN, "content-type": "application/json" };

interface Made {
  readonly id: string;
  readonly url_path: string;
  readonly expires: string;
}

async function makeLink(app: TestApp, more: object = {}, token = TOKEN): Promise<Made> {
  const body = { expires_in_seconds: 3_600, ...more };
  const { status, json, text } = await app.post("/api/control/link", body, bearer(token));
  expect([status, text]).toEqual([200, text]);
  return json;
}

async function openLink(app: TestApp, { url_path }: Made) {
  const [, watch] = /^\/console#watch=(.+)$/.exec(url_path)!;
  const answer = await app.send("POST", "/docs/session", {
    headers: OWN,
    body: JSON.stringify({ watch }),
  });
  return { status: answer.status, cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
}

/** What a browser with this cookie gets. */
async function statusFor(app: TestApp, cookie: string, [method, path, body]: readonly string[]) {
  const headers = { ...OWN, cookie };
  const sent = body === undefined ? { headers } : { headers, body };
  return (await app.send(method!, path!, sent)).status;
}

Deno.test("a link to watch opens the console's page and a ticket, and nothing else", async () => {
  const app = testApp({ config: { token: TOKEN } });
  const { status, cookie } = await openLink(app, await makeLink(app));
  expect(status).toBe(204);
  const opened: [string, number][] = [
    ["/console", 200],
    ["/desk-1/console", 200],
    ["/console/console.js", 200],
    ["/console/none.js", 404],
    ["/console/", 302],
  ];
  for (const [path, status] of opened) {
    expect([path, await statusFor(app, cookie, ["GET", path])]).toEqual([path, status]);
  }
  const page = JSON.stringify({ page: "0".repeat(32) });
  expect(await statusFor(app, cookie, ["POST", "/console/ticket", page])).toBe(200);
  expect(await statusFor(app, cookie, ["GET", "/favicon.ico"])).toBe(200);
  const { headers, body } = legacyMessage("tools/list");
  const mcp = await app.send("POST", "/mcp", {
    headers: { ...headers, ...OWN, cookie },
    body: JSON.stringify(body),
  });
  expect(mcp.status).toBe(403);
  const refused: readonly (readonly string[])[] = [
    ["GET", "/api/display/screenshot"],
    ["GET", "/api/display/list"],
    ["GET", "/api/control/links"],
    ["GET", "/api/system/info"],
    ["GET", "/readyz"],
    ["GET", "/openapi.json"],
    ["GET", "/docs"],
    ["GET", "/console/a/b"],
    ["GET", "/consolex"],
    ["POST", "/console", "{}"],
    ["POST", "/api/mouse/move", '{"x": 1, "y": 1}'],
    ["POST", "/api/control/link", '{"expires_in_seconds": 60}'],
    ["POST", "/api/batch", "{}"],
  ];
  for (const asked of refused) {
    expect([asked, await statusFor(app, cookie, asked)]).toEqual([asked, 403]);
  }
});

Deno.test("who watches by a link may still sign in by a token", async () => {
  const app = testApp({ config: { token: TOKEN } });
  const { cookie } = await openLink(app, await makeLink(app));
  const page = await app.send("GET", "/docs", {
    headers: { host: HOST, cookie, accept: "text/html" },
  });
  expect([page.status, page.text.includes("Sign in")]).toEqual([401, true]);
  const signed = await app.send("POST", "/docs/session", {
    headers: { ...OWN, cookie },
    body: JSON.stringify({ token: TOKEN }),
  });
  const both = `${cookie}; ${signed.headers.get("set-cookie")!.split(";")[0]}`;
  expect(await statusFor(app, both, ["GET", "/api/display/list"])).toBe(200);
  // and a link does not take that away
  expect(await statusFor(app, both, ["GET", "/console"])).toBe(200);
});

Deno.test("the secret of a link is no token, and a token's session is no link's", async () => {
  const app = testApp({ config: { token: TOKEN } });
  const link = await makeLink(app);
  const secret = link.url_path.split("=")[1]!;
  expect((await app.send("GET", "/api/display/list", { headers: bearer(secret) })).status).toBe(
    401,
  );
  const { cookie } = await openLink(app, link);
  const asToken = cookie.replace("computer-control-watch", "computer-control");
  expect(asToken).not.toBe(cookie);
  expect(await statusFor(app, asToken, ["GET", "/api/display/list"])).toBe(401);
});

Deno.test("a link says whom it is for and what it shows, and its secret only once", async () => {
  const app = testApp({ config: { token: TOKEN } });
  const link = await makeLink(app, { name: "Ben", window: "0x1e00003", display_num: 2 });
  const answer = await app.send("GET", "/api/control/links", { headers: bearer(TOKEN) });
  expect(answer.json).toEqual([{
    id: link.id,
    name: "Ben",
    display_num: 2,
    window: "0x1e00003",
    by: "main",
    created: expect.any(String),
    expires: link.expires,
  }]);
  expect(answer.text).not.toContain(link.url_path.split("=")[1]);
  const actor = app.session.use(WatchLinks).find(link.url_path.split("=")[1]!);
  expect(actor).toMatchObject({
    name: "Ben",
    watchOnly: { display: 2, window: "0x1e00003", by: "program" },
    scopes: new Set(["view"]),
  });
});

Deno.test("a link to a window shows no window of another program that gets its id", async () => {
  const app = testApp({ config: { token: TOKEN } });
  const screen = app.platform.screen();
  const windows = new FakeWindows();
  screen.windows = available(windows);
  windows.show({ id: "0x3", pid: 1 });
  const { url_path } = await makeLink(app, { window: "0x3" });
  const actor = app.session.use(WatchLinks).find(url_path.split("=")[1]!);
  expect(actor?.watchOnly).toMatchObject({ window: "0x3", pid: 1 });
  const { signal } = new AbortController();
  const look = () => findWindowView(screen, { id: "0x3", pid: actor?.watchOnly?.pid }, signal);
  await look();
  windows.show({ id: "0x3", pid: 2 });
  await expect(look()).rejects.toMatchObject({ code: "not_found" });
});

Deno.test("a revoked link lets nobody in any more", async () => {
  const app = testApp({ config: { token: TOKEN } });
  const link = await makeLink(app);
  const { cookie } = await openLink(app, link);
  const { token } = app.session.use(WatchLinks).find(link.url_path.split("=")[1]!)!;
  let ended = 0;
  using _listening = app.session.use(Revocations).on(token!, () => ended++);
  const revoke = () => app.post("/api/control/revoke-link", { id: link.id }, bearer(TOKEN));
  expect((await revoke()).status).toBe(204);
  expect(ended).toBe(1);
  expect(await statusFor(app, cookie, ["GET", "/console"])).toBe(401);
  expect((await openLink(app, link)).status).toBe(401);
  expect((await revoke()).status).toBe(404);
});

Deno.test("a link ends with the token that made it, and with the service", async () => {
  await using used = await tokenApp(["one", "two"]);
  const { app } = used;
  const [one, two] = [
    await makeLink(app, {}, used.tokens[0]),
    await makeLink(app, {}, used.tokens[1]),
  ];
  await revokeToken(used.stateDir, "one");
  await waitFor(async () => (await openLink(app, one)).status === 401);
  expect((await openLink(app, two)).status).toBe(204);
  await app.session[Symbol.asyncDispose]();
  expect((await openLink(app, two)).status).toBe(401);
});

Deno.test("only who may view can let others watch, and only while the display is on", async () => {
  await using used = await tokenApp();
  const token = await used.add("half", { scopes: ["control"] });
  await waitFor(async () => (await used.app.send("GET", "/nothing")).status === 401);
  const body = { expires_in_seconds: 60 };
  const half = await used.app.post("/api/control/link", body, bearer(token));
  expect([half.status, half.json.detail]).toEqual([403, expect.stringContaining('"view"')]);
  const off = testApp({ config: { disabled: new Set(["display"]) } });
  const refused = await off.post("/api/control/link", body);
  expect([refused.status, refused.json.detail]).toEqual([
    403,
    expect.stringContaining("--disable"),
  ]);
});

for (const name of ["", " Ben", "Ben\u202e", "a\nb", "a/b", "\u200b", "x".repeat(65)]) {
  Deno.test(`a link cannot have the name ${JSON.stringify(name)}`, async () => {
    const app = testApp();
    const body = { expires_in_seconds: 60, name };
    const { status, json } = await app.post("/api/control/link", body);
    expect([status, json.detail[0].loc]).toEqual([422, ["body", "name"]]);
  });
}

for (const seconds of [59, 86_401, 0, -60, 1.5]) {
  Deno.test(`a link cannot be for ${seconds} seconds`, async () => {
    const app = testApp();
    const { status } = await app.post("/api/control/link", { expires_in_seconds: seconds });
    expect(status).toBe(422);
  });
}

Deno.test("at most a hundred links are kept, and their secrets are all different", () => {
  using revocations = new Revocations();
  using links = new WatchLinks({ use: () => revocations as never });
  const made = Array.from({ length: 100 }, () => create(links, MAIN));
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(100);
  expect(new Set(made.map(({ link }) => link.id)).size).toBe(100);
  expect(() => create(links, MAIN)).toThrow(/There are 100 links/);
  links.revoke(made[0]!.link.id);
  create(links, MAIN);
});

Deno.test("the links of a token end together", () => {
  using revocations = new Revocations();
  using links = new WatchLinks({ use: () => revocations as never });
  const ada: Actor = { id: "a", name: "Ada", kind: "program", token: "a" };
  for (let count = 0; count < 3; count++) create(links, ada);
  const { link } = create(links, MAIN);
  revocations.end("a");
  expect(links.list()).toEqual([link]);
});

function create(links: WatchLinks, maker: Actor) {
  return links.create(maker, { expiresInSeconds: 60, display_num: 1 });
}
