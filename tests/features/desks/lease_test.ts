/** Leases and pauses of one desk as clients meet them: over HTTP, as events, and by its token. */

import { expect } from "expect";
import type { Actor } from "../../../src/features/actor.ts";
import { Control } from "../../../src/features/control/control.ts";
import { createApp } from "../../../src/http/app.ts";
import { addToken } from "../../../src/http/tokens/token_store.ts";
import { Tokens } from "../../../src/http/tokens/tokens.ts";
import { type Desktop, startDesktop } from "../../support/desktop.ts";
import { waitFor } from "../../support/wait.ts";

const PERSON: Actor = { id: "page-1", name: "Ada", kind: "person" };
const AT_ALICE = ["/api/mouse/move", { desk: "alice", x: 1, y: 1 }] as const;
const AT_BOB = ["/api/mouse/move", { desk: "bob", x: 1, y: 1 }] as const;

/** Sends as the program that has the lease. */
async function sendLeased({ service }: Desktop, lease: string, path: string, body: unknown) {
  const { platform, session, config } = service;
  const app = createApp({ platform, session, config });
  const response = await app.fetch(
    new Request(`http://127.0.0.1:4242${path}`, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: {
        ...{ host: "127.0.0.1:4242", "content-type": "application/json" },
        "x-control-lease": lease,
      },
    }),
  );
  await response.body?.cancel();
  return response.status;
}

Deno.test("a lease of a desk: others are 423 there alone, until the desk is deleted", async (t) => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  for (const name of ["alice", "bob"]) await service.call("/api/desk/create", { name });
  const { id } = await service.call("/api/control/lease", { desk: "alice", seconds: 3_600 }) as {
    id: string;
  };

  await t.step("it is seen, and counts on that desk", async () => {
    expect(await service.call("/api/control/state?desk=alice"))
      .toMatchObject({ mode: "leased", desk: "alice", by: { name: "anyone" } });
    expect(await service.call("/api/control/state")).toMatchObject({ mode: "programs" });
    await service.refused(423, ...AT_ALICE);
    await service.refused(423, "/api/display/screenshot?desk=alice");
    await service.refused(423, "/api/bash/command", { desk: "alice", command: "true" });
    await service.call(...AT_BOB);
    await service.call("/api/mouse/move", { x: 1, y: 1 });
  });

  await t.step("a step of a batch is refused there, too", async () => {
    const steps = [{ operation: "mouse.move", input: { desk: "alice", x: 1, y: 1 } }];
    expect(JSON.stringify(await service.call("/api/batch", { steps }))).toContain("locked");
  });

  await t.step("whoever names it acts there", async () => {
    expect(await sendLeased(desktop, id, ...AT_ALICE)).toBe(204);
    const steps = [{ operation: "mouse.move", input: { x: 21, y: 22 } }];
    expect(await sendLeased(desktop, id, "/api/batch", { desk: "alice", steps })).toBe(200);
    expect(await service.call("/api/mouse/position?desk=bob")).toEqual({ x: 1, y: 1 });
  });

  await t.step("only its holder deletes the desk, and a new one is free", async () => {
    await service.refused(423, "/api/desk/delete", { name: "alice" });
    expect(await sendLeased(desktop, id, "/api/desk/delete", { name: "alice" })).toBe(204);
    await service.refused(404, "/api/control/state?desk=alice");
    await service.refused(404, "/api/control/lease", { desk: "alice", seconds: 60 });
    await service.call("/api/desk/create", { name: "alice" });
    await service.call(...AT_ALICE);
  });
});

Deno.test("a pause of a desk releases what is held there, and leaves the others", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  for (const name of ["alice", "bob"]) {
    await service.call("/api/desk/create", { name });
    await service.call("/api/keyboard/hold", { desk: name, key: "shift" });
  }
  expect(await service.call("/api/control/pause", { desk: "alice", reason: "a look" }))
    .toMatchObject({ mode: "paused", desk: "alice", reason: "a look" });
  await service.refused(423, ...AT_ALICE);
  await service.call(...AT_BOB);
  expect(await service.call("/api/control/resume", { desk: "alice" }))
    .toMatchObject({ mode: "programs" });
  const held = (desk: string) => service.call(`/api/keyboard/held?desk=${desk}`);
  expect(JSON.stringify(await held("alice"))).not.toContain("shift");
  expect(JSON.stringify(await held("bob"))).toContain("shift");
});

