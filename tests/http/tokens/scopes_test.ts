/** What a token is not for is refused, for every operation and every scope, on every way to it. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { type Scope, SCOPES } from "../../../src/core/groups.ts";
import { callName } from "../../../src/features/call_names.ts";
import { SCOPE_WITHIN, scopeOf } from "../../../src/features/permissions.ts";
import { EXAMPLES } from "../../../src/features/examples.ts";
import { allOperations } from "../../../src/features/mod.ts";
import type { Operation } from "../../../src/features/operation.ts";
import type { TestApp } from "../../support/client.ts";
import { modernMessage } from "../../support/mcp.ts";
import { bearer, tokenApp } from "../../support/tokens.ts";
import { waitFor } from "../../support/wait.ts";

const operations = await allOperations(DEFAULT_LIMITS);
/** Those that ask for a token. */
const guarded = operations.filter(({ path }) => path !== "/healthz");

/** They do nothing but tell that they were let in. */
const marked: readonly Operation[] = operations.map((operation) => ({
  ...operation,
  errors: { ...operation.errors, unavailable: "It was let in." },
  run() {
    throw new ServiceError("unavailable", "It was let in");
  },
}));

async function openScoped() {
  const opened = await tokenApp(["for everything"], { operations: marked });
  const tokens = new Map<Scope, string>();
  for (const scope of SCOPES) tokens.set(scope, await opened.add(scope, { scopes: [scope] }));
  const all = opened.tokens[0]!;
  await waitForTokens(opened.app, tokens);
  return { ...opened, all, tokens };
}

async function waitForTokens(app: TestApp, tokens: ReadonlyMap<Scope, string>): Promise<void> {
  const headers = bearer([...tokens.values()].at(-1)!);
  await waitFor(async () => (await app.send("GET", "/favicon.ico", { headers })).status === 200);
}

/** The request of an operation's example. */
function ask(app: TestApp, operation: Operation, token: string) {
  const { params = {}, query = {}, body } = EXAMPLES[operation.id] ?? {};
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name) => encodeURIComponent(String(params[name])),
  );
  const fields = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = fields.length === 0 ? "" : `?${new URLSearchParams(fields)}`;
  const headers = { ...bearer(token), "content-type": "application/json" };
  if (operation.method === "GET") return app.send("GET", path + search, { headers });
  const sent = operation.body === undefined ? {} : { body: JSON.stringify(body ?? {}) };
  return app.send(operation.method, path + search, { headers, ...sent });
}

/** Whether the fields of its example use a group that this scope does not reach. */
function usesMore(operation: Operation, scope: Scope): boolean {
  const { params, query, body } = EXAMPLES[operation.id] ?? {};
  const fields = { ...params, ...query, ...operation.body?.parse(body ?? {}) };
  return operation.uses?.(fields).some((group) => (SCOPE_WITHIN[group] ?? scope) !== scope) ??
    false;
}

Deno.test("every operation is refused for each scope but its own, by name, before it runs", async () => {
  await using opened = await openScoped();
  const { app, tokens, all } = opened;
  const document = await app.send("GET", "/openapi.json", { headers: bearer(all) });
  const routes = Object.entries<object>(document.json.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  );
  expect(routes.toSorted())
    .toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted());
  for (const operation of guarded) {
    const needed: string = scopeOf(operation);
    for (const [scope, token] of tokens) {
      const { status, json } = await ask(app, operation, token);
      // what only runs others is let in: each of those is checked
      const isOwn = needed === scope || needed === "inner" || operation.runsOthers === true;
      const expected = isOwn && !usesMore(operation, scope)
        ? [503, "It was let in"]
        : [403, expect.stringContaining(isOwn ? "needs the scope" : `"${needed}"`)];
      expect([operation.id, scope, status, json.detail])
        .toEqual([operation.id, scope, ...expected]);
    }
    expect([operation.id, (await ask(app, operation, all)).status]).toEqual([operation.id, 503]);
  }
});

Deno.test("a token without a scope calls nothing that needs it by way of others", async () => {
  await using opened = await tokenApp(["all"]);
  const { app, tokens: [all] } = opened;
  const view = await opened.add("view", { scopes: ["view"] });
  await waitForTokens(app, new Map([["view", view]]));
  const move = { operation: "mouse.move", input: { x: 5, y: 5 } };
  const batch = (token: string) =>
    app.post("/api/batch", { steps: [move] }, bearer(token)).then(({ text }) => text);
  expect(await batch(view)).toMatch(/scope/);
  expect(await batch(all!)).not.toMatch(/scope/);
  const tool = async (token: string) => {
    const { headers, body } = modernMessage("tools/call", {
      name: "mouse_move",
      arguments: { coordinate: [5, 5] },
    });
    return (await app.post("/mcp", body, { ...headers, ...bearer(token) })).json.result;
  };
  expect(await tool(view)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"input"') }],
  });
  expect((await tool(all!)).isError ?? false).toBe(false);
});

Deno.test("files as bytes are for the scope files alone", async () => {
  await using opened = await openScoped();
  const { app, tokens } = opened;
  for (const [scope, token] of tokens) {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const sent = method === "PUT" ? { body: "x" } : {};
      const headers = bearer(token);
      const answer = await app.send(method, "/v1/files//dev/null/none", { headers, ...sent });
      expect([scope, method, answer.status === 403]).toEqual([scope, method, scope !== "files"]);
    }
  }
});

Deno.test("a token for two things is for both", async () => {
  await using opened = await tokenApp(["all"], { operations: marked });
  const token = await opened.add("two", { scopes: ["view", "files"] });
  await waitForTokens(opened.app, new Map([["view", token]]));
  const byName = new Map(marked.map((each) => [callName(each), each]));
  const status = async (name: string) => (await ask(opened.app, byName.get(name)!, token)).status;
  expect(await status("display.screenshot")).toBe(503);
  expect(await status("filesystem.list")).toBe(503);
  expect(await status("mouse.move")).toBe(403);
});
