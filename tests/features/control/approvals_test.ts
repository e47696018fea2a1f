/** Operations that wait for a person: who is asked, what is shown, and how it ends. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { type Actor, ANYONE } from "../../../src/features/actor.ts";
import type { Approvals, PendingApproval } from "../../../src/features/control/approvals.ts";
import { findUnknownNames } from "../../../src/features/control/approved_names.ts";
import { Control } from "../../../src/features/control/control.ts";
import { allOperations } from "../../../src/features/mod.ts";
import { settle, VirtualTime } from "../../simulation/virtual_time.ts";
import { type TestApp, testApp } from "../../support/client.ts";
import { AGENT, ANNA } from "../../support/control.ts";

const MANY_TURNS = 1_000;
const operations = await allOperations(DEFAULT_LIMITS);

interface Asking {
  readonly app: TestApp;
  readonly control: Control;
  readonly approvals: Approvals;
  readonly sent: readonly string[];
  /** Calls an operation by name. */
  call(name: string, input: unknown, options?: CallOptions): Promise<unknown>;
  /** The first that waits. */
  first(): Promise<PendingApproval>;
}

interface CallOptions {
  readonly actor?: Actor;
  readonly signal?: AbortSignal;
}

function asking(...names: readonly string[]): Asking {
  const app = testApp({ operations, config: { approve: new Set(names) } });
  const control = app.session.use(Control);
  const approvals = control.approvals!;
  return {
    app,
    control,
    approvals,
    sent: app.platform.screen().fake.sent,
    async call(name, input, { actor = ANYONE, signal = new AbortController().signal } = {}) {
      return await app.callables.prepare(name, input).run({ actor, signal });
    },
    async first() {
      for (let turn = 0; turn < MANY_TURNS && approvals.list().length === 0; turn++) await settle();
      const [first] = approvals.list();
      if (first === undefined) throw new Error("Nothing waits");
      return first;
    },
  };
}

const MOVE = ["mouse.move", { x: 1, y: 2 }] as const;

Deno.test("an operation waits until a person allows it, each time anew", async () => {
  const { call, first, approvals, sent } = asking("mouse");
  for (const count of [1, 2]) {
    const moving = call(...MOVE);
    const { id, operation, name } = await first();
    expect([operation, name]).toEqual(["mouse.move", "anyone"]);
    expect(sent).toHaveLength(count - 1);
    expect(approvals.decide(id, ANNA, "once")).toBe(true);
    expect(approvals.decide(id, ANNA, "once")).toBe(false);
    await moving;
    expect(sent).toHaveLength(count);
  }
});

Deno.test("allowed for the session: the same operation of the same program waits no more", async () => {
  const { call, first, approvals, sent } = asking("mouse");
  const moving = call(...MOVE);
  approvals.decide((await first()).id, ANNA, "session");
  await moving;
  await call(...MOVE);
  expect(sent).toHaveLength(2);
  for (const other of [call(...MOVE, { actor: AGENT }), call("mouse.click", { x: 1, y: 1 })]) {
    approvals.decide((await first()).id, ANNA, "refuse");
    await expect(other).rejects.toMatchObject({ code: "forbidden" });
  }
});

Deno.test("refused: 403 with the reason, and nothing is done", async () => {
  const { app, first, approvals, sent } = asking("mouse.move");
  const answer = app.post("/api/mouse/move", { x: 1, y: 2 });
  approvals.decide((await first()).id, ANNA, "refuse", "not this one");
  expect(await answer).toMatchObject({
    status: 403,
    json: { code: "forbidden", detail: 'Anna has refused "mouse.move": not this one' },
  });
  expect(sent).toEqual([]);
  expect((await app.send("GET", "/api/mouse/position")).status).toBe(200); // is not named
});

Deno.test("nobody answers: 403 after 5 minutes", async () => {
  using time = new VirtualTime();
  const { call, first, approvals } = asking("mouse");
  const moving = call(...MOVE);
  moving.catch(() => {}); // awaited below
  await first();
  while (approvals.list().length > 0) {
    time.advance();
    await settle();
  }
  expect(time.now).toBe(300_000);
  await expect(moving).rejects.toMatchObject({
    code: "forbidden",
    message: 'Nobody has allowed "mouse.move" within 5 minutes',
  });
});

