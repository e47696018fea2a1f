/** Tickets for WebSockets: good once, for half a minute, for one target, and for our own pages. */

import { expect } from "expect";
import { type Actor, ANYONE, MAIN, Revocations } from "../../../src/features/actor.ts";
import { revokeToken } from "../../../src/http/tokens/token_store.ts";
import { Tickets } from "../../../src/http/tokens/tickets.ts";
import { type TestApp, testApp } from "../../support/client.ts";
import { tokenApp } from "../../support/tokens.ts";
import { waitFor } from "../../support/wait.ts";

const ADA: Actor = { id: "person-1", name: "Ada", kind: "person", token: "0123456789abcdef" };

function openTickets() {
  const clock = { ms: 1_000 };
  const revocations = new Revocations();
  return { clock, revocations, tickets: new Tickets(revocations, () => clock.ms) };
}

Deno.test("a ticket is good once", () => {
  const { tickets } = openTickets();
  const ticket = tickets.issue(ADA, "console");
  expect(ticket).toMatch(/^[\w-]{43}$/);
  expect(tickets.redeem(ticket, "console")).toBe(ADA);
  expect(tickets.redeem(ticket, "console")).toBeUndefined();
});

Deno.test("a ticket is good for half a minute", () => {
  const { tickets, clock } = openTickets();
  const [early, late] = [tickets.issue(ADA, "console"), tickets.issue(ADA, "console")];
  clock.ms += 29_999;
  expect(tickets.redeem(early, "console")).toBe(ADA);
  clock.ms += 1;
  expect(tickets.redeem(late, "console")).toBeUndefined();
});

Deno.test("a ticket is for one target, and void after it was tried for another", () => {
  const { tickets } = openTickets();
  const ticket = tickets.issue(ADA, "console");
  for (const target of ["", "Console", "console/", "console "]) {
    expect(tickets.redeem(tickets.issue(ADA, "console"), target)).toBeUndefined();
  }
  expect(tickets.redeem(ticket, "other")).toBeUndefined();
  expect(tickets.redeem(ticket, "console")).toBeUndefined();
});

Deno.test("a ticket ends with the token of whoever got it", () => {
  const { tickets, revocations } = openTickets();
  const [own, other] = [tickets.issue(ADA, "console"), tickets.issue(MAIN, "console")];
  const free = tickets.issue(ANYONE, "console");
  revocations.end(ADA.token!);
  expect(tickets.redeem(own, "console")).toBeUndefined();
  expect(tickets.redeem(other, "console")).toBe(MAIN);
  revocations.end(ANYONE.id);
  expect(tickets.redeem(free, "console")).toBeUndefined();
});

Deno.test("at most a thousand tickets are alive, and late ones make room", () => {
  const { tickets, clock } = openTickets();
  for (let count = 0; count < 1_000; count++) tickets.issue(ADA, "console");
  expect(() => tickets.issue(ADA, "console")).toThrow(/Too many tickets/);
  clock.ms += 30_000;
  for (let count = 0; count < 1_000; count++) tickets.issue(ADA, "console");
  expect(() => tickets.issue(ADA, "console")).toThrow(/Too many tickets/);
});

Deno.test("who may not control has sixteen tickets, and leaves enough for the others", () => {
  const { tickets } = openTickets();
  const watcher = (token: string): Actor => ({
    id: `page-${token}`,
    name: "viewer",
    kind: "program",
    token,
    scopes: new Set(["view"]),
  });
  const issued = Array.from({ length: 16 }, () => tickets.issue(watcher("a"), "console"));
  expect(() => tickets.issue(watcher("a"), "console")).toThrow(/Too many tickets/);
  tickets.redeem(issued[0]!, "console");
  tickets.issue(watcher("a"), "console");
  for (let count = 16; count < 800; count++) tickets.issue(watcher(`b${count}`), "console");
  expect(() => tickets.issue(watcher("c"), "console")).toThrow(/Too many tickets/);
  for (let count = 0; count < 200; count++) tickets.issue(ADA, "console");
});

const HOST = "127.0.0.1:4242";
const OWN = { host: HOST, origin: `http://${HOST}` };

