/** What a page may do by its token: only who may control is a person, and who only views sees no secrets. */

import { expect } from "expect";
import { WatchLinks } from "../../src/features/links/watch_links.ts";
import { revokeToken } from "../../src/http/tokens/token_store.ts";
import type { Actor } from "../../src/features/actor.ts";
import { Control } from "../../src/features/control/control.ts";
import { openPage, serveConsole, takeTicket, testSockets as test } from "../support/console.ts";
import { bearer, tokenApp } from "../support/tokens.ts";
import { waitFor } from "../support/wait.ts";

async function openTwo() {
  await using opening = new AsyncDisposableStack();
  const opened = opening.use(await tokenApp(["anna"]));
  const view = await opened.add("viewer", { scopes: ["view"] });
  const input = await opened.add("agent", { scopes: ["view", "input"] });
  const { app } = opened;
  const served = opening.use(serveConsole(app));
  const isKnown = async (token: string) =>
    (await app.send("GET", "/favicon.ico", { headers: bearer(token) })).status === 200;
  await waitFor(async () => await isKnown(view) && await isKnown(input));
  const running = opening.move();
  const [anna = ""] = opened.tokens;
  return {
    ...opened,
    url: served.url,
    view,
    input,
    anna,
    page: (token: string) => openPage(served.url, { headers: bearer(token) }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A page of who has a link. */
async function openLink(url: string, secret: string) {
  const signedIn = await fetch(`${url}/docs/session`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json" },
    body: JSON.stringify({ watch: secret }),
  });
  await signedIn.body?.cancel();
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  return await openPage(url, { headers: { cookie } });
}

const MOVE = JSON.stringify({ x: 3, y: 4 });

test("a page whose token may only view takes nothing over, and is told nothing that is done", async () => {
  await using opened = await openTwo();
  await using page = await opened.page(opened.view);
  expect(await page.message("hello")).toMatchObject({ scopes: ["view"], you: { name: "viewer" } });
  for (const t of ["take", "hand_back", "release"]) {
    const from = page.received.length;
    page.send({ t });
    const refused = await page.message("error", ({ to }) => to === t, from);
    expect(refused).toMatchObject({ code: "forbidden" });
  }
  expect(page.received.filter(({ t }) => t === "activity" || t === "approvals")).toEqual([]);
});

test("who only views has no picture while a person has control", async () => {
  await using opened = await openTwo();
  await using viewer = await opened.page(opened.view);
  await using anna = await opened.page(opened.anna);
  viewer.send({ t: "watch", display: 1 });
  await viewer.message("error", ({ to }) => to === "watch"); // a fake has no picture: it was asked
  anna.send({ t: "take" });
  await viewer.message("state", ({ mode }) => mode === "person");
  const from = viewer.received.length;
  viewer.send({ t: "watch", display: 1 });
  expect(await viewer.message("live", () => true, from - 1))
    .toMatchObject({ kind: "gone", reason: expect.stringMatching(/^anna has control since /) });
});

test("a program that may not act has no picture either: while paused, and while another has a lease", async () => {
  await using opened = await openTwo();
  await using viewer = await opened.page(opened.view);
  await using anna = await opened.page(opened.anna);
  const control = opened.app.session.use(Control);
  for (const page of [viewer, anna]) {
    page.send({ t: "watch", display: 1 });
    await page.message("error", ({ to }) => to === "watch"); // a fake has no picture: it was asked
  }
  const change = async (act: () => unknown, reason: RegExp) => {
    const from = viewer.received.length;
    await act();
    const gone = await viewer.message("live", () => true, from);
    expect(gone).toMatchObject({ kind: "gone", reason: expect.stringMatching(reason) });
  };
  const agent: Actor = { id: "token-1", name: "agent", kind: "program" };
  await change(() => control.pause(agent), /^agent has paused all programs/);
  control.resume(agent);
  await viewer.message("error", ({ to }) => to === "watch", viewer.received.length); // once more
  await change(() => control.lease(agent, { seconds: 60 }), /^agent has a lease/);
  expect(anna.received.filter(({ t }) => t === "live")).toEqual([]);
});

test("a token that may not control has sixteen pages, and a person finds room beside them", async () => {
  await using opened = await openTwo();
  await using pages = new AsyncDisposableStack();
  for (let count = 0; count < 16; count++) pages.use(await opened.page(opened.view));
  const more = await takeTicket(opened.url, { headers: bearer(opened.view) });
  expect([more.status, await more.text()])
    .toEqual([503, expect.stringContaining("too many pages")]);
  pages.use(await opened.page(opened.input));
  pages.use(await opened.page(opened.anna));
});

test("who watches by a link is told who has control, and nothing else", async () => {
  await using opened = await openTwo();
  const { app } = opened;
  const made = await app.post("/api/control/link", { expires_in_seconds: 60 }, bearer(opened.anna));
  await using watcher = await openLink(opened.url, made.json.url_path.split("=")[1]);
  const control = app.session.use(Control);
  const agent: Actor = { id: "token-1", name: "agent", kind: "program" };
  const asking = new AbortController();
  const help = control.help.ask(agent, { reason: "a secret", timeoutMs: 60_000 }, asking.signal)
    .catch(() => {});
  await control.pause(agent, "another secret");
  expect(await watcher.message("state", ({ mode }) => mode === "paused"))
    .toMatchObject({ by: { id: "", name: "agent" }, reason: null, until: null, help: [] });
  expect(JSON.stringify(watcher.received)).not.toContain("secret");
  asking.abort();
  await help;
});

test("pictures of what was done are for who may control and view, not for who only views or has a link", async () => {
  await using opened = await openTwo();
  const { app } = opened;
  const keeper = await opened.add("keeper", { scopes: ["control"] });
  await waitFor(async () =>
    (await app.send("GET", "/favicon.ico", { headers: bearer(keeper) })).status === 200
  );
  const made = await app.post("/api/control/link", { expires_in_seconds: 60 }, bearer(opened.anna));
  await using watcher = await openLink(opened.url, made.json.url_path.split("=")[1]);
  await using keeping = await opened.page(keeper);
  await using viewing = await opened.page(opened.view);
  for (const page of [watcher, keeping, viewing]) {
    page.send({ t: "pictures", id: 1 });
    expect(await page.message("error")).toMatchObject({ to: "pictures", code: "forbidden" });
  }
  await using anna = await opened.page(opened.anna);
  anna.send({ t: "pictures", id: 1 });
  expect(await anna.message("pictures")).toMatchObject({ id: 1, before: null, after: null });
});

test("a program cannot make itself a person by a page without the scope control", async () => {
  await using opened = await openTwo();
  await using page = await opened.page(opened.input);
  await using anna = await opened.page(opened.anna);
  const move = (headers: Readonly<Record<string, string>>) =>
    opened.app.send("POST", "/api/mouse/move", {
      headers: { "content-type": "application/json", ...headers },
      body: MOVE,
    });
  const paused = await opened.app.send("POST", "/api/control/pause", {
    headers: { "content-type": "application/json", ...anna.headers },
    body: "{}",
  });
  expect(paused.status).toBe(200);
  expect((await move(page.headers)).status).toBe(423);
  expect((await move(anna.headers)).status).toBe(204);
});

test("the key of one token's page is worth nothing with another token", async () => {
  await using opened = await openTwo();
  await using anna = await opened.page(opened.anna);
  const stolen = { ...anna.headers, ...bearer(opened.input) };
  const answer = await opened.app.send("POST", "/api/mouse/move", {
    headers: { "content-type": "application/json", ...stolen },
    body: MOVE,
  });
  expect(answer.status).toBe(403);
});

test("what was let in without a token ends with the first one", async () => {
  await using opened = await tokenApp();
  await using served = serveConsole(opened.app);
  await using page = await openPage(served.url);
  const link = await opened.app.post("/api/control/link", { expires_in_seconds: 60 });
  expect(link.status).toBe(200);
  page.send({ t: "take" });
  await page.message("state", ({ mode }) => mode === "person");
  await opened.add("first");
  expect((await page.closed).code).toBe(1001);
  expect(opened.app.session.use(WatchLinks).list()).toEqual([]);
});

test("the socket of a token that is revoked is closed", async () => {
  await using opened = await openTwo();
  await using page = await opened.page(opened.view);
  await revokeToken(opened.stateDir, "viewer");
  expect((await page.closed).code).toBe(1001);
});

test("control goes back when the token of its person is revoked, not half a minute later", async () => {
  await using opened = await openTwo();
  await using page = await opened.page(opened.anna);
  page.send({ t: "take" });
  await page.message("state", ({ mode }) => mode === "person");
  await revokeToken(opened.stateDir, "anna");
  expect((await page.closed).code).toBe(1001);
  const control = opened.app.session.use(Control);
  const isBack = () => control.state.mode === "programs";
  await waitFor(isBack, { timeoutMs: 15_000, what: "control to go back" });
});