Deno.test("it ends with its client, and when a person takes over", async () => {
  const { call, control, first, approvals, sent } = asking("mouse");
  const client = new AbortController();
  const left = call(...MOVE, { signal: client.signal });
  const { id } = await first();
  client.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(approvals.decide(id, ANNA, "once")).toBe(false);
  const ended = call(...MOVE);
  ended.catch(() => {}); // awaited below
  const second = await first();
  await control.takeOver(ANNA);
  await expect(ended).rejects.toMatchObject({ code: "locked" });
  expect(approvals.decide(second.id, ANNA, "once")).toBe(false);
  expect([approvals.list(), sent]).toEqual([[], []]);
});

Deno.test("it ends with the service", async () => {
  const { app, call, first, sent } = asking("mouse");
  const moving = call(...MOVE);
  moving.catch(() => {}); // awaited below
  await first();
  await app.session[Symbol.asyncDispose]();
  await expect(moving).rejects.toMatchObject({ code: "forbidden" });
  expect(sent).toEqual([]);
});

Deno.test("a person's own operations do not wait", async () => {
  const { call, sent } = asking("mouse");
  await call(...MOVE, { actor: ANNA });
  expect(sent).toHaveLength(1);
});

Deno.test("a program cannot decide", async () => {
  const { call, first, approvals } = asking("mouse");
  const moving = call(...MOVE);
  const { id } = await first();
  expect(() => approvals.decide(id, AGENT, "once")).toThrow(TypeError);
  approvals.decide(id, ANNA, "refuse");
  await expect(moving).rejects.toThrow("has refused");
});

Deno.test("a step of a batch waits by itself", async () => {
  const { call, first, approvals, sent } = asking("mouse.move");
  const running = call("batch", {
    steps: [{ operation: "mouse.click", input: {} }, { operation: "mouse.move", input: MOVE[1] }],
  });
  const { id } = await first();
  expect(sent).toContain("release left");
  expect(sent).not.toContain("move 1,2");
  approvals.decide(id, ANNA, "once");
  await running;
  expect(sent).toContain("move 1,2");
});

/** Fields that a call has, as a person is shown them. */
async function shownOf(name: string, input: object): Promise<PendingApproval> {
  const { call, first, approvals } = asking(name.split(".")[0]!);
  const calling = call(name, input);
  calling.catch(() => {}); // awaited below
  const shown = await first();
  approvals.decide(shown.id, ANNA, "refuse");
  await expect(calling).rejects.toThrow("has refused");
  return shown;
}

Deno.test("what is typed or written is not shown, and is not allowed for the session", async () => {
  const cases = [
    ["keyboard.type", { text: "hunter2" }, "text"],
    ["filesystem.write", { path: "/tmp/a", content: "hunter2" }, "content"],
    ["bash.command", { command: "sh", stdin: "hunter2" }, "stdin"],
    ["bash.command", { command: "sh", env: { PATH: "hunter2" } }, "env.PATH"],
    ["keychain.set-item", { service: "mail", item: { url: "hunter2" } }, "item.url"],
  ] as const;
  for (const [name, input, hidden] of cases) {
    const { fields, session } = await shownOf(name, input);
    expect(JSON.stringify(fields)).not.toContain("hunter2");
    expect(fields).toContainEqual({ name: hidden });
    expect([name, session]).toEqual([name, false]);
  }
});

Deno.test("what is run is shown in full, and may be allowed for the session", async () => {
  const long = `echo hello;${" ".repeat(300)}\nrm -rf ~`;
  const command = await shownOf("bash.command", { command: long });
  expect(command.fields).toContainEqual({ name: "command", value: long });
  expect(command.session).toBe(true);
  const program = await shownOf("window.open", { program: "sh", args: ["-c", "id"] });
  expect(program.fields).toContainEqual({ name: "args.0", value: "-c" });
  expect(program.fields).toContainEqual({ name: "args.1", value: "id" });
  expect(program.session).toBe(true);
});