Deno.test("the events of a desk tell who has leased it, and those of another one do not", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  for (const name of ["alice", "bob"]) await service.call("/api/desk/create", { name });
  const follow = async (query: string) => {
    const { body } = await service.send(`/api/events?types=control${query}`);
    let text = "";
    (async () => {
      for await (const part of body!.pipeThrough(new TextDecoderStream())) text += part;
    })().catch(() => {}); // the service has ended
    /** Those that have come. */
    return () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
  };
  const all = await follow("");
  const alice = await follow("&desk=alice");
  const bob = await follow("&desk=bob");
  const { id } = await service.call("/api/control/lease", { desk: "alice", seconds: 60 }) as {
    id: string;
  };
  await service.call("/api/control/lease", { desk: "alice", seconds: 60, id }); // no event
  await service.call("/api/control/pause", { desk: "alice" });
  await sendLeased(desktop, id, "/api/control/resume", { desk: "alice" });
  await service.call("/api/control/release-lease", { id });
  await service.call("/api/control/pause", {});
  await waitFor(() => bob().length === 1, { what: "the pause of all" });
  await waitFor(() => all().length >= 5 && alice().length >= 5, { what: "the events" });
  const modes = (told: readonly { mode: string; desk?: string }[]) =>
    told.map(({ mode, desk = "all" }) => `${mode} ${desk}`);
  const expected = [
    ...["leased alice", "paused alice", "leased alice", "programs alice", "paused all"],
  ];
  expect(modes(all())).toEqual(expected);
  expect(modes(alice())).toEqual(expected);
  expect(modes(bob())).toEqual(["paused all"]);
  await service.call("/api/control/resume", {});
});

Deno.test("an operation that waits for a person ends with its desk", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const control = service.session.use(Control);
  await service.call("/api/desk/create", { name: "alice" });
  control.requireApproval(new Set(["bash"]));
  const asked = service.send("/api/bash/command", { desk: "alice", command: "true" });
  const pending = await waitFor(() => control.approvals!.list()[0], { what: "the question" });
  await service.call("/api/desk/delete", { name: "alice" });
  const response = await asked;
  expect([response.status, (await response.json()).detail])
    .toEqual([409, 'The desk "alice" has been deleted']);
  expect(control.approvals!.list()).toEqual([]);
  expect(control.approvals!.decide(pending.id, PERSON, "once")).toBe(false);
});

Deno.test("a token of one desk leases that desk by itself, and no other place", async () => {
  await using desktop = await startDesktop();
  const { service } = desktop;
  const { platform, session, config } = service;
  for (const name of ["alice", "bob"]) await service.call("/api/desk/create", { name });
  const token = await addToken(config.stateDir, { name: "agent", scopes: ["all"], desk: "alice" });
  const app = createApp({ platform, session, config, tokens: await Tokens.open(config) });
  const send = async (path: string, body?: unknown) => {
    const posted = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await app.fetch(
      new Request(`http://127.0.0.1:4242${path}`, {
        headers: {
          ...{ host: "127.0.0.1:4242", "content-type": "application/json" },
          authorization: `Bearer ${token}`,
        },
        ...posted,
      }),
    );
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  const { status, body: { id } } = await send("/api/control/lease", { seconds: 60 });
  expect(status).toBe(200);
  expect((await send("/api/control/state")).body).toMatchObject({ mode: "leased", desk: "alice" });
  await service.refused(423, ...AT_ALICE);
  await service.call(...AT_BOB);
  expect(await service.call("/api/control/state")).toMatchObject({ mode: "programs" });
  expect((await send("/api/control/release-lease", { id })).status).toBe(204);
  await service.call(...AT_ALICE);
});
