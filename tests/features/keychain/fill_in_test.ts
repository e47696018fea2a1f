/** authenticate() with coordinates: a real form is filled in as one piece, or nothing is touched. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { startWindowManager } from "../../real_programs/support/window_manager.ts";
import { testApp } from "../../support/client.ts";
import { startDesktop } from "../../support/desktop.ts";
import { openLoginForm } from "../../support/login_form.ts";
import { openXterm } from "../../support/xterm.ts";
import { waitFor } from "../../support/wait.ts";
import { keepSecretsHidden, secretOf } from "../../support/secrets.ts";

keepSecretsHidden();

/** Height of a title bar, or little more: the fields are higher. */
const TITLE_BAR = 20;

const ITEM = { username: "ann@example.org", password: secretOf("cörrect-Horse 9!") };

Deno.test("authenticate() fills in a real login form, whose submitted values are the stored ones", async () => {
  await using desktop = await startDesktop();
  await using form = await openLoginForm(desktop.display);
  const { service } = desktop;
  await service.call("/api/keychain/set-item", { service: "shop", item: ITEM });
  for (const order of [["username", "password"], ["password", "username"]] as const) {
    const authElements = order.map((type) => ({ type, coordinates: form[type] }));
    expect(await service.call("/api/keychain/authenticate", { service: "shop", authElements }))
      .toBe(true);
    await service.call("/api/mouse/left-click", form.password);
    await service.call("/api/keyboard/key", { key: "enter" });
    expect(await form.submitted()).toEqual(ITEM);
  }
});

Deno.test("authenticate() checks values first, and types nothing into the form when one is wrong", async () => {
  await using desktop = await startDesktop();
  await using form = await openLoginForm(desktop.display);
  const { service } = desktop;
  await service.call("/api/keychain/set-item", { service: "shop", item: ITEM });
  const password = { type: "password", coordinates: form.password };
  const check = (...authElements: unknown[]) =>
    service.call("/api/keychain/authenticate", { service: "shop", authElements });
  expect(await check(password, { type: "username", value: "bob" })).toBe(false);
  expect(await check(password, { type: "otp", coordinates: form.username })).toBe(false);
  expect(await check(password, { type: "username", value: ITEM.username })).toBe(true);
  await service.call("/api/keyboard/key", { key: "enter" });
  expect(await form.submitted()).toEqual({ username: "", password: ITEM.password });
});

Deno.test("authenticate() lets nothing else come in between", async () => {
  await using desktop = await startDesktop();
  await using form = await openLoginForm(desktop.display);
  const { service } = desktop;
  await service.call("/api/keychain/set-item", { service: "shop", item: ITEM });
  const authElements = (["username", "password"] as const)
    .map((type) => ({ type, coordinates: form[type] }));
  const filled = service.call("/api/keychain/authenticate", { service: "shop", authElements });
  const others = Array.from({ length: 40 }, async (_, number) => {
    await service.call("/api/keyboard/type", { text: `${number % 10}`, typing_delay: 0 });
  });
  expect(await filled).toBe(true);
  await Promise.all(others);
  await service.call("/api/mouse/left-click", form.password);
  await service.call("/api/keyboard/key", { key: "enter" });
  const { username, password } = await form.submitted();
  expect(username.replaceAll(/^\d*|\d*$/g, "")).toBe(ITEM.username);
  expect(password.startsWith(ITEM.password) || password.endsWith(ITEM.password)).toBe(true);
});

Deno.test("authenticate() fills in a form that has not the focus yet, under a window manager", async () => {
  await using desktop = await startDesktop();
  await using xterm = await openXterm(desktop.display);
  await using _manager = await startWindowManager(desktop.display, "openbox");
  await using form = await openLoginForm(desktop.display, { managed: true });
  const { service } = desktop;
  await service.call("/api/keychain/set-item", { service: "shop", item: ITEM });
  for (let time = 0; time < 5; time++) {
    await xterm.focus();
    await service.type("x");
    await xterm.expectNext("x");
    // the title bar of the window manager moves the form down
    const authElements = (["username", "password"] as const).map((type) => {
      const { x, y } = form[type];
      return { type, coordinates: { x, y: y + TITLE_BAR } };
    });
    await service.call("/api/keychain/authenticate", { service: "shop", authElements });
    await service.call("/api/keyboard/key", { key: "enter" });
    expect(await form.submitted()).toEqual(ITEM);
  }
});

Deno.test("type takes a stored value by its name", async () => {
  await using desktop = await startDesktop();
  await using form = await openLoginForm(desktop.display);
  const { service } = desktop;
  await service.call("/api/keychain/set-item", { service: "shop", item: ITEM });
  await service.call("/api/mouse/left-click", form.password);
  const secret = { service: "shop", field: "password" };
  expect(await service.call("/api/keyboard/type", { secret, typing_delay: 0 })).toBe(null);
  await service.call("/api/keyboard/key", { key: "enter" });
  expect((await form.submitted()).password).toBe(ITEM.password);
});

const at = { x: 10, y: 20 };

Deno.test("authenticate() with coordinates moves, clicks and types, field by field", async () => {
  const app = testApp();
  await app.post("/api/keychain/set-item", { service: "a", item: { username: "x", pin: "12" } });
  const authElements = [
    { type: "pin", coordinates: at },
    { type: "username", coordinates: { x: 1, y: 2 } },
  ];
  expect((await app.post("/api/keychain/authenticate", { service: "a", authElements })).json)
    .toBe(true);
  const { sent } = app.platform.screen().fake;
  const filled = [
    ...["move 10,20", "press left", "release left", "type 1", "type 2"],
    ...["move 1,2", "press left", "release left", "type x"],
  ];
  expect(sent.splice(0)).toEqual(filled);
  await app.post("/api/keychain/authenticate", { service: "a", authElements, clear: true });
  expect(sent.filter((line) => !line.includes(" key "))).toEqual(filled);
  expect(sent.slice(3, 9)).toEqual([
    ...["press key ctrl", "press key a", "release key a", "release key ctrl"],
    ...["press key delete", "release key delete"],
  ]);
});

