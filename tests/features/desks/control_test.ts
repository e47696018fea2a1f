/** Who may act counts on desks, too; what is released on one is not on another. */

import { expect } from "expect";
import type { Actor } from "../../../src/features/actor.ts";
import { Control } from "../../../src/features/control/control.ts";
import { createApp } from "../../../src/http/app.ts";
import { type Desktop, startDesktop } from "../../support/desktop.ts";
import { waitFor } from "../../support/wait.ts";

const PERSON: Actor = { id: "page-1", name: "Ada", kind: "person" };

Deno.test("a person who takes over releases what is held on desks, and programs are refused there", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  await service.call("/api/desk/create", { name: "alice" });
  await holdOn(desktop, "alice");
  const waiting = service.send("/api/display/wait", {
    ...{ desk: "alice", until: "change", timeout_ms: 60_000 },
  });
  const control = service.session.use(Control);
  await control.takeOver(PERSON);
  expect((await waiting).status).toBe(423);
  for (
    const [path, body] of [
      ["/api/mouse/move", { desk: "alice", x: 1, y: 1 }],
      ["/api/display/screenshot?desk=alice"],
      ["/api/desk/create", { name: "bob" }],
      ["/api/desk/delete", { name: "alice" }],
      ["/api/system/release-all", { desk: "alice" }],
    ] as const
  ) {
    await service.refused(423, path, body);
  }
  await control.handBack(PERSON);
  expect(await heldOn(desktop, "alice")).toEqual([]);
});

Deno.test("what is paused is so on desks, and releases what is held there", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  await service.call("/api/desk/create", { name: "alice" });
  await holdOn(desktop, "alice");
  await service.call("/api/control/pause", {});
  await service.refused(423, "/api/mouse/move", { desk: "alice", x: 1, y: 1 });
  await service.call("/api/control/resume", {});
  expect(await heldOn(desktop, "alice")).toEqual([]);
});

Deno.test("to release everything on one desk leaves what is held on the others", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  for (const name of ["alice", "bob"]) await service.call("/api/desk/create", { name });
  for (const name of ["alice", "bob", undefined]) await holdOn(desktop, name);
  await service.call("/api/system/release-all", { desk: "alice" });
  expect(await heldOn(desktop, "alice")).toEqual([]);
  for (const name of ["bob", undefined]) expect(await heldOn(desktop, name)).toEqual(["shift"]);
  await service.call("/api/system/release-all", {});
  expect(await heldOn(desktop)).toEqual([]);
  expect(await heldOn(desktop, "bob")).toEqual(["shift"]);
});

async function holdOn({ service }: Desktop, desk?: string): Promise<void> {
  await service.call("/api/keyboard/hold", { ...(desk && { desk }), key: "shift" });
}

async function heldOn({ service }: Desktop, desk?: string): Promise<readonly string[]> {
  const query = desk === undefined ? "" : `?desk=${desk}`;
  const held = await service.call(`/api/keyboard/held${query}`) as { keys?: string[] } | string[];
  return Array.isArray(held) ? held : held.keys ?? [];
}

Deno.test("a program that opens on a new desk waits for a person once, who sees what and where", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const control = service.session.use(Control);
  control.requireApproval(new Set(["bash"]));
  const next = () => waitFor(() => control.approvals!.list()[0], { what: "the question" });
  const seen = async (decision: "once" | "refuse") => {
    const { id, operation, fields } = await next();
    control.approvals!.decide(id, PERSON, decision);
    return [operation, Object.fromEntries(fields.map(({ name, value }) => [name, value]))];
  };
  const body = { name: "alice", open: "xterm -T news" };
  const refused = service.send("/api/desk/create", body);
  const shown = { desk: "alice", program: "xterm", "args.0": "-T", "args.1": "news" };
  expect(await seen("refuse")).toMatchObject(["window.open", shown]);
  expect((await refused).status).toBe(403);
  expect(await service.call("/api/desk/list")).toEqual([]);
  const made = service.send("/api/desk/create", body);
  await seen("once");
  expect((await made).status).toBe(200);
  expect(control.approvals!.list()).toEqual([]);
});

Deno.test("a program that may not run commands opens nothing on a desk, and has none then", async () => {
  await using desktop = await startDesktop();
  const { platform, session, config, call } = desktop.service;
  const disabled = { ...config, disabled: new Set(["bash"] as const) };
  const app = createApp({ platform, session, config: disabled });
  const response = await app.fetch(
    new Request("http://127.0.0.1:4242/api/desk/create", {
      method: "POST",
      headers: { host: "127.0.0.1:4242", "content-type": "application/json" },
      body: JSON.stringify({ name: "alice", open: "xterm" }),
    }),
  );
  expect(response.status).toBe(403);
  expect(await call("/api/desk/list")).toEqual([]);
});
