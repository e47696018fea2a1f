/** Recorded steps: what is kept, what never is, how they are exported, and what is bounded. */

import { expect } from "expect";
import { available } from "../../../../src/platform/capability.ts";
import { KnownSecrets } from "../../../../src/features/secrets/known_secrets.ts";
import { keptFields } from "../../../../src/features/trail/trajectory/kept_fields.ts";
import { MAX_STEPS } from "../../../../src/features/trail/trajectory/trajectory.ts";
import { FakeAccessibility } from "../../../support/fake_accessibility.ts";
import type { FakePlatformOptions } from "../../../support/fake_platform.ts";
import { testApp } from "../../../support/client.ts";
import { testFolder } from "../../../support/folder.ts";
import { callTool } from "../../../support/mcp.ts";
import { waitFor } from "../../../support/wait.ts";

type App = ReturnType<typeof testApp>;

async function openRecorded(
  body: object = { pictures: false, trees: false },
  platform: FakePlatformOptions = {},
) {
  const [folder, state] = [await testFolder(), await testFolder()];
  const app = testApp({ config: { stateDir: state.path }, platform });
  const started = await app.post("/api/trail/start", body);
  expect([started.status, started.text]).toEqual([200, expect.anything()]);
  let exports = 0;
  return {
    app,
    folder: folder.path,
    id: started.json.id as string,
    async export(format: string) {
      const path = `${folder.path}/export${++exports}`;
      const { status, json } = await app.post("/api/trail/export", { format, path });
      expect([status, json]).toMatchObject([200, { path }]);
      return path;
    },
    [Symbol.asyncDispose]: async () => {
      await app.session[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
    },
  };
}

async function act(app: App): Promise<void> {
  await app.post("/api/mouse/left-click", { x: 3, y: 4, effect: true }, { "x-request-id": "one" });
  await app.post("/api/keyboard/type", { text: "marigold" });
  await app.post("/api/keyboard/key", { key: "t" });
  await app.post("/api/keyboard/key", { key: "ctrl+s" });
  await app.post("/api/mouse/left-click", { ref: "e404" });
  await app.post("/api/filesystem/write", { path: "/nowhere/x", content: "tulips" });
  await app.post("/api/batch", {
    steps: [{ operation: "mouse.move", input: { x: 5, y: 6 } }],
  });
  await app.send("GET", "/api/mouse/position");
  await app.post("/api/control/pause", {});
  await app.post("/api/control/resume", {});
}

// deno-lint-ignore no-explicit-any -- JSON
async function readAtif(path: string): Promise<any> {
  return JSON.parse(await Deno.readTextFile(`${path}/trajectory.json`));
}

// deno-lint-ignore no-explicit-any -- JSON
function stepsOf(document: any): any[] {
  // deno-lint-ignore no-explicit-any -- JSON
  return document.steps.flatMap(({ extra }: any) => extra.trail.operation ? [extra.trail] : []);
}

Deno.test("what changes something is a step, with its fields and how it ended; texts by their length", async () => {
  await using recorded = await openRecorded();
  await act(recorded.app);
  const document = await readAtif(await recorded.export("atif"));
  const steps = stepsOf(document);
  expect(steps.map(({ operation, outcome }) => [operation, outcome])).toEqual([
    ["mouse.left-click", "done"],
    ["keyboard.type", "done"],
    ["keyboard.key", "done"],
    ["keyboard.key", "done"],
    ["mouse.left-click", "conflict"],
    ["filesystem.write", expect.any(String)],
    ["mouse.move", "done"],
  ]);
  expect(steps[0]).toMatchObject({
    number: 1,
    request_id: "one",
    actor: "anyone",
    fields: { x: 3, y: 4, click_count: 1 },
    omitted: [],
    surface: "desktop",
    targets: { point: { point: { x: 3, y: 4 } } },
    effect: { effect: expect.any(String) },
  });
  expect(steps[1]).toMatchObject({ fields: { text: { text_length: 8 } }, omitted: ["text"] });
  expect(steps[2]).toMatchObject({ fields: { key: { text_length: 1 } }, omitted: ["key"] });
  expect(steps[3]).toMatchObject({ fields: { key: "ctrl+s" }, omitted: [] });
  expect(steps[4]).toMatchObject({ fields: { ref: "e404" } });
  expect(steps[5].omitted).toContain("content");
  expect(JSON.stringify(document)).not.toMatch(/marigold|tulips/);
  expect(document).toMatchObject({
    schema_version: "ATIF-v1.8",
    trajectory_id: recorded.id,
    agent: { name: "computer-control" },
  });
  expect(document.steps[1]).toMatchObject({
    source: "agent",
    llm_call_count: 0,
    tool_calls: [{ function_name: "mouse.left-click", tool_call_id: "call-1" }],
    observation: { results: [{ source_call_id: "call-1" }] },
  });
});

Deno.test("a tool of MCP and a turn of an agent are no steps beside what they do", async () => {
  await using recorded = await openRecorded();
  const { app } = recorded;
  await callTool(app.fetch, "left_click", { coordinate: [3, 4] });
  await callTool(app.fetch, "bash", { command: "true" });
  await callTool(app.fetch, "key", { text: "Return" });
  const input = { action: "left_click", coordinate: [5, 6] };
  const content = [{ type: "tool_use", id: "a", name: "computer", input }];
  await app.post("/api/agents/anthropic", { content, settle_ms: 0 });
  const steps = stepsOf(await readAtif(await recorded.export("atif")));
  expect(steps.map(({ operation }) => operation)).toEqual(
    ["mouse.left-click", "bash.command", "keyboard.key", "mouse.left-click"],
  );
});

Deno.test("what is done on another display is no step", async () => {
  const body = { pictures: false, trees: false, display_num: 7 };
  await using recorded = await openRecorded(body, { displays: [1, 7] });
  const { app } = recorded;
  await app.post("/api/mouse/move", { x: 1, y: 1 });
  await app.post("/api/mouse/move", { x: 2, y: 2, display_num: 7 });
  const steps = stepsOf(await readAtif(await recorded.export("atif")));
  expect(steps.map(({ fields }) => [fields.display_num, fields.x])).toEqual([[7, 2]]);
});

Deno.test("the display of a step is that of its element or picture", async () => {
  const body = { pictures: false, trees: false };
  await using on1 = await openRecorded(body, { displays: [1, 7] });
  const { app, id } = on1;
  const on7 = (await app.post("/api/trail/start", { ...body, display_num: 7 })).json.id;
  const picture = await app.send("GET", "/api/display/screenshot?display_num=7");
  const frame = picture.headers.get("x-frame");
  await app.post("/api/mouse/move", { x: 1, y: 1 });
  await app.post("/api/mouse/move", { x: 2, y: 2, frame });
  const xs = async (id: string) => {
    const path = `${on1.folder}/of-${id}`;
    await app.post("/api/trail/export", { id, format: "atif", path });
    return stepsOf(await readAtif(path)).map(({ fields }) => fields.x);
  };
  expect([await xs(id), await xs(on7)]).toEqual([[1], [2]]);
});

Deno.test("typed texts are kept where that was asked for, stored secrets and contents never", async () => {
  await using recorded = await openRecorded({ pictures: false, trees: false, texts: true });
  const { app } = recorded;
  const item = { password: "s3cretCanary" };
  await app.post("/api/keychain/set-item", { service: "shop", item });
  await act(app);
  await app.post("/api/keyboard/type", { text: "my s3cretCanary" });
  await app.post("/api/keyboard/type", { secret: { service: "shop", field: "password" } });
  const authElements = [{ type: "password", value: "s3cretCanary" }];
  await app.post("/api/keychain/authenticate", { service: "shop", authElements });
  const steps = stepsOf(await readAtif(await recorded.export("atif")));
  const texts = JSON.stringify(steps);
  expect(texts).toContain("marigold");
  expect(texts).not.toMatch(/tulips|s3cretCanary/);
  expect(steps.at(-2).fields.secret).toEqual({ service: "shop", field: "password" });
  expect(steps.at(-1).fields).toMatchObject({
    service: "shop",
    authElements: [{ type: "password" }],
  });
});

Deno.test("OSWorld's form has one line for each step", async () => {
  await using recorded = await openRecorded();
  await act(recorded.app);
  const path = await recorded.export("osworld");
  const lines = (await Deno.readTextFile(`${path}/traj.jsonl`)).trimEnd().split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.length).toBe(7);
  expect(lines[0]).toMatchObject({
    step_num: 1,
    action_timestamp: expect.stringMatching(/^\d{8}@\d{12}$/),
    action: { action_type: "MOUSE_LEFT_CLICK", x: 3, y: 4 },
    done: false,
  });
  expect(lines.at(-1).done).toBe(true);
});