Deno.test("authenticate() with coordinates empties a field that is filled already with clear only", async () => {
  await using desktop = await startDesktop();
  await using form = await openLoginForm(desktop.display);
  const { service } = desktop;
  await service.call("/api/keychain/set-item", { service: "shop", item: ITEM });
  const authElements = (["username", "password"] as const)
    .map((type) => ({ type, coordinates: form[type] }));
  for (const clear of [undefined, false, true]) {
    for (const point of [form.username, form.password]) {
      await service.call("/api/mouse/left-click", point);
      await service.type("left over", { clear: true });
    }
    const body = { service: "shop", authElements, ...(clear === undefined ? {} : { clear }) };
    expect(await service.call("/api/keychain/authenticate", body)).toBe(true);
    await service.call("/api/keyboard/key", { key: "enter" });
    const { username, password } = await form.submitted();
    if (clear !== true) {
      expect(username).toContain("left over");
      expect(username.length).toBe("left over".length + ITEM.username.length);
      await service.call("/api/mouse/left-click", form.username);
      await service.type("", { clear: true });
    } else expect({ username, password }).toEqual(ITEM);
  }
});

Deno.test("authenticate() types nothing of a form when one of the values cannot be typed, and does not tell why", async () => {
  const app = testApp();
  app.platform.screen().fake.keyboard.untypable.add("漢");
  const item = { username: "ann", password: "secret漢" };
  await app.post("/api/keychain/set-item", { service: "a", item });
  const authElements = ["username", "password"].map((type) => ({ type, coordinates: at }));
  const answer = await app.post("/api/keychain/authenticate", { service: "a", authElements });
  expect(answer.status).toBe(422);
  expect(answer.json.detail).toEqual([{
    loc: ["body", "authElements", 1],
    msg: "The stored value cannot be typed here",
    type: "value_error",
  }]);
  const secret = { service: "a", field: "password" };
  const typed = await app.post("/api/keyboard/type", { secret });
  expect(typed.json.detail).toMatchObject([{ loc: ["body", "secret"], type: "value_error" }]);
  expect(JSON.stringify(typed.json.detail)).not.toContain("6"); // where it stands
  expect(app.platform.screen().fake.sent).toEqual([]);
});

Deno.test("authenticate() releases everything when its client goes away half way", async () => {
  const app = testApp();
  await app.post("/api/keyboard/hold", { key: "shift" });
  await app.post("/api/keychain/set-item", { service: "a", item: { password: "x".repeat(5_000) } });
  const { fake } = app.platform.screen();
  const client = new AbortController();
  const running = app.fetch(
    new Request("http://localhost/api/keychain/authenticate", {
      method: "POST",
      headers: { host: "localhost", "content-type": "application/json" },
      body: JSON.stringify({
        service: "a",
        authElements: [{ type: "password", coordinates: at }],
      }),
      signal: client.signal,
    }),
  );
  await waitFor(() => fake.sent.includes("type x"));
  client.abort();
  await (await running).body?.cancel();
  expect([...fake.keyboard.down, ...fake.mouse.down]).toEqual([]);
  expect(fake.keyboard.typed.length).toBeLessThan(5_000);
  expect((await app.send("GET", "/api/keyboard/held")).json).toEqual([]);
});

Deno.test("authenticate() types nothing into a window that does not take the keyboard", async () => {
  const app = testApp({ config: { limits: { ...DEFAULT_LIMITS, focusWaitMs: 10 } } });
  app.platform.screen().takesFocus = false;
  await app.post("/api/keychain/set-item", { service: "a", item: { password: "p" } });
  const authElements = [{ type: "password", coordinates: at }];
  const answer = await app.post("/api/keychain/authenticate", { service: "a", authElements });
  expect(answer.status).toBe(409);
  expect(answer.json.detail).toContain("the window there does not take the keyboard focus");
  expect(app.platform.screen().fake.keyboard.typed).toBe("");
});

const refused: [string, unknown, string, string][] = [
  ["neither text nor secret", {}, "text", "missing"],
  ["both", { text: "a", secret: { service: "a", field: "b" } }, "secret", "value_error"],
  ["an unknown service", { secret: { service: "none", field: "b" } }, "secret", "value_error"],
  ["an unknown field", { secret: { service: "a", field: "none" } }, "secret", "value_error"],
];

for (const [what, body, field, type] of refused) {
  Deno.test(`type refuses ${what}`, async () => {
    const app = testApp();
    await app.post("/api/keychain/set-item", { service: "a", item: { password: "p" } });
    const answer = await app.post("/api/keyboard/type", body);
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toMatchObject([{ loc: ["body", field], type }]);
    expect(app.platform.screen().fake.sent).toEqual([]);
  });
}

Deno.test("type uses no secret when the keychain is switched off", async () => {
  const app = testApp({ config: { disabled: new Set(["keychain"]) } });
  app.platform.secrets.stored.set("a", '[["password","p"]]');
  const answer = await app.post("/api/keyboard/type", {
    secret: { service: "a", field: "password" },
  });
  expect(answer.status).toBe(403);
  expect(app.platform.screen().fake.sent).toEqual([]);
});
