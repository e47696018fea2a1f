/** Drags between elements, texts and stored values for elements, and the tools that models know. */

import { expect } from "expect";
import { callTool } from "../../../support/mcp.ts";
import { CLICK, MIDDLE, setUp } from "./set_up.ts";

Deno.test("a drag goes from one element to another one, and to a point", async () => {
  const { app, sent, add } = setUp();
  const from = add();
  const to = add({ at: { x: 300, y: 200 } });
  const drag = (fields: object) => app.post("/api/mouse/drag", { ...fields, duration_ms: 0 });
  expect((await drag({ from: { ref: from.ref }, ref: to.ref })).status).toBe(204);
  expect([sent.find((line) => line.startsWith("move")), sent.at(-2), sent.at(-1)])
    .toEqual(["move 100,50", "move 300,200", "release left"]);
  sent.length = 0;
  expect((await drag({ from: { ref: from.ref }, x: 9, y: 8 })).status).toBe(204);
  expect([sent[1], sent.at(-2)]).toEqual(["move 100,50", "move 9,8"]);
  sent.length = 0;
  expect((await drag({ from: { x: 1, y: 1 }, ref: to.ref })).status).toBe(204);
  expect([sent[1], sent.at(-2)]).toEqual(["move 1,1", "move 300,200"]);
});

Deno.test("a drag looks again at the end that scrolling the other one has moved", async () => {
  const { app, sent, add } = setUp();
  const from = add();
  const to = add({ at: { x: 300, y: 900 } });
  to.element.scrollsTo = { x: 300, y: 500 };
  to.element.onScroll = () => from.element.at = { x: 100, y: 20 };
  const input = { from: { ref: from.ref }, ref: to.ref, duration_ms: 0 };
  expect((await app.post("/api/mouse/drag", input)).status).toBe(204);
  expect(sent.find((line) => line.startsWith("move"))).toBe("move 100,20");
  // each is scrolled away by the other one
  sent.length = 0;
  to.element.onScroll = () => from.element.scrollsTo = MIDDLE;
  from.element.onScroll = () => to.element.scrollsTo = { x: 300, y: 500 };
  from.element.scrollsTo = MIDDLE;
  const { status, json } = await app.post("/api/mouse/drag", input);
  expect([status, json.detail, new Set(sent)]).toEqual([
    409,
    'Cannot drag the button "Save" to the button "Save": they are not visible at the same time',
    new Set(["reveal"]),
  ]);
});

Deno.test("an element that takes the focus by a click alone is clicked before its text", async () => {
  const { app, sent, add } = setUp();
  const { ref, element } = add();
  element.takesFocus = "by a click";
  expect((await app.post("/api/keyboard/type", { text: "a", ref })).status).toBe(200);
  expect(sent).toEqual(["focus", "move 100,50", "press left", "release left", "type a"]);
  sent.length = 0;
  element.takesFocus = "never";
  const { status } = await app.post("/api/keyboard/type", { text: "a", ref });
  expect([status, sent]).toEqual([409, ["focus"]]);
});

Deno.test("authenticate() gives the element of each field the focus, and types only there", async () => {
  const { app, sent, fake, add } = setUp();
  const [name, password] = [add(), add()];
  await app.post("/api/keychain/set-item", {
    service: "shop",
    item: { username: "ann", password: "x1" },
  });
  const authElements = [{ type: "username", ref: name.ref }, {
    type: "password",
    ref: password.ref,
  }];
  const fill = () =>
    app.post("/api/keychain/authenticate", { service: "shop", authElements, clear: false });
  expect((await fill()).json).toBe(true);
  expect(sent.filter((line) => line === "focus" || line.startsWith("type")))
    .toEqual(["focus", "type a", "type n", "type n", "focus", "type x", "type 1"]);
  fake.keyboard.typed = "";
  password.element.takesFocus = "never";
  expect((await fill()).status).toBe(409);
  expect(fake.keyboard.typed).toBe("ann");
  const { status, json } = await app.post("/api/keychain/authenticate", {
    service: "shop",
    authElements: [{ type: "username", ref: name.ref, coordinates: { x: 1, y: 1 } }],
  });
  expect([status, json.detail[0].msg]).toEqual([
    422,
    "An element has exactly one of value, coordinates and ref",
  ]);
});

Deno.test("the tools that models know take refs", async () => {
  const { app, sent, add } = setUp();
  const [from, to] = [add().ref, add({ at: { x: 300, y: 200 } }).ref];
  await callTool(app.fetch, "left_click", { ref: from });
  expect(sent.splice(0)).toEqual(CLICK);
  await callTool(app.fetch, "left_click_drag", { start_ref: from, ref: to });
  expect([sent.find((line) => line.startsWith("move")), sent.at(-2)])
    .toEqual(["move 100,50", "move 300,200"]);
  sent.length = 0;
  await callTool(app.fetch, "mouse_move", { ref: to });
  await callTool(app.fetch, "scroll", { ref: from, scroll_direction: "up", scroll_amount: 1 });
  await callTool(app.fetch, "left_mouse_down", { ref: from });
  await callTool(app.fetch, "left_mouse_up", { ref: to });
  await callTool(app.fetch, "type", { ref: to, text: "y" });
  expect(sent.filter((line) => line !== "reveal")).toEqual([
    ...["move 300,200", "move 100,50", "scroll 1,0", "move 100,50", "press left"],
    ...["move 300,200", "release left", "focus", "type y"],
  ]);
  const both = await callTool(app.fetch, "left_click", { ref: from, coordinate: [1, 1] });
  expect([both.isError, JSON.stringify(both.content)])
    .toEqual([true, expect.stringContaining("Give either ref or coordinate, not both")]);
  const none = await callTool(app.fetch, "mouse_move", {});
  expect(JSON.stringify(none.content)).toContain("coordinate");
});
