/** Stored values are typed in the order of the requests, and a keychain that hangs holds nobody up for ever. */

import { expect } from "expect";
import { DEFAULT_LIMITS, type Limits } from "../../../src/config/limits.ts";
import { type TestApp, testApp } from "../../support/client.ts";
import { FakeTarget } from "../../support/fake_targets.ts";
import { waitFor } from "../../support/wait.ts";
import { Refs } from "../../../src/features/input/targets/refs.ts";

const at = { x: 10, y: 20 };
const secret = { service: "a", field: "password" };
const FILL = { service: "a", clear: false, authElements: [{ type: "password", coordinates: at }] };
const CLICK = ["move 10,20", "press left", "release left"];

interface Slow extends TestApp {
  /** Lets the keychain answer. */
  answer(): void;
  readonly sent: readonly string[];
}

/** An app whose keychain does not answer yet. */
async function startSlow(limits: Partial<Limits> = {}): Promise<Slow> {
  const app = testApp({ config: { limits: { ...DEFAULT_LIMITS, ...limits } } });
  await app.post("/api/keychain/set-item", { service: "a", item: { password: "p" } });
  const gate = Promise.withResolvers<void>();
  app.platform.secrets.open = gate.promise;
  return { ...app, answer: gate.resolve, sent: app.platform.screen().fake.sent };
}

const requests: [string, string, unknown, string[]][] = [
  ["type with a secret", "/api/keyboard/type", { secret }, ["type p"]],
  ["authenticate with coordinates", "/api/keychain/authenticate", FILL, [...CLICK, "type p"]],
];

for (const [what, path, body, sent] of requests) {
  Deno.test(`${what} is not overtaken by a later request`, async () => {
    const app = await startSlow();
    const first = app.post(path, body);
    const later = app.post("/api/keyboard/type", { text: "x" });
    const click = app.post("/api/mouse/left-click", { x: 1, y: 2 });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(app.sent).toEqual([]);
    app.answer();
    expect((await first).status).toBe(200);
    await Promise.all([later, click]);
    expect(app.sent).toEqual([...sent, "type x", "move 1,2", "press left", "release left"]);
  });

  Deno.test(`${what} gives its turn up when the keychain hangs`, async () => {
    const app = await startSlow({ keychainTimeoutMs: 20 });
    const first = app.post(path, body);
    const later = app.post("/api/keyboard/type", { text: "x" });
    expect(await first).toMatchObject({
      status: 503,
      json: { detail: "Nothing was typed: the keychain did not respond within 20 ms" },
    });
    expect((await later).status).toBe(200);
    expect(app.sent).toEqual(["type x"]);
    app.answer();
  });

  Deno.test(`${what} is ended by release-all while the keychain hangs`, async () => {
    const app = await startSlow();
    const first = app.post(path, body);
    await waitFor(async () => {
      await app.post("/api/system/release-all", {});
      return (await Promise.race([first, undefined]))?.status === 409;
    });
    app.answer();
    expect(app.sent).toEqual([]);
  });
}

Deno.test("authenticate() with values alone does not hold up the display", async () => {
  const app = await startSlow();
  const checking = app.post("/api/keychain/authenticate", {
    service: "a",
    authElements: [{ type: "password", value: "p" }],
  });
  expect((await app.post("/api/keyboard/type", { text: "x" })).status).toBe(200);
  app.answer();
  expect((await checking).json).toBe(true);
});

Deno.test("readyz answers while the keychain hangs, and asks it once", async () => {
  const app = await startSlow();
  const answers = await Promise.all([1, 2, 3].map(() => app.send("GET", "/readyz")));
  for (const { status, json } of answers) {
    expect(status).toBe(200);
    expect(json.keychain).toEqual({
      ready: false,
      reason: "The keychain did not respond within 200 ms",
    });
  }
  expect(app.platform.secrets.asked).toBe(1);
  app.answer();
  await waitFor(async () => (await app.send("GET", "/readyz")).json.keychain.ready);
});

Deno.test("type with a secret and a ref focuses the element once the keychain has answered", async () => {
  const app = await startSlow();
  const sent = app.platform.screen().fake.sent;
  const ref = app.session.use(Refs).add(new FakeTarget({ sent }));
  const typing = app.post("/api/keyboard/type", { secret, ref });
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  expect(sent).toEqual([]);
  app.answer();
  expect((await typing).status).toBe(200);
  // where it is, so that it is black in what is recorded then and later
  expect(sent).toEqual(["focus", "reveal", "type p"]);
});

Deno.test("type with a value that is not stored focuses nothing", async () => {
  const app = testApp();
  const sent = app.platform.screen().fake.sent;
  const ref = app.session.use(Refs).add(new FakeTarget({ sent }));
  expect((await app.post("/api/keyboard/type", { secret, ref })).status).toBe(422);
  expect(sent).toEqual([]);
});
