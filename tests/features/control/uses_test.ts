/** What an operation uses of other groups: `--disable`, scopes and `--approve` hold for it alike. */

import { join } from "node:path";
import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import type { Config } from "../../../src/config/config.ts";
import type { Group } from "../../../src/core/groups.ts";
import { type Scope, SCOPES } from "../../../src/core/groups.ts";
import { callName } from "../../../src/features/call_names.ts";
import { Control } from "../../../src/features/control/control.ts";
import { allOperations } from "../../../src/features/mod.ts";
import { settle } from "../../simulation/virtual_time.ts";
import { type TestApp, testApp } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";
import { AGENT, ANNA, withScopes } from "../../support/control.ts";

const operations = await allOperations(DEFAULT_LIMITS);
const MANY_TURNS = 1_000;

/** A call, the group that it uses, and the scope without which it may not. */
type Use = readonly [name: string, input: object, group: Group, scope: Scope];

const SECRET = { service: "mail", field: "password" };
const USES: readonly Use[] = [
  ["window.open", { program: "xterm", args: ["-e", "id"] }, "bash", "shell"],
  ["window.open", { path: "/etc/passwd" }, "filesystem", "files"],
  ["window.open", { url: "FILE:///etc/passwd" }, "filesystem", "files"],
  ["window.screenshot", { id: "1" }, "display", "view"],
  ["display.locate", { image_path: "/a.png" }, "filesystem", "files"],
  ["display.wait", { until: { image: "/a.png" } }, "filesystem", "files"],
  ["display.wait", { until: { file: { path: "/etc" } } }, "filesystem", "files"],
  ["display.wait", { until: { gone: { file: { path: "/etc" } } } }, "filesystem", "files"],
  ["display.wait", { until: { text: "Save" } }, "accessibility", "view"],
  ["display.wait", { until: { window: { title: "a" } } }, "window", "view"],
  ["keyboard.type", { secret: SECRET }, "keychain", "keychain"],
  ["bash.command", { command: "env", env_secrets: { A: SECRET } }, "keychain", "keychain"],
  ["clipboard.set", { files: ["/etc/passwd"] }, "filesystem", "files"],
  ["browser.open", { url: " file:///etc/passwd" }, "filesystem", "files"],
  ["browser.navigate", { url: "file:///etc/passwd" }, "filesystem", "files"],
  ["browser.upload", { ref: "e1", paths: ["/etc/passwd"] }, "filesystem", "files"],
  ["accessibility.snapshot", { screenshot: true }, "display", "view"],
  [
    "keychain.authenticate",
    { service: "mail", authElements: [{ type: "password", coordinates: { x: 1, y: 1 } }] },
    "mouse",
    "input",
  ],
  ["control.link", { expires_in_seconds: 60 }, "display", "view"],
  ["trail.start", {}, "display", "view"],
  ["trail.start", { pictures: false }, "accessibility", "view"],
  ["trail.export", { format: "atif", path: "/nowhere/export" }, "filesystem", "files"],
  ["browser.state.save", { name: "a" }, "keychain", "keychain"],
  ["browser.state.load", { name: "a" }, "keychain", "keychain"],
  ["browser.state.list", {}, "keychain", "keychain"],
  ["browser.state.delete", { name: "a" }, "keychain", "keychain"],
];

/** The same calls with fields that use nothing of another group. */
const HARMLESS: readonly (readonly [name: string, input: object, group: Group])[] = [
  ["display.wait", { until: "change" }, "filesystem"],
  ["keyboard.type", { text: "a" }, "keychain"],
  ["clipboard.set", { text: "a" }, "filesystem"],
  ["trail.start", { pictures: false, trees: false }, "display"],
];

function open(config: Partial<Config>): TestApp {
  return testApp({ operations, config });
}

function call(app: TestApp, name: string, input: object, actor = AGENT): Promise<unknown> {
  const { signal } = new AbortController();
  // what is switched off may be refused before
  return Promise.try(() => app.callables.prepare(name, input).run({ actor, signal }));
}

for (const [name, input, group, scope] of USES) {
  const what = `${name} ${JSON.stringify(input)}`;

  Deno.test(`${what} is refused where ${group} is disabled`, async () => {
    const app = open({ disabled: new Set([group]) });
    await expect(call(app, name, input)).rejects.toMatchObject({
      code: "forbidden",
      message: `The group "${group}" is disabled by --disable`,
    });
  });

  Deno.test(`${what} needs the scope ${scope}, too`, async () => {
    const others = SCOPES.filter((each) => each !== scope);
    await expect(call(open({}), name, input, withScopes(...others))).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringContaining(`needs the scope "${scope}"`),
    });
  });
}

