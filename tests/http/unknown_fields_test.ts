/** Fields that an operation does not know are refused, with the nearest known name. */

import { expect } from "expect";
import { testApp } from "../support/client.ts";
import { SAMPLES } from "../support/sample_operations.ts";

const app = testApp({ operations: SAMPLES });
const TYPE = "extra_forbidden";

Deno.test("a click with a button that the operation does not take is refused, and nothing is pressed", async () => {
  const app = testApp();
  const { status, json } = await app.post("/api/mouse/left-click", { button: "right" });
  expect(status).toBe(422);
  expect(json.detail).toMatchObject([{ loc: ["body", "button"], type: TYPE }]);
  expect(json.detail[0].msg)
    .toContain('did you mean mouse/right-click, or mouse/click with "button"?');
  expect(app.platform.screen().fake.sent).toEqual([]);
});

for (
  const [path, body, nearest] of [
    ["/api/mouse/left-click", { clicks: 2 }, 'mouse/click with "click_count"'],
    ["/api/mouse/left-click", { clickCount: 2 }, '"click_count"'],
    ["/api/mouse/move", { x: 1, y: 2, duration: 3 }, '"duration_ms"'],
    ["/api/keyboard/type", { text: "a", typing_dealy: 3 }, '"typing_delay"'],
    ["/api/bash/command", { command: "ls", timeout_ms: 3 }, '"timeout"'],
  ] as const
) {
  Deno.test(`${path} suggests ${nearest} for ${JSON.stringify(body)}`, async () => {
    const { status, json } = await testApp().post(path, body);
    expect(status).toBe(422);
    expect(json.detail[0].msg).toContain(`did you mean ${nearest}?`);
  });
}

Deno.test("a name that resembles none is refused with all known names", async () => {
  const { json } = await testApp().post("/api/keyboard/release", { key: "a", colour: 1 });
  expect(json.detail).toEqual([{
    loc: ["body", "colour"],
    msg: 'Unknown field: "releaseKey" takes "key", "effect", "display_num", "desk"',
    type: TYPE,
  }]);
});

Deno.test("an unknown field stands beside the other errors of a body, not instead of them", async () => {
  const { json } = await testApp().post("/api/filesystem/read", { pth: "/etc/hosts" });
  expect(json.detail).toMatchObject([
    { loc: ["body", "path"], type: "missing" },
    { loc: ["body", "pth"], type: TYPE },
  ]);
});

Deno.test("unknown fields of nested objects are refused where they are", async () => {
  const elements = [{ type: "value", value: "a" }, { type: "point", x: 1, y: 2, z: 3 }];
  const item = { name: "a", size: 1, colour: 2 };
  const { json } = await app.post("/api/sample/echo", { x: 1, elements, item });
  expect(json.detail).toMatchObject([
    { loc: ["body", "elements", 1, "z"], type: TYPE },
    { loc: ["body", "item", "colour"], type: TYPE },
  ]);
});

Deno.test("unknown fields of the query are refused, and those of a probe are not", async () => {
  const { json } = await app.send("GET", "/api/sample/query?num=3&number=4&number=5&%C3%A9=1");
  expect(json.detail).toMatchObject([
    { loc: ["query", "number"], type: TYPE },
    { loc: ["query", "é"], type: TYPE },
  ]);
  const move = await testApp().post("/api/mouse/move?x=1", { x: 1, y: 2 });
  expect(move.json.detail).toMatchObject([{ loc: ["query", "x"], type: TYPE }]);
  expect(move.json.detail[0].msg).toContain("takes none in the query");
  expect((await testApp().send("GET", "/healthz?probe=1")).status).toBe(200);
});

Deno.test("however many and long unknown names are, the answer is short", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`${index}${"漢".repeat(1_000)}`, "secret"]),
  );
  const { status, text } = await testApp().post("/api/mouse/move", { x: 1, y: 2, ...many });
  expect(status).toBe(422);
  expect(text.length).toBeLessThan(20_000);
  expect(text).not.toContain("secret");
});