Deno.test("OSWorld's lines name the picture after each step", async () => {
  await using recorded = await openRecorded({ trees: false }, { size: { width: 64, height: 48 } });
  for (const x of [3, 5, 7]) await recorded.app.post("/api/mouse/move", { x, y: 4 });
  const path = await recorded.export("osworld");
  const lines = (await Deno.readTextFile(`${path}/traj.jsonl`)).trimEnd().split("\n")
    .map((line) => JSON.parse(line));
  const named = lines.map(({ screenshot_file }) => screenshot_file);
  const names = (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name);
  expect(names.sort()).toEqual(["step_0.jpg", ...new Set(named), "traj.jsonl"].sort());
  for (const name of named) {
    expect((await Deno.readFile(`${path}/${name}`)).slice(0, 3)).toEqual(JPEG_START);
  }
});

const JPEG_START = new Uint8Array([0xff, 0xd8, 0xff]);

Deno.test("a key that was refused may be a text, and is not kept without texts", async () => {
  for (const texts of [false, true]) {
    await using recorded = await openRecorded({ pictures: false, trees: false, texts });
    await recorded.app.post("/api/keyboard/key", { key: "marigold" });
    const [step] = stepsOf(await readAtif(await recorded.export("atif")));
    expect([step.outcome, step.fields.key]).toEqual(["invalid", texts ? "marigold" : undefined]);
    expect(step.omitted).toEqual(texts ? [] : ["key"]);
  }
});

