/** Input operations with `ref` in place of a point: where they act, and when they do nothing. */

import { expect } from "expect";
import { waitFor } from "../../../support/wait.ts";
import { CLICK, setUp } from "./set_up.ts";

const CASES: [path: string, fields: object, sent: string[]][] = [
  ["mouse/move", {}, CLICK.slice(0, 2)],
  ["mouse/left-click", {}, CLICK],
  ["mouse/right-click", {}, ["reveal", "move 100,50", "press right", "release right"]],
  ["mouse/middle-click", {}, ["reveal", "move 100,50", "press middle", "release middle"]],
  ["mouse/double-click", {}, [...CLICK, "separate 10", "press left", "release left"]],
  ["mouse/scroll", { clicks: -1 }, ["reveal", "move 100,50", "scroll -1,0"]],
  ["mouse/down", {}, ["reveal", "move 100,50", "press left"]],
  ["mouse/up", {}, ["reveal", "move 100,50"]],
  ["keyboard/type", { text: "hi" }, ["focus", "type h", "type i"]],
];

for (const [path, fields, expected] of CASES) {
  Deno.test(`${path} acts at the visible middle of the element`, async () => {
    const { app, sent, add } = setUp();
    const { ref } = add();
    const answer = await app.post(`/api/${path}`, { ...fields, ref });
    expect([answer.status < 300, sent]).toEqual([true, expected]);
    await app.post("/api/system/release-all", {});
  });

  Deno.test(`${path} does nothing for an element that is gone, or was never given out`, async () => {
    const { app, sent, add } = setUp();
    const { ref, element } = add();
    const asked = expected.slice(0, 1);
    element.at = undefined;
    const gone = await app.post(`/api/${path}`, { ...fields, ref });
    expect([gone.status, gone.json.detail, sent]).toEqual([
      409,
      'The button "Save" is gone: take a new snapshot',
      asked,
    ]);
    const unknown = await app.post(`/api/${path}`, { ...fields, ref: "e77" });
    expect([unknown.status, unknown.json.detail, sent]).toEqual([
      409,
      'Element "e77" no longer exists: take a new snapshot and use its refs',
      asked,
    ]);
  });
}

for (const [path, fields] of CASES.filter(([path]) => path.startsWith("mouse"))) {
  Deno.test(`${path} does nothing for an element that is covered`, async () => {
    const { app, sent, add } = setUp();
    const { ref, element } = add();
    element.coveredBy = "Terminal";
    const { status, json } = await app.post(`/api/${path}`, { ...fields, ref });
    expect([status, json.detail, sent]).toEqual([
      409,
      'The button "Save" is covered by "Terminal": take a new snapshot',
      ["reveal"],
    ]);
  });
}

Deno.test("an element is scrolled into view first", async () => {
  const { app, sent, add } = setUp();
  const { ref, element } = add({ at: { x: 5, y: 5_000 } });
  element.scrollsTo = { x: 5, y: 300 };
  expect((await app.post("/api/mouse/left-click", { ref })).status).toBe(204);
  expect(sent[1]).toBe("move 5,300");
});

Deno.test("an element whose program says that it is off the screen is not clicked", async () => {
  const { app, sent, add } = setUp();
  const { ref } = add({ at: { x: 100, y: 600 } });
  const { status, json } = await app.post("/api/mouse/left-click", { ref });
  expect([status, json.detail, sent]).toEqual([
    409,
    'The button "Save" is off the screen, at 100, 600: move its window',
    ["reveal"],
  ]);
});

const EITHER: [path: string, fields: object, error: object][] = [
  ["mouse/left-click", { x: 1, y: 2 }, { msg: "Give either ref or x and y, not both" }],
  ["mouse/left-click", { y: 2 }, { msg: "Give either ref or x and y, not both" }],
  ["mouse/move", { x: 1, y: 2 }, { msg: "Give either ref or x and y, not both" }],
  ["mouse/drag", { x: 1, y: 2 }, { msg: "Give either ref or x and y, not both" }],
  ["mouse/scroll", { x: 1, y: 2, clicks: 1 }, { msg: "Give either ref or x and y, not both" }],
  ["mouse/down", { frame: "f-1" }, { msg: "Give either ref or frame, not both" }],
  ["mouse/move", { frame: "f-1" }, { msg: "Give either ref or frame, not both" }],
];