Deno.test("of what is longer a person is told how much is missing", async () => {
  const command = `true ${"#".repeat(5_000)}; id`;
  const { fields, session } = await shownOf("bash.command", { command });
  const [shown] = fields.filter(({ name }) => name === "command");
  expect(shown).toEqual({
    name: "command",
    value: command.slice(0, 4_096),
    more: command.length - 4_096,
  });
  expect(session).toBe(false);
  const many = { program: "sh", args: Array.from({ length: 60 }, () => "x") };
  const cut = await shownOf("window.open", many);
  expect(cut.fields.at(-1)).toEqual({ name: "..." });
  expect(cut.session).toBe(false);
});

Deno.test("nothing hides in what is shown: signs that are not seen have their numbers", async () => {
  const { fields } = await shownOf("bash.command", { command: "a\u202eb\u200bc\rd\u00a0e\tf\nb" });
  expect(fields).toContainEqual({
    name: "command",
    value: "a\\u{202e}b\\u{200b}c\\u{d}d\\u{a0}e\tf\nb",
  });
});

Deno.test("of an address neither user, query nor content is shown", async () => {
  const open = (url: string) => shownOf("window.open", { url });
  const { fields, session } = await open("https://ada:hunter2@shop.example/pay?token=hunter2#x");
  const [url] = fields.filter(({ name }) => name === "url");
  expect(url).toMatchObject({ value: "https://shop.example/pay", more: expect.any(Number) });
  expect(session).toBe(false);
  expect(JSON.stringify(fields)).not.toContain("hunter2");
  const page = await open("data:text/html,hunter2");
  expect(page.fields).toContainEqual(expect.objectContaining({ name: "url", value: "data:…" }));
});

Deno.test("what is not all shown waits on when a page wants it for the session", async () => {
  const { call, first, approvals } = asking("keyboard");
  const typing = call("keyboard.type", { text: "a" });
  const { id } = await first();
  expect(() => approvals.decide(id, ANNA, "session")).toThrow("Not all of it is shown");
  approvals.decide(id, ANNA, "once");
  await typing;
});

Deno.test("a program's own token does not allow what it asks, where another makes a person", async () => {
  const { call, first, approvals } = asking("mouse");
  const agent: Actor = { ...AGENT, token: "one" };
  const person: Actor = { ...ANNA, token: "one" };
  const moving = call(...MOVE, { actor: agent });
  const { id } = await first();
  approvals.hasOtherPerson = (token) => token === "one";
  expect(() => approvals.decide(id, person, "once")).toThrow("by your own token");
  approvals.decide(id, { ...ANNA, token: "two" }, "once");
  await moving;
  approvals.hasOtherPerson = () => false; // it is the only one
  const second = call(...MOVE, { actor: agent });
  approvals.decide((await first()).id, person, "once");
  await second;
});

Deno.test("at most 8 operations of one program wait, and 32 in all", async () => {
  const { call, approvals } = asking("mouse");
  const client = new AbortController();
  const { signal } = client;
  const actor = (number: number): Actor => ({ ...AGENT, token: `token-${number}` });
  const all = [1, 2, 3, 4].flatMap((number) =>
    Array.from({ length: 8 }, () => call(...MOVE, { signal, actor: actor(number) }))
  );
  await expect(call(...MOVE, { actor: actor(1) })).rejects.toMatchObject({ code: "unavailable" });
  await expect(call(...MOVE, { actor: actor(5) })).rejects.toMatchObject({ code: "unavailable" });
  for (let turn = 0; turn < MANY_TURNS && approvals.list().length < 32; turn++) await settle();
  expect(approvals.list()).toHaveLength(32);
  client.abort();
  const ended = await Promise.allSettled(all);
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(approvals.list()).toEqual([]);
});

Deno.test("listeners hear of each change", async () => {
  const { call, first, approvals } = asking("mouse");
  const counts: number[] = [];
  using _listening = approvals.onChange((pending) => counts.push(pending.length));
  const moving = call(...MOVE);
  approvals.decide((await first()).id, ANNA, "once");
  await moving;
  expect(counts).toEqual([1, 0]);
});

Deno.test("findUnknownNames() finds what no operation is called", async () => {
  const names = ["bash", "filesystem.delete", "display.wait", "mouse.fly", "bash.process.output"];
  expect(await findUnknownNames(new Set(names), DEFAULT_LIMITS)).toEqual(["mouse.fly"]);
});
