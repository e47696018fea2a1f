/** A display with a mouse and without a keyboard: what needs keys is refused before anything is pressed. */

import { expect } from "expect";
import { testApp } from "../../../support/client.ts";

const REASON = "This display has a mouse only";
const field = { type: "password", coordinates: { x: 3, y: 4 } };

const refused: [string, unknown][] = [
  ["/api/keyboard/type", { text: "a" }],
  ["/api/keyboard/type", { text: "a", clear: true }],
  ["/api/keyboard/key", { key: "enter" }],
  ["/api/keyboard/hotkey", { keys: ["ctrl", "c"] }],
  ["/api/keyboard/hold", { key: "shift" }],
  ["/api/keyboard/release", { key: "shift" }],
  ["/api/mouse/left-click", { x: 3, y: 4, modifiers: ["ctrl"] }],
  ["/api/mouse/scroll", { clicks: 1, modifiers: ["ctrl"] }],
  ["/api/keychain/authenticate", { service: "a", authElements: [field] }],
];

for (const [path, body] of refused) {
  Deno.test(`${path} with ${JSON.stringify(body)} is refused without a keyboard`, async () => {
    const app = testApp({ platform: { noKeyboard: REASON } });
    await app.post("/api/keychain/set-item", { service: "a", item: { password: "p" } });
    const { status, json } = await app.post(path, body);
    expect([status, json.detail]).toEqual([501, REASON]);
    expect(app.platform.screen().fake.sent.filter((line) => !line.startsWith("move"))).toEqual([]);
  });
}

Deno.test("the mouse works without a keyboard, and release-all too", async () => {
  const app = testApp({ platform: { noKeyboard: REASON } });
  expect((await app.post("/api/mouse/left-click", { x: 3, y: 4 })).status).toBe(204);
  expect((await app.post("/api/mouse/down", {})).status).toBe(204);
  expect((await app.post("/api/system/release-all", {})).status).toBe(204);
  const { sent, mouse } = app.platform.screen().fake;
  const done = sent.filter((line) => !line.startsWith("separate")); // presses that come at once are
  expect(done.slice(0, 4)).toEqual(["move 3,4", "press left", "release left", "press left"]);
  expect([...mouse.down]).toEqual([]);
});