for (const [path, fields, error] of EITHER) {
  Deno.test(`${path} refuses ref beside ${Object.keys(fields).join(" and ")}`, async () => {
    const { app, sent, add } = setUp();
    const { ref } = add();
    const { status, json } = await app.post(`/api/${path}`, { ...fields, ref });
    expect([status, sent]).toEqual([422, []]);
    expect(json.detail).toEqual([{ loc: ["body", "ref"], type: "value_error", ...error }]);
  });
}

Deno.test("move and drag without a place miss x and y, beside other errors", async () => {
  const { app } = setUp();
  for (const path of ["mouse/move", "mouse/drag"]) {
    const { json } = await app.post(`/api/${path}`, { duration_ms: "long" });
    expect(json.detail).toMatchObject([
      { loc: ["body", "x"], type: "missing" },
      { loc: ["body", "y"], type: "missing" },
      { loc: ["body", "duration_ms"], type: "int_type" },
    ]);
    const { json: half } = await app.post(`/api/${path}`, { x: 1 });
    expect(half.detail).toMatchObject([{ loc: ["body", "y"], type: "missing" }]);
  }
});

Deno.test("no other input comes between the look for the element and the click on it", async () => {
  const { app, sent, add } = setUp();
  const { ref, element } = add();
  const program = Promise.withResolvers<void>();
  element.answer = program.promise;
  const clicking = app.post("/api/mouse/left-click", { ref });
  await waitFor(() => sent.length === 1);
  const moving = app.post("/api/mouse/move", { x: 7, y: 7 });
  const reading = await app.send("GET", "/api/mouse/position"); // reads do not wait
  expect([reading.status, sent]).toEqual([200, ["reveal"]]);
  program.resolve();
  await Promise.all([clicking, moving]);
  expect(sent).toEqual([...CLICK, "move 7,7"]);
});

Deno.test("release-all ends the wait for a program that does not respond, and input goes on", async () => {
  const { app, sent, add } = setUp();
  const { ref, element } = add();
  element.answer = new Promise(() => {});
  const clicking = app.post("/api/mouse/left-click", { ref });
  await waitFor(() => sent.length === 1);
  await app.post("/api/system/release-all", {});
  expect((await clicking).status).toBe(409);
  expect(element.stopped).toMatchObject({ code: "conflict" });
  expect((await app.post("/api/mouse/left-click", { x: 1, y: 1 })).status).toBe(204);
  expect(sent.includes("move 100,50")).toBe(false);
});

Deno.test("an element determines the display; another one is refused", async () => {
  const { app, add } = setUp({ platform: { displays: [1, 2, 3] } });
  const there = app.platform.screen(2).fake.sent;
  const second = add({ displayNum: 2 });
  const first = add();
  expect((await app.post("/api/mouse/left-click", { ref: second.ref })).status).toBe(204);
  expect(there).toEqual(CLICK.slice(1));
  const wrong = await app.post("/api/mouse/left-click", { ref: second.ref, display_num: 3 });
  expect(wrong.json.detail).toMatchObject([{ loc: ["body", "display_num"] }]);
  const drag = { from: { ref: first.ref }, ref: second.ref };
  expect((await app.post("/api/mouse/drag", drag)).json.detail).toMatchObject([{
    loc: ["body", "from", "ref"],
    msg: "The element is on display 1, not on 2",
  }]);
});

for (const secret of [false, true]) {
  Deno.test(`keyboard/type stops when the element loses the keyboard, ${secret ? "at once with a secret" : "after a group"}`, async () => {
    const { app, sent, add } = setUp();
    const { ref, element } = add();
    await app.post("/api/keychain/set-item", { service: "a", item: { pin: "12345" } });
    let checks = 0;
    element.onCheck = () => element.hasFocus = ++checks < 3;
    const what = secret ? { secret: { service: "a", field: "pin" } } : { text: "12345" };
    const body = { ref, typing_delay: 0, typing_group_size: 2, ...what };
    const { status, json } = await app.post("/api/keyboard/type", body);
    expect([status, json.detail]).toEqual([
      409,
      'The button "Save" has lost the keyboard focus: take a new snapshot',
    ]);
    const typed = secret ? ["type 1", "type 2"] : ["type 1", "type 2", "type 3", "type 4"];
    expect(sent.filter((each) => each.startsWith("type"))).toEqual(typed);
  });
}

Deno.test("keyboard/type empties nothing when the element has lost the keyboard", async () => {
  const { app, sent, add } = setUp();
  const { ref, element } = add();
  element.onCheck = () => element.hasFocus = false;
  const { status } = await app.post("/api/keyboard/type", { ref, text: "x", clear: true });
  expect([status, sent]).toEqual([409, ["focus"]]);
});
