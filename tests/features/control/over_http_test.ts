/** Who may act, as clients meet it: statuses, headers, streams, MCP, the operations of the group. */

import { expect } from "expect";
import { z } from "zod";
import { json } from "../../../src/features/operation.ts";
import { Control } from "../../../src/features/control/control.ts";
import { Streamed } from "../../../src/features/streamed.ts";
import { allOperations } from "../../../src/features/mod.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { received, type TestApp, testApp } from "../../support/client.ts";
import { ANNA, BOB } from "../../support/control.ts";
import { callTool } from "../../support/mcp.ts";
import { doing } from "../../support/sample_operations.ts";
import { waitFor } from "../../support/wait.ts";

const MOVE = ["/api/mouse/move", { x: 3, y: 4 }] as const;
const NOTICE = "display changed: take a new picture";

/** An operation of a group that can be refused. */
const acting = { id: "act", group: "mouse", readOnly: false, path: "/api/sample/act" } as const;

function controlOf({ session }: TestApp): Control {
  return session.use(Control);
}

Deno.test("while a person has control, every operation but those on the state is 423 at once", async () => {
  const operations = await allOperations(DEFAULT_LIMITS);
  const app = testApp({ operations });
  await controlOf(app).takeOver(ANNA);
  const refused = ["/api/display/pixel_color", "/api/clipboard/get", "/api/bash/command"];
  for (
    const path of [...refused, "/api/filesystem/read", "/api/batch", "/api/system/release-all"]
  ) {
    const body = {
      x: 1,
      y: 1,
      command: "true",
      path: "/tmp",
      steps: [{ operation: "mouse.position" }],
    };
    const { shape } = operations.find((each) => each.path === path)!.body!;
    const known = Object.entries(body).filter(([name]) => name in shape);
    const { status, json } = await app.post(path, Object.fromEntries(known));
    expect([path, status, json.code]).toEqual([path, 423, "locked"]);
    expect(json.detail).toMatch(/^Anna has control since /);
  }
  for (const path of ["/api/window/list", "/api/mouse/position", "/api/keychain/list-services"]) {
    expect([path, (await app.send("GET", path)).status]).toEqual([path, 423]);
  }
  expect((await app.post(...MOVE)).status).toBe(423);
  for (const path of ["/healthz", "/readyz", "/api/system/info", "/api/control/state"]) {
    expect([path, (await app.send("GET", path)).status]).toEqual([path, 200]);
  }
  expect(app.platform.screen().fake.sent).toEqual([]);
  const info = await app.send("GET", "/api/system/info");
  expect(info.json.control).toEqual({ mode: "person", by: "Anna" });
  expect(app.logged).toEqual([]);
});

