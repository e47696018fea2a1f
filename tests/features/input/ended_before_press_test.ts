/** An operation that ends while the keyboard is prepared for its keys presses none of them. */

import { expect } from "expect";
import { DisplaySessions } from "../../../src/features/input/display_sessions.ts";
import { testApp } from "../../support/client.ts";
import { waitFor } from "../../support/wait.ts";

const OPERATIONS = [
  ["keyboard/key", { key: "a" }],
  ["keyboard/key", { key: "ctrl+a", duration_ms: 500 }],
  ["keyboard/hold", { key: "a" }],
  ["keyboard/type", { text: "a", clear: true }],
  ["mouse/click", { x: 3, y: 4, modifiers: ["shift"] }],
  ["batch", { steps: [{ operation: "keyboard.hold", input: { key: "a" } }] }],
] as const;

/** A service whose keyboard takes its time before the first keys, as one that remaps keys does. */
function setUp() {
  const app = testApp();
  const { keyboard, sent } = app.platform.screen().fake;
  const prepared = Promise.withResolvers<void>();
  let isAsked = false;
  keyboard.prepare = () => {
    isAsked = true;
    return prepared.promise;
  };
  const call = (path: string, body: object, signal?: AbortSignal) =>
    app.fetch(
      new Request(`http://localhost/api/${path}`, {
        method: "POST",
        headers: { host: "localhost", "content-type": "application/json" },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
    );
  const awaitPreparing = () => waitFor(() => isAsked, { what: "the keyboard to be prepared" });
  const awaitReleaseAll = () =>
    waitFor(async () => {
      const { inputLock } = await app.session.use(DisplaySessions).open(1);
      return inputLock.waiting === 1;
    }, { what: "release-all to wait for the operation that it has ended" });
  return { sent, call, prepare: prepared.resolve, awaitPreparing, awaitReleaseAll };
}

for (const [path, body] of OPERATIONS) {
  const name = `${path} ${JSON.stringify(body)}`;

  Deno.test(`${name} presses nothing when its client leaves before`, async () => {
    const { sent, call, prepare, awaitPreparing } = setUp();
    const client = new AbortController();
    const left = call(path, body, client.signal);
    await awaitPreparing();
    client.abort();
    prepare();
    expect((await left).status).toBe(499);
    expect((await call("mouse/move", { x: 9, y: 9 })).status).toBe(204);
    expect(sent).toEqual(["move 9,9"]);
  });

  Deno.test(`${name} presses nothing when release-all ends it before, and says so`, async () => {
    const { sent, call, prepare, awaitPreparing, awaitReleaseAll } = setUp();
    const ended = call(path, body);
    await awaitPreparing();
    const released = call("system/release-all", {});
    await awaitReleaseAll();
    prepare();
    expect((await released).status).toBe(204);
    const answer = await ended;
    const failure = path === "batch" ? (await answer.json()).results[0].error : answer;
    expect(failure.status).toBe(409);
    expect(sent).toEqual([]);
  });
}
