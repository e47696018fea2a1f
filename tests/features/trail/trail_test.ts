/** GET /api/trail: filters, pages, and who sees what. */

import { expect } from "expect";
import { pause } from "../../../src/core/deadline.ts";
import { createLog } from "../../../src/core/log.ts";
import { type Actor, ANYONE } from "../../../src/features/actor.ts";
import { Control } from "../../../src/features/control/control.ts";
import { OperationLog } from "../../../src/features/trail/operation_log.ts";
import { Callables } from "../../../src/features/call/callables.ts";
import { trailOperations } from "../../../src/features/trail/operations.ts";
import { KnownSecrets } from "../../../src/features/secrets/known_secrets.ts";
import { testApp } from "../../support/client.ts";
import { bearer, tokenApp } from "../../support/tokens.ts";
import { waitFor } from "../../support/wait.ts";

async function someOperations() {
  const app = testApp();
  const log = app.session.use(OperationLog);
  for (let x = 1; x <= 5; x++) await app.post("/api/mouse/move", { x, y: 1 });
  await app.post("/api/filesystem/read", { path: "/nonexistent/file" });
  await log.flush();
  const list = async (query: string) => {
    await log.flush();
    return (await app.send("GET", `/api/trail?${query}`)).json;
  };
  return { app, log, list };
}

Deno.test("lists the newest first, in pages that miss nothing", async () => {
  const { list } = await someOperations();
  const seen: number[] = [];
  let next: number | null = null;
  do {
    const query: string = next === null ? "" : `&before=${next}`;
    const page = await list(`operation=mouse&limit=2${query}`);
    seen.push(...page.entries.map(({ fields }: { fields: { x: number } }) => fields.x));
    next = page.next;
  } while (next !== null);
  expect(seen).toEqual([5, 4, 3, 2, 1]);
});

Deno.test("filters by outcome, operation, caller and time", async () => {
  const { list } = await someOperations();
  const names = async (query: string) =>
    (await list(query)).entries.map(({ operation }: { operation: string }) => operation);
  expect(await names("outcome=failed")).toEqual(["filesystem.read"]);
  expect(await names("outcome=not_found")).toEqual(["filesystem.read"]);
  expect((await names("outcome=done&operation=mouse.move")).length).toBe(5);
  expect(await names("operation=mou")).toEqual([]);
  expect(await names("who=nobody")).toEqual([]);
  expect((await names("who=anyone&operation=mouse")).length).toBe(5);
  const later = new Date(Date.now() + 60_000).toISOString();
  const earlier = new Date(Date.now() - 60_000).toISOString();
  expect(await names(`since=${later}`)).toEqual([]);
  expect(await names(`until=${earlier}`)).toEqual([]);
  expect((await names("until=9999-12-31T23:59:59-01:00&operation=mouse")).length).toBe(5);
  expect((await names(`since=${earlier}&until=${later}&operation=mouse`)).length).toBe(5);
  expect((await names("outcome=running")).every((name: string) => name === "trail")).toBe(true);
});

for (const query of ["since=yesterday", "limit=0", "limit=1001", "before=0", "what=x", "until="]) {
  Deno.test(`"${query}" is 422`, async () => {
    const app = testApp();
    expect((await app.send("GET", `/api/trail?${query}`)).status).toBe(422);
  });
}

Deno.test("a token without the scope control sees neither the trail nor the events", async () => {
  await using opened = await tokenApp(["anna"]);
  const token = await opened.add("agent", { scopes: ["view", "input"] });
  for (const path of ["/api/trail", "/api/events"]) {
    const answer = await opened.app.send("GET", path, { headers: bearer(token) });
    expect([401, 403]).toContain(answer.status);
  }
});

Deno.test("what a person does in control is not for programs, and is for persons", async () => {
  const app = testApp();
  const log = app.session.use(OperationLog);
  const person: Actor = { id: "page-1", name: "Anna", kind: "person" };
  await app.session.use(Control).takeOver(person);
  const call = { id: "executeCommand", group: "bash", method: "POST", readOnly: false };
  app.session.noteCall!({ ...call, path: "/api/bash/command" }, {}, { actor: person })!.end();
  await app.session.use(Control).handBack(person);
  await log.flush();
  expect([...log.kept].filter(({ isHidden }) => isHidden).length).toBe(1);
  const { json } = await app.send("GET", "/api/trail?who=Anna");
  expect(json.entries).toEqual([]);
  const operations = new Callables({ ...app, log: createLog(() => {}) }, trailOperations());
  const signal = new AbortController().signal;
  const seen = await operations.prepare("trail", { who: "Anna" }).run({ actor: person, signal });
  expect((seen as { value: { entries: unknown[] } }).value.entries).toHaveLength(1);
});

Deno.test("what operations were given is not kept while the keychain does not answer", async () => {
  const app = testApp();
  const log = app.session.use(OperationLog);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  app.session.use(KnownSecrets).ready = () => {
    resolve();
    return new Promise(() => {});
  };
  const operation = {
    ...{ id: "writeFile", group: "filesystem", method: "POST", readOnly: false },
    path: "/api/filesystem/write",
  } as const;
  const write = () => {
    const input = { path: "/x", content: "x".repeat(1_000) };
    app.session.noteCall!(operation, input, { actor: ANYONE })!.end();
    return new WeakRef(input);
  };
  write();
  void log.flush();
  await asked;
  const inputs = Array.from({ length: 20 }, write);
  await pause(0); // until the end of a turn a reference holds what it refers to
  await waitFor(() => {
    Array.from({ length: 200_000 }, (_, index) => ({ index })); // so that memory is collected
    return inputs.every((each) => each.deref() === undefined);
  }, { what: "the inputs to be collected" });
});

Deno.test("an operation that ends while it is reported as running is kept once", async () => {
  const app = testApp();
  const log = app.session.use(OperationLog);
  const [named] = trailOperations();
  const calls = Array.from(
    { length: 9_000 },
    () => app.session.noteCall!({ ...named!, unnamed: false }, {}, { actor: ANYONE })!,
  );
  const ending = (async () => {
    while (calls.length > 0) {
      await pause(0);
      for (const call of calls.splice(-50)) call.end();
    }
  })();
  await log.flush();
  await ending;
  await log.flush();
  const ids = [...log.kept].map(({ id }) => id);
  expect([new Set(ids).size, ids.length]).toEqual([9_000, 9_000]);
});