for (const way of ["by its path", "by its name"]) {
  Deno.test(`what a trail holds up ${way} is not done once its caller may not act, or has left`, async () => {
    const app = testApp();
    const control = controlOf(app);
    const leaving = new AbortController();
    let meanwhile: () => unknown = () => control.takeOver(ANNA);
    const [path, fields] = MOVE;
    app.session.noteCall = (call) =>
      call.path === path ? { prepare: async () => void await meanwhile(), end() {} } : undefined;
    const [called, body] = way === "by its path"
      ? MOVE
      : ["/api/batch", { steps: [{ operation: "mouse.move", input: fields }] }];
    const request = () =>
      new Request(`http://localhost${called}`, {
        method: "POST",
        headers: { host: "localhost", "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: leaving.signal,
      });
    expect((await received(await app.fetch(request()))).status).toBe(423);
    await control.handBack(ANNA);
    meanwhile = () => leaving.abort();
    await received(await app.fetch(request()));
    expect(app.platform.screen().fake.sent).toEqual([]);
    meanwhile = () => {};
    await app.post(...MOVE);
    expect(app.platform.screen().fake.sent).toHaveLength(1);
  });
}

Deno.test("the person's own calls by name are answered meanwhile", async () => {
  const app = testApp({ operations: await allOperations(DEFAULT_LIMITS) });
  await controlOf(app).takeOver(ANNA);
  const move = app.callables.prepare("mouse.move", { x: 3, y: 4 });
  const { signal } = new AbortController();
  await move.run({ actor: ANNA, signal });
  await expect(move.run({ actor: BOB, signal })).rejects.toMatchObject({ code: "locked" });
  const { fake } = app.platform.screen();
  expect(fake.sent).toEqual(["move 3,4"]);
  await app.callables.prepare("keyboard.hold", { key: "a" }).run({ actor: ANNA, signal });
  expect(fake.keyboard.down.size).toBe(1);
  await controlOf(app).handBack(ANNA);
  expect(fake.keyboard.down.size).toBe(0);
});

Deno.test("an operation that runs when a person takes over is stopped, and answered 423", async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const app = testApp({
    operations: [doing(async ({ signal }) => {
      begun.resolve(signal);
      await new Promise((_, reject) => signal.addEventListener("abort", reject));
    }, acting)],
  });
  const answer = app.post(acting.path, {});
  const signal = await begun.promise;
  expect(signal.aborted).toBe(false);
  await controlOf(app).takeOver(ANNA);
  expect(signal.aborted).toBe(true);
  expect((await answer).json).toMatchObject({ code: "locked" });
});

for (const end of ["succeeds", "fails"] as const) {
  Deno.test(`an operation that does not notice and ${end} is not answered either`, async () => {
    const begun = Promise.withResolvers<void>();
    const going = Promise.withResolvers<void>();
    const app = testApp({
      operations: [doing(async () => {
        begun.resolve();
        await going.promise;
        if (end === "fails") throw new Error("an accident");
        return "a picture of a password";
      }, { ...acting, answer: json("A text.", z.string()) })],
    });
    const answer = app.post(acting.path, {});
    await begun.promise;
    const taking = controlOf(app).takeOver(ANNA);
    going.resolve();
    const { status, text } = await answer;
    expect(status).toBe(423);
    expect(text).not.toContain("password");
    await taking;
  });
}

Deno.test("an answer that is being sent is cut off when a person takes over", async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const bytes = new TextEncoder().encode("[1, ");
  const app = testApp({
    operations: [doing(() => {
      const stream = new ReadableStream({
        pull: (controller) => controller.enqueue(bytes),
        cancel: () => resolve(),
      }, { highWaterMark: 0 });
      return new Streamed(stream, ended);
    }, { ...acting, answer: json("Numbers.", z.array(z.number())) })],
  });
  const request = new Request(`http://localhost${acting.path}`, {
    method: "POST",
    headers: { host: "localhost", "content-type": "application/json" },
    body: "{}",
  });
  const reader = (await app.fetch(request)).body!.getReader();
  expect((await reader.read()).value).toEqual(bytes);
  await controlOf(app).takeOver(ANNA);
  await expect((async () => {
    while (!(await reader.read()).done);
  })()).rejects.toMatchObject({ code: "locked" });
  await ended; // its source is told
});

Deno.test("a large picture that is being sent is cut off, too", async () => {
  const app = testApp({
    operations: [doing(() => ({ mediaType: "image/png", bytes: new Uint8Array(1_000_000) }), {
      ...acting,
      answer: { status: 200, description: "Bytes.", mediaTypes: ["image/png"] },
    })],
  });
  const request = () =>
    new Request(`http://localhost${acting.path}`, {
      method: "POST",
      headers: { host: "localhost", "content-type": "application/json" },
      body: "{}",
    });
  const sending = await app.fetch(request());
  await controlOf(app).takeOver(ANNA);
  await expect(sending.arrayBuffer()).rejects.toMatchObject({ code: "locked" });
  await controlOf(app).handBack(ANNA);
  expect((await (await app.fetch(request())).arrayBuffer()).byteLength).toBe(1_000_000);
});

