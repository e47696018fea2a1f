/** A token of one desk reaches that desk and no other place, whatever it names. */

import { expect } from "expect";
import { createApp } from "../../../src/http/app.ts";
import { addToken } from "../../../src/http/tokens/token_store.ts";
import { Tokens } from "../../../src/http/tokens/tokens.ts";
import { consoleModules } from "../../support/console.ts";
import { openMcp } from "../../support/mcp.ts";
import { startDesktop } from "../../support/desktop.ts";

Deno.test("a token of one desk acts there by itself, and nowhere else", async (t) => {
  await using desktop = await startDesktop();
  const { platform, session, config, call } = desktop.service;
  for (const name of ["alice", "bob"]) await call("/api/desk/create", { name });
  const token = await addToken(config.stateDir, { name: "agent", scopes: ["all"], desk: "alice" });
  const tokens = await Tokens.open(config);
  const parts = { platform, session, config, tokens };
  const app = createApp({ ...parts, openMcp, consoleModules: consoleModules() });
  const send = async (path: string, body?: unknown, headers = {}) => {
    const posted = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await app.fetch(
      new Request(`http://127.0.0.1:4242${path}`, {
        headers: {
          ...{ host: "127.0.0.1:4242", "content-type": "application/json" },
          authorization: `Bearer ${token}`,
          ...headers,
        },
        ...posted,
      }),
    );
    const text = (await response.text()).replace(/^event: message\ndata: /, "");
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  await call("/api/mouse/move", { x: 700, y: 500 });
  await call("/api/mouse/move", { desk: "bob", x: 70, y: 90 });

  await t.step("without a name it is its desk", async () => {
    expect((await send("/api/mouse/move", { x: 5, y: 6 })).status).toBe(204);
    expect((await send("/api/mouse/position")).body).toEqual({ x: 5, y: 6 });
    expect((await send("/api/mouse/position?desk=alice")).body).toEqual({ x: 5, y: 6 });
    expect(await call("/api/mouse/position?desk=alice")).toEqual({ x: 5, y: 6 });
    expect(await call("/api/mouse/position")).toEqual({ x: 700, y: 500 });
    const { output } = (await send("/api/bash/command", { command: "echo $HOME" })).body;
    expect(output).toContain("/desks/");
  });

  await t.step("a step of a batch and a tool of MCP are on it, too", async () => {
    const steps = [{ operation: "mouse.move", input: { x: 8, y: 9 } }];
    expect((await send("/api/batch", { steps })).status).toBe(200);
    expect(await call("/api/mouse/position?desk=alice")).toEqual({ x: 8, y: 9 });
    const { body } = await send("/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "mouse_move", arguments: { coordinate: [11, 12] } },
    }, { accept: "application/json, text/event-stream" });
    expect(body.result.isError ?? false).toBe(false);
    expect(await call("/api/mouse/position?desk=alice")).toEqual({ x: 11, y: 12 });
  });

  for (
    const [path, body] of [
      ["/api/mouse/move", { desk: "bob", x: 1, y: 1 }],
      ["/api/display/screenshot?desk=bob"],
      ["/api/desk/create", { name: "third" }],
      ["/api/desk/delete", { name: "bob" }],
      ["/api/control/pause", { desk: "bob" }],
      ["/api/control/lease", { desk: "bob", seconds: 10 }],
      ["/api/control/state?desk=bob"],
      ["/api/control/request-help", { reason: "a captcha" }],
      ["/api/control/link", { expires_in_seconds: 60 }],
      ["/api/trail?desk=bob"],
      ["/api/events?desk=bob"],
      ["/console/ticket", { page: "0123456789abcdef" }],
    ] as const
  ) {
    await t.step(`${path} is refused`, async () => {
      const headers = { "sec-fetch-site": "same-origin", origin: "http://127.0.0.1:4242" };
      expect((await send(path, body, headers)).status).toBe(403);
    });
  }

  await t.step("a step of a batch that names another desk is refused", async () => {
    const steps = [{ operation: "mouse.move", input: { desk: "bob", x: 1, y: 1 } }];
    const { body } = await send("/api/batch", { steps });
    expect(JSON.stringify(body)).toContain("forbidden");
    expect(await call("/api/mouse/position?desk=bob")).toEqual({ x: 70, y: 90 });
  });

  await t.step("it sees its desk alone in the list and in the trail", async () => {
    const { body: desks } = await send("/api/desk/list");
    expect(desks.map(({ name }: { name: string }) => name)).toEqual(["alice"]);
    await call("/api/mouse/move", { desk: "bob", x: 70, y: 90 });
    const { body: { entries } } = await send("/api/trail?limit=1000");
    for (const { desk } of entries) expect(desk).toBe("alice");
  });

  await t.step("once the desk is deleted, it reaches nothing", async () => {
    await call("/api/desk/delete", { name: "alice" });
    expect((await send("/api/mouse/move", { x: 1, y: 1 })).status).toBe(404);
    expect(await call("/api/mouse/position")).toEqual({ x: 700, y: 500 });
  });
});