for (const [name, input, group] of USES) {
  Deno.test(`${name} ${JSON.stringify(input)} waits with --approve ${group}`, async () => {
    const app = open({ approve: new Set([group]) });
    const { approvals } = app.session.use(Control);
    const calling = call(app, name, input);
    calling.catch(() => {}); // awaited below
    for (let turn = 0; turn < MANY_TURNS && approvals!.list().length === 0; turn++) await settle();
    const [pending] = approvals!.list();
    expect(pending?.operation).toBe(name);
    approvals!.decide(pending!.id, ANNA, "refuse");
    await expect(calling).rejects.toThrow(`Anna has refused "${name}"`);
  });
}

for (const [name, input, group] of HARMLESS) {
  Deno.test(`${name} ${JSON.stringify(input)} has nothing to do with ${group}`, () => {
    const operation = operations.find((each) => callName(each) === name);
    expect(operation?.uses?.(input)).toEqual([]);
  });
}

Deno.test("a script in a page waits with --approve bash", async () => {
  const app = open({ approve: new Set(["bash"]) });
  const { approvals } = app.session.use(Control);
  const calling = call(app, "browser.evaluate", { expression: "1" });
  calling.catch(() => {}); // awaited below
  for (let turn = 0; turn < MANY_TURNS && approvals!.list().length === 0; turn++) await settle();
  approvals!.decide(approvals!.list()[0]!.id, ANNA, "refuse");
  await expect(calling).rejects.toThrow('Anna has refused "browser.evaluate"');
});

Deno.test("each command in a shell that keeps its state waits, and its start does not", async () => {
  const app = open({ approve: new Set(["bash"]) });
  const { approvals } = app.session.use(Control);
  const content = (command: string) => [
    { type: "tool_use", id: "t1", name: "bash", input: { command } },
  ];
  for (const command of ["echo one", "echo two"]) {
    const calling = call(app, "agents.anthropic", { content: content(command) });
    for (let turn = 0; turn < MANY_TURNS && approvals!.list().length === 0; turn++) await settle();
    const [pending, ...others] = approvals!.list();
    expect(others).toEqual([]);
    expect(pending).toMatchObject({
      operation: "bash.command",
      fields: expect.arrayContaining([{ name: "command", value: command }]),
    });
    approvals!.decide(pending!.id, ANNA, "refuse");
    expect(JSON.stringify(await calling)).toContain('Anna has refused \\"bash.command\\"');
  }
});

function usesTool(name: string, input: object) {
  return { content: [{ type: "tool_use", id: "t1", name, input }] };
}

function editing(command: string, fields: object) {
  return { command, ...fields };
}

const view = editing("view", { path: "/etc/hostname" });
/** What vendors' tools do in another way than the operations: name, input, which it is like, scope. */
const LIKE_OPERATIONS = [
  ["bash", { command: "id" }, "bash.command", "shell"],
  ["bash", { restart: true }, "bash.restart", "shell"],
  ["str_replace_based_edit_tool", view, "editor.view", "files"],
  ["str_replace_editor", view, "editor.view", "files"],
] as const;

for (const [tool, input, name, scope] of LIKE_OPERATIONS) {
  const turn = usesTool(tool, input);

  Deno.test(`${tool} ${JSON.stringify(input)} waits as ${name} does`, async () => {
    const app = open({ approve: new Set([name]) });
    const { approvals } = app.session.use(Control);
    const calling = call(app, "agents.anthropic", turn);
    for (let round = 0; round < MANY_TURNS && approvals!.list().length === 0; round++) {
      await settle();
    }
    const [pending] = approvals!.list();
    expect(pending?.operation).toBe(name);
    approvals!.decide(pending!.id, ANNA, "refuse");
    expect(JSON.stringify(await calling)).toContain(`Anna has refused \\"${name}\\"`);
  });

  Deno.test(`${tool} ${JSON.stringify(input)} needs the scope ${scope}`, async () => {
    const others = SCOPES.filter((each) => each !== scope);
    const answer = await call(open({}), "agents.anthropic", turn, withScopes(...others));
    expect(JSON.stringify(answer)).toContain(`needs the scope \\"${scope}\\"`);
  });
}

Deno.test("what Claude's editor shows of a change is left out where viewing waits", async () => {
  await using folder = await testFolder();
  const path = join(folder.path, "a.txt");
  await Deno.writeTextFile(path, "hunter2\n");
  const insert = editing("insert", { path, insert_line: 1, insert_text: "more" });
  const turn = usesTool("str_replace_based_edit_tool", insert);
  const stateDir = folder.path;
  const shown = JSON.stringify(await call(open({ stateDir }), "agents.anthropic", turn));
  expect(shown).toContain("hunter2");
  const app = open({ stateDir, approve: new Set(["editor.view"]) });
  const answer = JSON.stringify(await call(app, "agents.anthropic", turn));
  expect(answer).toContain("has been edited");
  expect(answer).not.toContain("hunter2");
});

Deno.test("every operation that uses another group is tried here", () => {
  const tried = new Set(USES.map(([name]) => name));
  const app = open({});
  const using = operations.filter(({ uses }) => uses !== undefined).map(({ id }) => id);
  const known = [...tried].map((name) => app.callables.find(name)!.id);
  expect(using.toSorted()).toEqual(known.toSorted());
});