Deno.test("a batch that runs when a person takes over is 423 as a whole", async () => {
  const app = testApp({ operations: await allOperations(DEFAULT_LIMITS) });
  const { fake } = app.platform.screen();
  const steps = [
    { operation: "keyboard.hold", input: { key: "shift" } },
    { operation: "keyboard.key", input: { key: "a", duration_ms: 60_000 } },
    { operation: "mouse.move", input: { x: 1, y: 1 } },
  ];
  const answer = app.post("/api/batch", { steps });
  await waitFor(() => fake.keyboard.down.has("a"), { what: "the key that is held" });
  await controlOf(app).takeOver(ANNA);
  expect([...fake.keyboard.down]).toEqual([]);
  expect((await answer).status).toBe(423);
  expect(fake.sent.filter((line) => line.startsWith("move"))).toEqual([]);
});

Deno.test("what was queued when a person took over is never done", async () => {
  const app = testApp({ operations: await allOperations(DEFAULT_LIMITS) });
  const { fake } = app.platform.screen();
  const first = app.post("/api/keyboard/key", { key: "a", duration_ms: 60_000 });
  await waitFor(() => fake.keyboard.down.has("a"), { what: "the key that is held" });
  const queued = [1, 2, 3].map((x) => app.post("/api/mouse/move", { x, y: 0 }));
  await controlOf(app).takeOver(ANNA);
  await controlOf(app).handBack(ANNA);
  const answers = await Promise.all([first, ...queued]);
  expect(answers.map(({ status }) => status)).toEqual([423, 423, 423, 423]);
  expect(fake.sent.filter((line) => line.startsWith("move"))).toEqual([]);
});

Deno.test("the first answer after a hand-back says that the display has changed, also where it fails", async () => {
  const app = testApp({ operations: await allOperations(DEFAULT_LIMITS) });
  const notice = async (path: string, body?: unknown) => {
    const answer = await (body === undefined ? app.send("GET", path) : app.post(path, body));
    return answer.headers.get("x-control-notice");
  };
  expect(await notice(...MOVE)).toBeNull();
  const firsts: [path: string, body: unknown][] = [
    [...MOVE],
    ["/api/filesystem/read", { path: "/nothing" }],
  ];
  for (const first of firsts) {
    await controlOf(app).takeOver(ANNA);
    expect(await notice(...MOVE)).toBeNull();
    await controlOf(app).handBack(ANNA);
    expect(await notice("/api/control/state")).toBeNull();
    expect(await notice(...first)).toBe(NOTICE);
    expect(await notice(...MOVE)).toBeNull();
  }
});

Deno.test("tools of MCP say who has control, and afterwards that the display has changed", async () => {
  const app = testApp();
  const move = () => callTool(app.fetch, "mouse_move", { coordinate: [1, 1] });
  expect((await move()).isError).toBeFalsy();
  await controlOf(app).takeOver(ANNA);
  const refused = await move();
  expect(refused.isError).toBe(true);
  expect(refused.content[0].text).toMatch(/^Anna has control since /);
  await controlOf(app).handBack(ANNA);
  expect((await move()).content.at(-1)).toEqual({ type: "text", text: NOTICE });
  expect((await move()).content.at(-1)?.text).not.toBe(NOTICE);
});

Deno.test("the tool request_help waits until a person has handed back", async () => {
  const app = testApp();
  const control = controlOf(app);
  const asking = callTool(app.fetch, "request_help", { reason: "A login", timeout: 3_600 });
  await waitFor(() => control.help.list().length === 1, { what: "the request" });
  expect(control.help.list()[0]!.reason).toBe("A login");
  await control.takeOver(ANNA);
  await control.handBack(ANNA, "done");
  expect((await asking).structuredContent)
    .toEqual({ outcome: "handed_back", by: "Anna", reason: "done" });
});

