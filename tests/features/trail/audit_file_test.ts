/** The audit file has a line for each operation, whatever happens to the file, and never what is typed. */

import { expect } from "expect";
import {
  AUDIT_LIMITS,
  AuditFile,
  type AuditLimits,
} from "../../../src/features/trail/audit_file.ts";
import { OperationLog } from "../../../src/features/trail/operation_log.ts";
import { createLog } from "../../../src/core/log.ts";
import { ANYONE } from "../../../src/features/actor.ts";
import { available } from "../../../src/platform/capability.ts";
import { run } from "../../support/desktop.ts";
import { testApp } from "../../support/client.ts";
import { FakeAccessibility } from "../../support/fake_accessibility.ts";
import { testFolder } from "../../support/folder.ts";
import { waitFor } from "../../support/wait.ts";

const LIMITS: AuditLimits = { ...AUDIT_LIMITS, retryMs: 20 };

async function openAudit(limits: Partial<AuditLimits> = {}, name = "audit.jsonl") {
  const folder = await testFolder();
  const path = `${folder.path}/${name}`;
  const app = testApp({ config: { auditFile: path } });
  const logged: string[] = [];
  const open = () =>
    new AuditFile(
      app.session,
      path,
      { ...LIMITS, ...limits },
      createLog((line) => logged.push(line)),
    );
  const read = async (at = path) =>
    (await Deno.readTextFile(at)).split("\n").slice(0, -1).map((line) => JSON.parse(line));
  const move = async (x: number) => {
    expect((await app.post("/api/mouse/move", { x, y: 1 })).status).toBe(204);
    await app.session.use(OperationLog).flush();
  };
  return {
    app,
    path,
    folder: folder.path,
    logged,
    open,
    read,
    move,
    xs: async (at?: string) => (await read(at)).flatMap(({ fields }) => fields?.x ?? []),
    [Symbol.asyncDispose]: async () => {
      await app.session[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("each operation is one line, with who, what, how it ended and how long it took", async () => {
  await using audit = await openAudit();
  await using file = audit.open();
  const { app } = audit;
  await app.post("/api/mouse/move", { x: 3, y: 4, effect: true }, { "x-request-id": "one" });
  await app.post("/api/filesystem/read", { path: "/nonexistent/file" });
  await app.post("/api/batch", {
    steps: [{ operation: "mouse.move", input: { x: 5, y: 6 } }],
  }, { "x-request-id": "two" });
  await app.post("/api/mouse/move", { x: 3, yy: 4 }); // is no operation
  await waitFor(async () => (await audit.read()).length === 4);
  const lines = await audit.read();
  expect(lines).toMatchObject([
    { operation: "mouse.move", request_id: "one", who: "anyone", kind: "program", outcome: "done" },
    { operation: "filesystem.read", outcome: "not_found", fields: { path: "/nonexistent/file" } },
    { operation: "mouse.move", request_id: "two", fields: { x: 5, y: 6 } },
    { operation: "batch", request_id: "two", omitted: ["steps"], outcome: "done" },
  ]);
  expect(lines[0].effect).toMatch(/^(confirmed|unverified)$/);
  for (const line of lines) {
    expect(Date.now() - Date.parse(line.time)).toBeLessThan(60_000);
    expect(line.duration_ms).toBeGreaterThanOrEqual(0);
  }
  expect((await Deno.stat(audit.path)).mode! & 0o777).toBe(0o600);
  expect(file.state).toMatchObject({ ready: true });
});

Deno.test("neither what is typed nor what is stored or written is in the file", async () => {
  await using audit = await openAudit();
  const { app } = audit;
  {
    await using _file = audit.open();
    const path = `${audit.folder}/note.txt`;
    const item = { password: "s3cretCanary" };
    const stored = await app.post("/api/keychain/set-item", { service: "shop", item });
    expect(stored.status).toBe(204);
    for (const part of ["typed", "Can", "ary"]) {
      await app.post("/api/keyboard/type", { text: part });
    }
    for (const key of "typedCanary") await app.post("/api/keyboard/key", { key });
    await app.post("/api/clipboard/set", { text: "typedCanary" });
    await app.post("/api/filesystem/write", { path, content: "fileCanary" });
    await app.post("/api/bash/command", { command: "echo fileCanary >/dev/null" });
    await app.post("/api/browser/fill", { ref: "e1", value: 471147 });
    await app.post("/api/filesystem/read", { path: "/nowhere/s3cretCanary" });
    expect((await app.post("/api/control/pause", { reason: "for s3cretCanary" })).status).toBe(200);
  }
  const text = await Deno.readTextFile(audit.path);
  expect(text.split("\n").length).toBeGreaterThan(15);
  for (const canary of ["typedCanary", "fileCanary", "s3cretCanary", "471147", '"t"']) {
    expect([canary, text.includes(canary)]).toEqual([canary, false]);
  }
  expect(text).toContain('"command":"echo"');
});

Deno.test("what a caller gives in place of a key, or of what the service gave, is hidden", async () => {
  await using audit = await openAudit();
  const { app } = audit;
  {
    await using _file = audit.open();
    const item = { password: "s3cretCanary" };
    await app.post("/api/keychain/set-item", { service: "shop", item });
    await app.post("/api/keyboard/key", { key: "typedCanary" });
    await app.post("/api/browser/key", { key: "typedCanary", tab_id: "s3cretCanary" });
    await app.post("/api/mouse/left-click", { ref: "s3cretCanary" });
    await app.post("/api/mouse/left-click", { x: 1, y: 1, frame: "s3cretCanary" });
    await app.post("/api/accessibility/snapshot", { window: "s3cretCanary" });
    await app.post("/api/mouse/left-click", { ref: "e404" });
    await app.post("/api/keyboard/key", { key: "enter" });
  }
  const lines = await audit.read();
  expect([lines.length, JSON.stringify(lines)]).toEqual([8, expect.not.stringMatching(/Canary/)]);
  expect(lines.slice(-2).map(({ fields }) => fields.ref ?? fields.key)).toEqual(["e404", "enter"]);
});

Deno.test("the line of a ref names its element, without what was typed", async () => {
  await using audit = await openAudit();
  const { app } = audit;
  const accessibility = new FakeAccessibility();
  app.platform.screen().accessibility = available(accessibility);
  const bounds = { x: 10, y: 10, width: 80, height: 20 };
  accessibility.roots = [{
    ...{ id: "top", role: "window", name: "Form", window: "w1", pid: 7, bounds },
    children: [{ id: "save", role: "button", name: "Save marigold", pid: 7, bounds }],
  }];
  {
    await using _file = audit.open();
    await app.post("/api/keyboard/type", { text: "marigold" });
    const { json } = await app.post("/api/accessibility/find", { role: "button", window: "w1" });
    await app.post("/api/mouse/left-click", { ref: json.elements[0].ref });
  }
  expect((await audit.read()).at(-1)).toMatchObject({
    operation: "mouse.left-click",
    element: 'button "Save …"',
  });
});

Deno.test("a file that is removed or renamed is begun anew, said once, and no line is lost", async () => {
  await using audit = await openAudit();
  const renamed = `${audit.path}.old`;
  {
    await using file = audit.open();
    await audit.move(1);
    await waitFor(async () => (await audit.xs()).length === 1);
    await Deno.rename(audit.path, renamed);
    for (let x = 2; x <= 4; x++) await audit.move(x);
    await waitFor(async () => (await audit.xs()).length === 3);
    expect(await audit.xs(renamed)).toEqual([1]);
    await Deno.remove(audit.path);
    await audit.move(5);
    await waitFor(async () => (await audit.xs()).length === 1);
    expect(file.state.ready).toBe(true);
  }
  expect(await audit.xs()).toEqual([5]);
  const said = audit.logged.filter((line) => line.includes("removed or renamed"));
  expect([said.length, audit.logged.length]).toEqual([2, 2]);
});

const blocked: [what: string, block: (path: string) => Promise<unknown>, why: RegExp][] = [
  ["a FIFO", (path) => run("mkfifo", [path]), /not a regular file/],
  ["a folder", (path) => Deno.mkdir(path), /not a regular file/],
  ["a loop of links", (path) => Deno.symlink(path, path), /loop|symbolic/i],
];

for (const [what, block, why] of blocked) {
  Deno.test(`${what} in its place is said once, in the log and in /readyz, and holds up nothing`, async () => {
    await using audit = await openAudit();
    await block(audit.path);
    const app = audit.app;
    app.session.use(AuditFile); // as the service has it: /readyz asks for it
    await using file = audit.open();
    for (let x = 1; x <= 5; x++) await audit.move(x);
    await waitFor(() => !file.state.ready);
    expect(file.state.reason).toMatch(why);
    await waitFor(async () => !(await app.send("GET", "/readyz")).json.audit.ready);
    const { json } = await app.send("GET", "/readyz");
    expect(json.audit.reason).toMatch(why);
    await new Promise((resolve) => setTimeout(resolve, 100)); // some attempts
    expect(audit.logged.filter((line) => line.includes("not written"))).toHaveLength(1);
    await Deno.remove(audit.path, { recursive: true });
    await waitFor(() => file.state.ready);
    expect(audit.logged.at(-1)).toContain("written again");
  });
}

Deno.test("lines wait while there is no folder, the oldest go first, and how many is a line", async () => {
  await using audit = await openAudit({ maxWaiting: 2_000 }, "later/audit.jsonl");
  await using file = audit.open();
  for (let x = 1; x <= 40; x++) await audit.move(x);
  await waitFor(() => !file.state.ready);
  await Deno.mkdir(`${audit.folder}/later`);
  await waitFor(async () => (await audit.xs()).at(-1) === 40);
  const lines = await audit.read();
  const lost = lines.filter(({ event }) => event === "lost");
  const xs = await audit.xs();
  expect(lost.reduce((sum, { count }) => sum + count, 0)).toBe(40 - xs.length);
  expect(lost.length).toBeGreaterThan(0);
  expect(xs).toEqual([...new Set(xs)].sort((one, other) => one - other));
  expect(xs.length).toBeGreaterThan(3);
});

Deno.test("it is rotated by its size, and so many old ones are kept", async () => {
  await using audit = await openAudit({ maxBytes: 500, maxOld: 2 });
  {
    await using _file = audit.open();
    for (let x = 1; x <= 30; x++) {
      await audit.move(x);
      await waitFor(async () => (await audit.xs()).at(-1) === x);
    }
  }
  const entries = await Array.fromAsync(Deno.readDir(audit.folder));
  const names = entries.map(({ name }) => name).sort();
  expect(names).toEqual(["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]);
  const all = [
    ...await audit.xs(`${audit.path}.2`),
    ...await audit.xs(`${audit.path}.1`),
    ...await audit.xs(),
  ];
  expect(all).toEqual(all.map((_, at) => 31 - all.length + at));
  for (const name of names) {
    expect((await Deno.stat(`${audit.folder}/${name}`)).size).toBeLessThan(1_000);
  }
});

Deno.test("a second service does not write into the file of the first", async () => {
  await using audit = await openAudit();
  await using first = audit.open();
  await waitFor(() => first.state.ready && Deno.statSync(audit.path).isFile);
  await using other = await testFolder();
  const app = testApp({ config: { auditFile: `${other.path}/x` } });
  await using second = new AuditFile(app.session, audit.path, LIMITS, createLog(() => {}));
  await waitFor(() => !second.state.ready);
  expect(second.state.reason).toContain("another service writes it");
});

Deno.test("after half a line of a service that was killed the next one is whole", async () => {
  await using audit = await openAudit();
  await Deno.writeTextFile(audit.path, '{"operation":"mouse.mo');
  {
    await using _file = audit.open();
    await audit.move(7);
  }
  const [half, whole] = (await Deno.readTextFile(audit.path)).split("\n");
  expect(half).toBe('{"operation":"mouse.mo');
  expect(JSON.parse(whole!)).toMatchObject({ operation: "mouse.move", fields: { x: 7 } });
});

Deno.test("the last operations are written at the end of the service", async () => {
  await using audit = await openAudit();
  {
    await using _file = audit.open();
    await audit.app.post("/api/mouse/move", { x: 9, y: 1 });
  }
  expect(await audit.xs()).toEqual([9]);
});

Deno.test("what still runs at the end of the service is a line, too", async () => {
  await using audit = await openAudit();
  {
    await using _file = audit.open();
    const call = { id: "moveMouse", group: "mouse", method: "POST", readOnly: false } as const;
    audit.app.session.noteCall!({ ...call, path: "/api/mouse/move" }, { x: 9 }, { actor: ANYONE });
  }
  const [line] = await audit.read();
  expect(line).toMatchObject({ operation: "mouse.move", fields: { x: 9 }, outcome: "running" });
});