Deno.test("what is not redacted yet is not exported, and is said to be missing", async () => {
  await using recorded = await openRecorded();
  const { app } = recorded;
  const { promise: known, resolve } = Promise.withResolvers<void>();
  app.session.use(KnownSecrets).ready = () => known;
  await app.post("/api/mouse/left-click", { x: 3, y: 4, modifiers: ["ctrl"] });
  const [step] = stepsOf(await readAtif(await recorded.export("atif")));
  expect(step).toMatchObject({ outcome: "done", fields: {} });
  expect(step.omitted).toEqual(expect.arrayContaining(["x", "y", "modifiers"]));
  resolve();
});

Deno.test("the page asks for nothing and what programs say is text to it", async () => {
  await using recorded = await openRecorded();
  const { app } = recorded;
  const path = "/nowhere/</script><img src=x onerror=alert(1)>";
  await app.post("/api/filesystem/delete", { path });
  const page = await Deno.readTextFile(await recorded.export("html"));
  expect(page).toContain("default-src 'none'");
  expect(page).not.toContain("<img");
  expect(page.match(/<\/script>/g)!.length).toBe(2);
  const [, data] = /id="trajectory">(.*?)<\/script>/s.exec(page)!;
  expect(JSON.parse(data!).steps[0].fields.path).toBe(path);
});

Deno.test("an export replaces nothing, and leaves nothing half done", async () => {
  await using recorded = await openRecorded();
  const { app, folder } = recorded;
  const post = (path: string) => app.post("/api/trail/export", { format: "atif", path });
  await Deno.mkdir(`${folder}/there`);
  expect((await post(`${folder}/there`)).json.code).toBe("already_exists");
  expect((await post(`${folder}/none/x`)).json.code).toBe("not_found");
  expect((await post("relative\0")).status).toBe(422);
  expect((await post(`${folder}/new`)).status).toBe(200);
  const entries = await Array.fromAsync(Deno.readDir(folder));
  expect(entries.map(({ name }) => name).sort()).toEqual(["new", "there"]);
  expect((await Deno.stat(`${folder}/new`)).mode! & 0o777).toBe(0o700);
  expect((await app.post("/api/trail/export", { format: "gif", path: `${folder}/y` })).status)
    .toBe(422);
});

Deno.test("it ends once, is found by its id or as the newest, and so many are kept", async () => {
  await using recorded = await openRecorded();
  const { app } = recorded;
  await app.post("/api/mouse/move", { x: 1, y: 1 });
  const stopped = await app.post("/api/trail/stop", { id: recorded.id });
  expect(stopped.json).toMatchObject({ ended_by: "stop", steps: 1 });
  await app.post("/api/mouse/move", { x: 2, y: 1 });
  expect((await app.post("/api/trail/stop", {})).json).toEqual(stopped.json);
  const start = () => app.post("/api/trail/start", { pictures: false, trees: false });
  for (let count = 0; count < 4; count++) expect((await start()).status).toBe(200);
  expect((await start()).json.code).toBe("unavailable");
  const other = crypto.randomUUID();
  expect((await app.post("/api/trail/stop", { id: other })).status).toBe(404);
  expect((await app.post("/api/trail/stop", { id: "x" })).status).toBe(422);
});

Deno.test("the last four that have ended are kept", async () => {
  await using recorded = await openRecorded();
  const { app } = recorded;
  for (let count = 0; count < 5; count++) {
    await app.post("/api/trail/stop", {});
    await app.post("/api/trail/start", { pictures: false, trees: false });
  }
  expect((await app.post("/api/trail/stop", { id: recorded.id })).json.code).toBe("not_found");
});

