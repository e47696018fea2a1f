/** Stored values do not leave in part where texts are cut, nor in titles of windows and in errors. */

import { expect } from "expect";
import { ServiceError } from "../../../src/core/errors.ts";
import { cutRawText, RAW_CUT_MARK } from "../../../src/core/texts.ts";
import { redactCut, redactError, redactTexts } from "../../../src/features/secrets/redact_texts.ts";
import { itemToText } from "../../../src/features/secrets/stored.ts";
import { available } from "../../../src/platform/capability.ts";
import { testApp } from "../../support/client.ts";
import { FakeWindows } from "../../support/fake_windows.ts";
import { secretOf } from "../../support/secrets.ts";

const SECRET = secretOf("cut");
const LABEL = "[redacted:mail/password]";

async function openApp() {
  const app = testApp();
  const item = { password: SECRET };
  expect((await app.post("/api/keychain/set-item", { service: "mail", item })).status).toBe(204);
  const windows = new FakeWindows();
  app.platform.screen().windows = available(windows);
  const { config, session } = app;
  return { app, windows, redacting: { config, session, signal: new AbortController().signal } };
}

const PAGE = "A long text of a page, ".repeat(30);
/** A multiple of 256 characters that is longer than every form of the value. */
const LOST = 256;

Deno.test("a text that was cut where it entered loses as much, whether a value begins there or not", async () => {
  const { redacting } = await openApp();
  for (let length = 0; length < SECRET.length; length++) {
    const shown = PAGE + SECRET;
    const kept = PAGE.slice(0, PAGE.length + length - LOST);
    const cut = cutRawText(shown, PAGE.length + length);
    const other = cutRawText(PAGE + PAGE, PAGE.length + length);
    const texts = [cut, other, `a${RAW_CUT_MARK}`];
    expect((await redactTexts(redacting, texts)).redacted).toEqual([`${kept}…`, `${kept}…`, "…"]);
    expect(await redactCut(redacting, shown.slice(0, PAGE.length + length))).toBe(kept);
  }
});

Deno.test("a text that has the mark of a cut by itself stays", async () => {
  const { redacting } = await openApp();
  const others = ["Loading…", "", "…", "……é…", "🙂…", `${SECRET.slice(0, 5)}… b`, `${SECRET}…`];
  expect((await redactTexts(redacting, others)).redacted)
    .toEqual([...others.slice(0, -1), `${LABEL}…`]);
});

Deno.test("without stored values, or without redaction, only the mark of a cut is replaced", async () => {
  for (const redact of [true, false]) {
    const { config, session } = testApp({ config: { redact } });
    const redacting = { config, session, signal: new AbortController().signal };
    expect((await redactTexts(redacting, [`a${RAW_CUT_MARK}`])).redacted).toEqual(["a…"]);
  }
});

Deno.test("half a character before a cut is not shown", async () => {
  const { redacting } = await openApp();
  const text = `${"x".repeat(9)}🙂${"y".repeat(LOST - 1)}${RAW_CUT_MARK}`;
  expect((await redactTexts(redacting, [text])).redacted).toEqual([`${"x".repeat(9)}…`]);
});

Deno.test("a value that begins before what a cut text loses is replaced as a whole", async () => {
  const { redacting } = await openApp();
  for (const at of [1, SECRET.length - 1]) {
    const text = PAGE + SECRET + "z".repeat(LOST - at) + RAW_CUT_MARK;
    expect((await redactTexts(redacting, [text])).redacted).toEqual([`${PAGE}${LABEL}…`]);
  }
});

Deno.test("labels that are longer than their values do not push others out of what is lost", async () => {
  const { app, redacting } = await openApp();
  const service = "a-service-with-a-very-long-name";
  await app.post("/api/keychain/set-item", { service, item: { password: "hunter2-" } });
  const url = `postgres://${"hunter2-".repeat(25)}@host`; // hidden parts that are longer than it
  await app.post("/api/keychain/set-item", { service: "pg", item: { url } });
  const text = PAGE + url.slice(0, -1) + RAW_CUT_MARK;
  const { redacted: [shown] } = await redactTexts(redacting, [text]);
  expect(shown).toBe(`${PAGE.slice(0, PAGE.length + url.length - 1 - LOST)}…`);
});

Deno.test("the mark in the middle of a text, as a page can write it, takes nothing away", async () => {
  const { redacting } = await openApp();
  const text = `pay 10 to ${SECRET}${RAW_CUT_MARK} more`;
  expect((await redactTexts(redacting, [text])).redacted)
    .toEqual([`pay 10 to ${LABEL}${RAW_CUT_MARK} more`]);
});

Deno.test("a value that has the mark of a cut in it is taken out as a whole", async () => {
  const { app, redacting } = await openApp();
  const value = "abc…defgh";
  await app.post("/api/keychain/set-item", { service: "marked", item: { password: value } });
  expect((await redactTexts(redacting, [`x ${value} y`])).redacted)
    .toEqual(["x [redacted:marked/password] y"]);
});