async function open(app: TestApp, query: string, headers: Record<string, string> = OWN) {
  const upgrade = { connection: "upgrade", upgrade: "websocket" };
  const answer = await app.send("GET", `/console/socket?${query}`, {
    headers: { ...upgrade, ...headers },
  });
  // what is let in has no connection here on which a socket could be opened
  return { isLetIn: answer.status !== 401 && answer.status !== 403, answer };
}

Deno.test("a WebSocket is let in by a ticket in place of the token, once, and from our own page", async () => {
  const app = testApp({ config: { token: "s3cret", allowOrigins: ["http://ok.example"] } });
  const ticket = () => `ticket=${app.tickets.issue(MAIN, "console")}`;
  expect((await open(app, ticket())).isLetIn).toBe(true);
  const used = ticket();
  expect((await open(app, used)).isLetIn).toBe(true);
  expect((await open(app, used)).answer.status).toBe(401);
  const foreign: Record<string, string>[] = [
    { host: HOST },
    { host: HOST, origin: "http://ok.example" },
    { host: HOST, origin: "http://evil.example" },
    { host: HOST, origin: "null" },
    { host: HOST, origin: "http://localhost:4242" },
    { host: HOST, origin: "http://127.0.0.1" },
    { host: HOST, authorization: "Bearer s3cret" },
  ];
  for (const headers of foreign) {
    const sent = ticket();
    const { status } = (await open(app, sent, headers)).answer;
    expect([headers, status]).toEqual([headers, 403]);
    expect((await open(app, sent)).isLetIn).toBe(true); // a foreign page does not use it up
  }
  for (const query of ["", "ticket=", "ticket=wrong", `token=s3cret`]) {
    expect([query, (await open(app, query)).answer.status]).toEqual([query, 401]);
  }
});

Deno.test("a ticket for another target opens nothing", async () => {
  const app = testApp({ config: { token: "s3cret" } });
  const issue = (target: string) => app.tickets.issue(MAIN, target);
  expect((await open(app, `ticket=${issue("other")}`)).answer.status).toBe(401);
  expect((await open(app, `ticket=${issue("console")}&target=other`)).answer.status).toBe(401);
  expect((await open(app, `ticket=${issue("other")}&target=other`)).isLetIn).toBe(true);
});

Deno.test("a service without a token asks for a ticket and its own page all the same", async () => {
  const app = testApp();
  expect((await open(app, "")).answer.status).toBe(401);
  const ticket = app.tickets.issue(ANYONE, "console");
  expect((await open(app, `ticket=${ticket}`, { host: HOST })).answer.status).toBe(403);
  expect((await open(app, `ticket=${ticket}`)).isLetIn).toBe(true);
});

Deno.test("a ticket says nothing in an answer or in the log", async () => {
  const app = testApp({ config: { token: "s3cret" } });
  const ticket = app.tickets.issue(MAIN, "console");
  const { answer } = await open(app, `ticket=${ticket}`);
  const refused = (await open(app, `ticket=${ticket}`)).answer;
  for (const { text, headers } of [answer, refused]) {
    expect(text + JSON.stringify([...headers])).not.toContain(ticket);
  }
  expect(app.logged.join("\n")).not.toContain(ticket);
});

Deno.test("a ticket is void once the token is revoked, or when there is a first token", async () => {
  await using used = await tokenApp(["one"]);
  const { app } = used;
  const id = await idOf(app, used.tokens[0]!);
  const ticket = app.tickets.issue({ ...ADA, token: id }, "console");
  await revokeToken(used.stateDir, "one");
  await waitFor(async () =>
    (await open(app, "")).answer.status === 401 && isOut(app, used.tokens[0]!)
  );
  expect((await open(app, `ticket=${ticket}`)).answer.status).toBe(401);

  await using free = await tokenApp();
  const early = free.app.tickets.issue(ANYONE, "console");
  await free.add("first");
  await waitFor(async () => (await free.app.send("GET", "/openapi.json")).status === 401);
  expect((await open(free.app, `ticket=${early}`)).answer.status).toBe(401);
});

async function isOut(app: TestApp, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return (await app.send("GET", "/nothing", { headers })).status === 401;
}

/** The id of a token, as the cookie names it. */
async function idOf(app: TestApp, token: string): Promise<string> {
  const { headers } = await app.send("POST", "/docs/session", {
    headers: { ...OWN, "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  return /=([^.]+)\./.exec(headers.get("set-cookie")!)![1]!;
}