Deno.test("pause, resume, lease and release-lease over HTTP", async () => {
  const app = testApp({ operations: await allOperations(DEFAULT_LIMITS) });
  const status = async (headers = {}) => (await app.post(...MOVE, headers)).status;
  const paused = await app.post("/api/control/pause", { reason: "tests" });
  expect(paused.json).toMatchObject({ mode: "paused", reason: "tests", by: { name: "anyone" } });
  expect(await status()).toBe(423);
  expect((await app.post("/api/system/release-all", {})).status).toBe(204);
  expect((await app.post("/api/control/lease", { seconds: 60 })).status).toBe(423);
  expect((await app.post("/api/control/resume", {})).json).toMatchObject({ mode: "programs" });

  const lease = await app.post("/api/control/lease", { seconds: 60 });
  expect(lease.status).toBe(200);
  const { id, until } = lease.json;
  expect(new Date(until).toISOString()).toBe(until);
  expect(await status()).toBe(423);
  expect(await status({ "x-control-lease": "other" })).toBe(423);
  expect(await status({ "x-control-lease": id })).toBe(204);
  const steps = [{ operation: "mouse.move", input: { x: 1, y: 1 } }];
  const batch = await app.post("/api/batch", { steps }, { "x-control-lease": id });
  expect(batch.json.results).toMatchObject([{ status: "done" }]);
  expect((await app.post("/api/control/lease", { seconds: 60 })).status).toBe(409);
  expect((await app.post("/api/control/lease", { seconds: 60, id })).status).toBe(200);
  expect((await app.post("/api/control/release-lease", { id: "other" })).status).toBe(404);
  expect((await app.post("/api/control/release-lease", { id })).status).toBe(204);
  expect(await status()).toBe(204);
});

Deno.test("request-help answers when a person has handed back, and ends with its client", async () => {
  const app = testApp({ operations: await allOperations(DEFAULT_LIMITS) });
  const control = controlOf(app);
  const body = { reason: "A captcha", timeout_ms: 3_600_000 };
  const asking = app.post("/api/control/request-help", body);
  await waitFor(() => control.help.list().length === 1, { what: "the request" });
  expect((await app.send("GET", "/api/control/state")).json.help).toMatchObject([
    { name: "anyone", reason: "A captcha" },
  ]);
  await control.takeOver(ANNA);
  await control.handBack(ANNA);
  expect((await asking).json).toEqual({ outcome: "handed_back", by: "Anna" });

  const client = new AbortController();
  const request = new Request("http://localhost/api/control/request-help", {
    method: "POST",
    headers: { host: "localhost", "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: client.signal,
  });
  const left = app.fetch(request);
  await waitFor(() => control.help.list().length === 1, { what: "the request" });
  client.abort();
  expect((await received(await left)).status).toBe(499);
  expect(control.help.list()).toEqual([]);
});

Deno.test("a reason of more than 500 characters, and a lease of more than an hour, are 422", async () => {
  const app = testApp({ operations: await allOperations(DEFAULT_LIMITS) });
  const wrong = [
    ["request-help", { reason: "x".repeat(501) }],
    ["request-help", { reason: "x", timeout_ms: 86_400_001 }],
    ["pause", { reason: "" }],
    ["lease", { seconds: 3_601 }],
    ["lease", { seconds: 0 }],
  ] as const;
  for (const [name, body] of wrong) {
    const { status } = await app.post(`/api/control/${name}`, body);
    expect([name, status]).toEqual([name, 422]);
  }
});

Deno.test("--disable control leaves a person's control as it is", async () => {
  const operations = await allOperations(DEFAULT_LIMITS);
  const app = testApp({ operations, config: { disabled: new Set(["control"]) } });
  expect((await app.send("GET", "/api/control/state")).status).toBe(403);
  await controlOf(app).takeOver(ANNA);
  expect((await app.post(...MOVE)).status).toBe(423);
});
