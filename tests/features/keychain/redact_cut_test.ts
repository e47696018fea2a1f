/** Stored values do not leave in part where texts are cut, nor in titles of windows and in errors. */

import { expect } from "expect";
import { ServiceError } from "../../../src/core/errors.ts";
import { cutText } from "../../../src/core/texts.ts";
import { redactCut, redactError, redactTexts } from "../../../src/features/secrets/redact_texts.ts";
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

Deno.test("what may be the beginning of a value before a cut is left out, however long it is", async () => {
  const { redacting } = await openApp();
  for (let length = 4; length < SECRET.length; length++) {
    const beginning = SECRET.slice(0, length);
    const texts = [`a ${beginning}… b`, `${beginning}…`, cutText(`x${SECRET}`, length + 1)];
    expect((await redactTexts(redacting, texts)).redacted).toEqual(["a … b", "…", "x…"]);
    expect(await redactCut(redacting, `x${beginning}`)).toBe("x");
  }
  const others = [`${SECRET}…`, "Loading…", "", "…", "……é…", "🙂…"];
  expect((await redactTexts(redacting, others)).redacted).toEqual([
    `${LABEL}…`,
    ...others.slice(1),
  ]);
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

Deno.test("errors stay as they are unless they name a stored value", async () => {
  const { redacting } = await openApp();
  const plain = new ServiceError("conflict", "The element is gone");
  expect(await redactError(redacting, plain)).toBe(plain);
  const telling = new ServiceError(
    "conflict",
    `The element "${cutText(`a${SECRET}`, 12)}" is gone`,
  );
  const shown = await redactError(redacting, telling) as ServiceError;
  expect([shown.code, shown.message]).toEqual(["conflict", 'The element "a…" is gone']);
  const other = new TypeError(SECRET);
  expect(await redactError(redacting, other)).toBe(other); // the log has it, and no answer
});