Deno.test("titles of windows have no stored value, in lists, changes, waits and errors", async () => {
  const { app, windows } = await openApp();
  const title = `my ${SECRET} - Editor`;
  windows.show({ id: "w1", title, app: SECRET }, { id: "w2", title: "Other" });
  const [listed] = (await app.send("GET", "/api/window/list")).json;
  expect(listed).toMatchObject({ title: `my ${LABEL} - Editor`, app: LABEL });
  expect((await app.send("GET", "/api/window/active")).json).toEqual(listed);
  const { json: changed } = await app.post("/api/window/focus", { id: "w1" });
  expect(changed.window.title).toBe(listed.title);
  windows.obeys = false;
  const { json: refused } = await app.post("/api/window/minimize", { id: "w1", timeout_ms: 0 });
  expect(refused.detail).toContain(`Window "my ${LABEL} - Editor" (w1) was not minimized`);
  const wait = async (part: string) => {
    const until = { window: { title: part } };
    return (await app.post("/api/display/wait", { until, timeout_ms: 1 })).json;
  };
  expect(await wait("Editor")).toMatchObject({ status: "found", window: listed });
  expect(await wait(SECRET.slice(0, 5))).toMatchObject({ status: "timeout" });
  const called = await app.post("/api/batch", {
    steps: [{ operation: "window.minimize", input: { id: "w1", timeout_ms: 0 } }],
  });
  expect(called.text).toContain(LABEL);
  expect(called.text).not.toContain(SECRET);
});

Deno.test("where the keychain cannot be read, every answer says that values may be in it", async () => {
  const app = testApp();
  app.platform.secrets.trouble = "The keyring ä\n is locked: 100 %";
  expect((await app.send("GET", "/healthz")).headers.get("x-redaction-gap")).toBeNull();
  const windows = new FakeWindows();
  windows.show({ id: "w1", title: "Editor" });
  app.platform.screen().windows = available(windows);
  const { status, headers } = await app.send("GET", "/api/window/list");
  expect([status, headers.get("x-redaction-gap")]).toEqual([
    200,
    "The keyring %C3%A4%0A is locked: 100 %25",
  ]);
  // not to those who may call nothing
  expect((await app.send("GET", "/healthz")).headers.get("x-redaction-gap")).toBeNull();
});

Deno.test("an answer says that values may be in it, also if the keychain is read while it is made", async () => {
  const app = testApp();
  const { secrets } = app.platform;
  secrets.trouble = "The keyring is locked";
  secrets.stored.set("shop", itemToText(new Map([["password", SECRET]])));
  const windows = new FakeWindows();
  windows.show({ id: "w1", title: SECRET });
  app.platform.screen().windows = available(windows);
  await app.send("GET", "/api/window/list");
  secrets.trouble = undefined;
  const { now } = performance;
  performance.now = () => now.call(performance) + 60_000; // it is tried again
  try {
    const until = { window: { title: "none" } };
    const steps = [
      { operation: "window.list" },
      { operation: "display.wait", input: { until, timeout_ms: 20 } },
    ];
    const { text, headers } = await app.post("/api/batch", { steps });
    const isShown = text.includes(SECRET);
    expect([isShown, headers.get("x-redaction-gap")]).toEqual([true, "The keyring is locked"]);
    const later = await app.send("GET", "/api/window/list");
    expect(later.text).not.toContain(SECRET);
    expect(later.headers.get("x-redaction-gap")).toBeNull();
  } finally {
    performance.now = now;
  }
});

Deno.test("why values may be in answers is told to nobody without the token, and not without end", async () => {
  const app = testApp({ config: { token: "a-token-of-the-tests" } });
  app.platform.secrets.trouble = `Locked: ${"é".repeat(5_000)}`;
  const windows = new FakeWindows();
  windows.show({ id: "w1", title: "Editor" });
  app.platform.screen().windows = available(windows);
  const gapOf = async (headers: Record<string, string>) => {
    const answer = await app.send("GET", "/api/window/list", { headers });
    return answer.headers.get("x-redaction-gap");
  };
  const told = await gapOf({ authorization: "Bearer a-token-of-the-tests" });
  expect(told).toContain("Locked: %C3%A9");
  expect(told!.length).toBeLessThan(2_000);
  expect(await gapOf({})).toBeNull();
});

Deno.test("errors stay as they are unless they name a stored value", async () => {
  const { redacting } = await openApp();
  const plain = new ServiceError("conflict", "The element is gone");
  expect(await redactError(redacting, plain)).toBe(plain);
  const telling = new ServiceError("conflict", `The element "a${SECRET}" is gone`);
  const shown = await redactError(redacting, telling) as ServiceError;
  expect([shown.code, shown.message]).toEqual(["conflict", `The element "a${LABEL}" is gone`]);
  const cut = cutRawText(`${PAGE}${SECRET}`, PAGE.length + 5);
  const long = await redactError(redacting, new ServiceError("conflict", `"${cut}" is gone`));
  const kept = PAGE.slice(0, PAGE.length + 5 - LOST);
  expect((long as ServiceError).message).toBe(`"${kept}…" is gone`);
  const other = new TypeError(SECRET);
  expect(await redactError(redacting, other)).toBe(other); // the log has it, and no answer
});