Deno.test("it ends with its thousandth step, or when its time is over", async () => {
  await using recorded = await openRecorded();
  const { app, id } = recorded;
  for (let x = 0; x <= MAX_STEPS; x++) await app.post("/api/mouse/move", { x: x % 50, y: 1 });
  expect((await app.post("/api/trail/stop", { id })).json)
    .toMatchObject({ ended_by: "steps", steps: MAX_STEPS, dropped: { steps: 1 } });
  await app.post("/api/trail/start", { pictures: false, trees: false, max_seconds: 1 });
  const endedBy = async () =>
    (await readAtif(await recorded.export("atif"))).extra.trail.ended_by as string | null;
  expect(await waitFor(endedBy)).toBe("time");
});

Deno.test("the elements of its steps have 32 MiB, and it is counted what had no room", async () => {
  await using recorded = await openRecorded({ pictures: false });
  const { app, id } = recorded;
  const accessibility = new FakeAccessibility();
  app.platform.screen().accessibility = available(accessibility);
  const bounds = { x: 0, y: 0, width: 90, height: 90 };
  const children = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ id: `c${index}`, role: "button", name: `${index} ${"x".repeat(180)}`, pid: 7, bounds },
  }));
  const top = { id: "top", role: "window", name: "Form", window: "w1", pid: 7, bounds };
  accessibility.roots = [{ ...top, children }];
  for (let step = 0; step < 80; step++) await app.post("/api/keyboard/key", { key: "enter" });
  const { size, dropped } = (await app.post("/api/trail/stop", { id })).json;
  expect(size).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect(size).toBeGreaterThan(30 * 1024 * 1024);
  expect(dropped.trees).toBeGreaterThan(0);
});

Deno.test("neither the end nor an export waits for an operation that goes on", async () => {
  await using recorded = await openRecorded();
  const { app } = recorded;
  await app.post("/api/mouse/move", { x: 1, y: 1 });
  const { sent } = app.platform.screen().fake;
  const before = sent.length;
  let hasEnded = false;
  const typing = app.post("/api/keyboard/type", { text: "x".repeat(45), typing_delay: 100 })
    .then(({ status }) => {
      hasEnded = true;
      return status;
    });
  const steps = async () => stepsOf(await readAtif(await recorded.export("atif")));
  await waitFor(() => sent.length > before);
  expect((await steps()).map(({ outcome }) => outcome)).toEqual(["done", "running"]);
  expect((await app.post("/api/trail/stop", {})).json).toMatchObject({ steps: 2 });
  expect(hasEnded).toBe(false);
  expect(await typing).toBe(200);
  expect((await steps()).map(({ outcome }) => outcome)).toEqual(["done", "done"]);
});

Deno.test("an export of nothing is one with the first step alone", async () => {
  await using recorded = await openRecorded();
  const { steps } = await readAtif(await recorded.export("atif"));
  expect(steps).toMatchObject([{ step_id: 1, source: "system" }]);
  expect(await Deno.readTextFile(`${await recorded.export("osworld")}/traj.jsonl`)).toBe("");
});

const kept: [string, string, Record<string, unknown>, object, readonly string[]][] = [
  ["browser", "a number that is filled in", { ref: "e1", value: 4711 }, {
    ref: "e1",
    value: { text_length: 4 },
  }, ["value"]],
  ["browser", "chosen options", { value: ["one", "two"] }, {
    value: [{ text_length: 3 }, { text_length: 3 }],
  }, ["value.0", "value.1"]],
  ["keyboard", "keys in a list", { keys: ["shift", "a"] }, {
    keys: ["shift", { text_length: 1 }],
  }, ["keys.1"]],
  ["keyboard", "a shifted key", { key: "shift+A" }, { key: { text_length: 7 } }, ["key"]],
  ["keyboard", "a key by its place", { key: "KeyA" }, { key: { text_length: 4 } }, ["key"]],
  ["display", "what is waited for", { until: { text: "abc" } }, {
    until: { text: { text_length: 3 } },
  }, ["until.text"]],
  ["bash", "a command", { command: "echo secret", timeout: 3 }, {}, ["command", "timeout"]],
];

Deno.test("the texts of a step are kept up to what can be typed at once", () => {
  const value = Array.from({ length: 1_000 }, () => "x".repeat(100_000));
  const { fields, omitted } = keptFields("browser", { ref: "e1", value }, {
    texts: true,
    seen: {},
  });
  expect([JSON.stringify(fields).length < 150_000, omitted.length]).toEqual([true, 999]);
});

for (const [group, what, input, fields, omitted] of kept) {
  Deno.test(`of ${group} ${what} is not kept without texts`, () => {
    expect(keptFields(group, input, { texts: false, seen: {} })).toEqual({ fields, omitted });
  });
}
