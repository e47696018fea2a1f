/** Every operation needs one scope, and nobody gets by another operation what the scope keeps. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { GROUPS, type Scope, SCOPES } from "../../../src/core/groups.ts";
import { type Actor, ANYONE } from "../../../src/features/actor.ts";
import { callName } from "../../../src/features/call_names.ts";
import { allOperations } from "../../../src/features/mod.ts";
import { requireGroup, scopeOf } from "../../../src/features/permissions.ts";
import { testApp, testConfig } from "../../support/client.ts";
import { withScopes } from "../../support/control.ts";

const operations = await allOperations(DEFAULT_LIMITS);
const { signal } = new AbortController();

/** What is neither the rule of its group nor obvious. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  view: [
    ...["display.screenshot", "display.wait", "mouse.position", "keyboard.held", "window.list"],
    ...["window.screenshot", "accessibility.snapshot", "accessibility.find", "browser.snapshot"],
    ...["browser.find", "browser.text", "browser.screenshot", "recording.list", "recording.get"],
    ...["system.info", "control.state", "control.request-help"],
  ],
  input: [
    ...["mouse.move", "keyboard.type", "clipboard.get", "clipboard.set", "window.close"],
    ...["accessibility.act", "browser.click", "browser.navigate", "system.release-all"],
  ],
  files: [
    ...["filesystem.read", "filesystem.info", "filesystem.delete", "editor.view", "editor.create"],
    ...["recording.start", "recording.stop", "recording.delete", "browser.upload"],
  ],
  shell: ["bash.command", "bash.process.output", "bash.processes.managed", "browser.evaluate"],
  keychain: ["keychain.authenticate", "keychain.list-services", "keychain.set-item"],
  control: ["control.pause", "control.resume", "control.lease", "control.release-lease"],
  inner: ["batch", "agents.anthropic", "agents.openai"],
};

Deno.test("every operation needs exactly one scope, or only runs others", () => {
  expect(operations.length).toBeGreaterThan(100);
  for (const operation of operations) {
    const needed = scopeOf(operation);
    expect([...SCOPES, "inner"]).toContain(needed);
    const isInner = operation.runsOthers || operation.group === "agents";
    expect([operation.id, needed === "inner"]).toEqual([operation.id, isInner ?? false]);
  }
});

for (const [scope, names] of Object.entries(EXPECTED)) {
  Deno.test(`the scope of ${names[0]} and the like is ${scope}`, () => {
    const byName = new Map(operations.map((operation) => [callName(operation), operation]));
    for (const name of names) {
      const operation = byName.get(name);
      expect([name, operation && scopeOf(operation)]).toEqual([name, scope]);
    }
  });
}

Deno.test("no operation that changes something is a matter of looking", () => {
  const wrong = operations.filter((each) => scopeOf(each) === "view" && !each.readOnly);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

const MOVE = ["mouse.move", { x: 1, y: 1 }] as const;

Deno.test("a call without the scope is 403, and says which is missing", async () => {
  const app = testApp({ operations });
  const call = (actor: Actor, name: string, input: unknown) =>
    app.callables.prepare(name, input).run({ actor, signal });
  await expect(call(withScopes("view"), ...MOVE)).rejects.toMatchObject({
    code: "forbidden",
    message: '"moveMouse" needs the scope "input", which the token does not have',
  });
  await call(withScopes("input"), ...MOVE);
  expect(app.platform.screen().fake.sent).toEqual(["move 1,1"]);
});

Deno.test("a batch has the scopes of its caller", async () => {
  const app = testApp({ operations });
  const steps = [{ operation: "mouse.position" }, {
    operation: "mouse.move",
    input: { x: 1, y: 1 },
  }];
  const result = await app.callables.prepare("batch", { steps })
    .run({ actor: withScopes("view"), signal });
  expect(result).toMatchObject({
    value: { results: [{ status: "done" }, { status: "failed", error: { code: "forbidden" } }] },
  });
  expect(app.platform.screen().fake.sent).toEqual([]);
});

/** By which scope an operation of another group may use what a group offers. */
const WITHIN = [
  ["filesystem", "files"],
  ["editor", "files"],
  ["bash", "shell"],
  ["keychain", "keychain"],
  ["display", "view"],
  ["mouse", "input"],
] as const;

for (const [group, scope] of WITHIN) {
  Deno.test(`what uses ${group} from elsewhere needs the scope ${scope}, too`, () => {
    const config = testConfig();
    const others = withScopes(...SCOPES.filter((each) => each !== scope));
    expect(() => requireGroup({ actor: others, config }, group))
      .toThrow(`needs the scope "${scope}"`);
    requireGroup({ actor: withScopes(scope), config }, group);
    requireGroup({ actor: ANYONE, config }, group);
  });
}

Deno.test("--disable holds for every scope", () => {
  const config = testConfig({ disabled: new Set(["bash"]) });
  for (const actor of [ANYONE, withScopes(...SCOPES)]) {
    expect(() => requireGroup({ actor, config }, "bash")).toThrow("disabled by --disable");
  }
});

Deno.test("a stored secret is typed only with the scope keychain", async () => {
  const app = testApp({ operations });
  const type = (...scopes: Scope[]) =>
    app.callables.prepare("keyboard.type", { secret: { service: "mail", field: "password" } })
      .run({ actor: withScopes(...scopes), signal });
  await expect(type("input")).rejects.toThrow('needs the scope "keychain"');
});

Deno.test("every group has a rule", () => {
  for (const group of GROUPS) {
    expect(scopeOf({ id: "anything", group, readOnly: true })).toBeDefined();
  }
});
