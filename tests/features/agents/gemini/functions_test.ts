/** Gemini's desktop functions: every one as a window sees it, in both of its interfaces. */

import { expect } from "expect";
import { clicks, type ModelDesktop, pngSize, startModelDesktop } from "../model_desktop.ts";

type Args = Readonly<Record<string, unknown>>;

function part(name: string, args: Args = {}, more: object = {}) {
  return { functionCall: { name, args: { intent: "to try it", ...args }, ...more } };
}

async function ask(desktop: ModelDesktop, parts: readonly object[], more: object = {}) {
  return await desktop.ask("gemini", { parts, ...more });
}

const HALF = "640,400"; // 500 of 999 on 1280x800
const PLACE = { x: 500, y: 500 };

/** Each function with arguments, and what a window sees. */
const SEEN: readonly (readonly [string, Args, string])[] = [
  ["click", PLACE, clicks(1, HALF)],
  ["double_click", PLACE, clicks(1, HALF, 2)],
  ["triple_click", PLACE, clicks(1, HALF, 3)],
  ["middle_click", PLACE, clicks(2, HALF)],
  ["right_click", PLACE, clicks(3, HALF)],
  ["mouse_down", PLACE, `down1@${HALF}`],
  ["mouse_up", { x: 250, y: 250 }, "up1@320,200"],
  ["move", { x: 999, y: 999 }, ""],
  ["type", { text: "ab" }, "+a -a +b -b"],
  ["type", { text: "a", press_enter: true }, "+a -a +Return -Return"],
  ["drag_and_drop", { start_x: 0, start_y: 0, end_x: 500, end_y: 500 }, `down1@0,0 up1@${HALF}`],
  ["wait", { seconds: 0.05 }, ""],
  ["wait", {}, ""],
  ["press_key", { key: "Enter" }, "+Return -Return"],
  ["press_key", { key: "Control+ArrowDown" }, "+Control_L +Down -Down -Control_L"],
  ["key_down", { key: "Shift" }, "+Shift_L"],
  ["key_up", { key: "Shift" }, "-Shift_L"],
  ["hotkey", { keys: ["Control", "Shift", "t"] }, "+Control_L +Shift_L +T -T -Shift_L -Control_L"],
  ["take_screenshot", {}, ""],
  ["scroll", { ...PLACE, direction: "down" }, clicks(5, HALF, 3)],
  ["scroll", { ...PLACE, direction: "up", magnitude_in_pixels: 100 }, clicks(4, HALF)],
  ["scroll", { ...PLACE, direction: "right", magnitude_in_pixels: 200 }, clicks(7, HALF, 2)],
  ["scroll", { ...PLACE, direction: "left", magnitude_in_pixels: 10 }, clicks(6, HALF)],
];

Deno.test("every function of Gemini's desktop environment reaches the window", async (test) => {
  await using desktop = await startModelDesktop();
  for (const [name, args, seen] of SEEN) {
    await test.step(`${name} ${JSON.stringify(args)}`, async () => {
      const { parts } = await ask(desktop, [part(name, args, { id: "f1" })]);
      expect(parts).toHaveLength(1);
      const { functionResponse } = parts[0];
      expect(functionResponse).toMatchObject({ id: "f1", name, response: { output: "done" } });
      const [{ inlineData }] = functionResponse.parts;
      expect(inlineData.mimeType).toBe("image/png");
      expect(pngSize(inlineData.data)).toEqual({ width: 1280, height: 800 });
      expect(await desktop.seen()).toBe(seen);
    });
  }
  expect(new Set(SEEN.map(([name]) => name)).size).toBe(17);
});

Deno.test("several functions of a turn go in order; the last result has the picture, and each screenshot its own", async () => {
  await using desktop = await startModelDesktop();
  const { parts, confirmations } = await ask(desktop, [
    { text: "I do three things." },
    part("type", { text: "a" }),
    part("take_screenshot"),
    part("type", { text: "b" }),
    part("click", PLACE),
  ]);
  expect(await desktop.seen()).toBe(`+a -a +b -b ${clicks(1, HALF)}`);
  expect(confirmations).toEqual([]);
  // deno-lint-ignore no-explicit-any -- the shape is Google's
  expect(parts.map(({ functionResponse: { id, name, parts } }: any) => [id, name, parts?.length]))
    .toEqual([
      [undefined, "type", undefined],
      [undefined, "take_screenshot", 1],
      [undefined, "type", undefined],
      [undefined, "click", 1],
    ]);
});

Deno.test("the steps of the Interactions API are answered as steps", async () => {
  await using desktop = await startModelDesktop();
  const { steps, parts } = await desktop.ask("gemini", {
    steps: [
      { type: "thought", summary: "..." },
      { type: "function_call", id: "c1", name: "type", arguments: { text: "a", intent: "x" } },
      { type: "function_call", id: "c2", name: "fly", arguments: {} },
    ],
  });
  expect(parts).toEqual([]);
  expect(await desktop.seen()).toBe("+a -a");
  expect(steps[0]).toEqual({
    ...{ type: "function_result", call_id: "c1", name: "type" },
    result: [{ type: "text", text: "done" }],
  });
  expect(steps[1]).toMatchObject({ call_id: "c2", name: "fly", is_error: true });
  expect(steps[1].result[0].text).toMatch(/There is no action "fly"/);
  expect(steps[1].result[1]).toMatchObject({ type: "image", mime_type: "image/png" });
});

Deno.test("a turn of Gemini stops at the first function that fails", async () => {
  await using desktop = await startModelDesktop();
  const { parts } = await ask(desktop, [
    part("type", { text: "a" }),
    part("click", { x: 1001, y: 0 }),
    part("type", { text: "b" }),
  ]);
  expect(await desktop.seen()).toBe("+a -a");
  // deno-lint-ignore no-explicit-any -- the shape is Google's
  const responses = parts.map(({ functionResponse }: any) => functionResponse.response);
  expect(responses[0]).toEqual({ output: "done" });
  expect(responses[1].error).toMatch(/x, y: \[1001, 0\] is outside 0 to 999/);
  expect(responses[2].error).toMatch(/^Not performed/);
});

const WRONG: readonly (readonly [string, Args, RegExp])[] = [
  ["fly", {}, /There is no action "fly"; there are "click"/],
  ["toString", {}, /There is no action/],
  ["click", { x: 1 }, /y: /],
  ["click", { x: -1, y: 0 }, /outside/],
  ["click", { x: "1", y: 0 }, /x: /],
  ["click", { ...PLACE, clicks: 2 }, /clicks: Unknown field/],
  ["press_key", { key: "HYPERDRIVE" }, /unknown key name/],
  ["hotkey", { keys: [] }, /keys: /],
  ["scroll", { ...PLACE, direction: "inwards" }, /direction: /],
  ["wait", { seconds: 301 }, /seconds: /],
  ["type", {}, /text: /],
];

Deno.test("wrong functions of Gemini are answered with an error", async (test) => {
  await using desktop = await startModelDesktop();
  for (const [name, args, message] of WRONG) {
    await test.step(`${name} ${JSON.stringify(args)}`, async () => {
      const { parts } = await ask(desktop, [part(name, args)]);
      expect(parts[0].functionResponse.name).toBe(name);
      expect(parts[0].functionResponse.response.error).toMatch(message);
      expect(await desktop.seen()).toBe("");
    });
  }
});

Deno.test("a function that needs a confirmation is not performed before somebody has agreed", async () => {
  await using desktop = await startModelDesktop();
  const safety_decision = { decision: "require_confirmation", explanation: "It buys something." };
  const parts = [
    part("type", { text: "a" }),
    part("click", { ...PLACE, safety_decision }, { id: "f2" }),
    part("type", { text: "b", safety_decision: { decision: "whatever" } }),
    part("type", { text: "c", safety_decision: { decision: "regular" } }),
  ];
  const needed = [
    { index: 1, id: "f2", name: "click", ...safety_decision },
    { index: 2, id: null, name: "type", decision: "whatever", explanation: null },
  ];
  for (
    const [acknowledged, left] of [
      [[], needed],
      [["f2"], needed.slice(1)],
      [[1], needed.slice(1)],
      [[0, "x"], needed],
    ]
  ) {
    const answer = await ask(desktop, parts, { acknowledged });
    expect(answer).toEqual({ parts: [], steps: [], confirmations: left, frame: null });
    expect(await desktop.seen()).toBe("");
  }
  const answer = await ask(desktop, parts, { acknowledged: ["f2", 2] });
  expect(await desktop.seen()).toBe(`+a -a ${clicks(1, HALF)} +b -b +c -c`);
  expect(answer.confirmations).toEqual([]);
  // deno-lint-ignore no-explicit-any -- the shape is Google's
  expect(answer.parts.map(({ functionResponse }: any) => functionResponse.response)).toEqual([
    { output: "done" },
    { output: "done", safety_acknowledgement: "true" },
    { output: "done", safety_acknowledgement: "true" },
    { output: "done" },
  ]);
});

for (const size of ["1024x768", "1280x800", "1456x819", "1920x1080", "3840x2160", "1080x1920"]) {
  Deno.test(`Gemini's 0 to 999 reach every part of ${size}, within a thousandth`, async () => {
    await using desktop = await startModelDesktop(size);
    const [width, height] = size.split("x").map(Number) as [number, number];
    for (const [x, y] of [[0, 0], [371, 618], [500, 500], [840, 130], [999, 999]] as const) {
      await ask(desktop, [part("click", { x, y })], { then_screenshot: false });
      const [, seenX, seenY] = /^down1@(\d+),(\d+) up1@\1,\2$/.exec(await desktop.seen())!;
      expect(Math.abs(Number(seenX) - x * width / 1000)).toBeLessThanOrEqual(1);
      expect(Math.abs(Number(seenY) - y * height / 1000)).toBeLessThanOrEqual(1);
    }
  });
}

Deno.test("the name of a function of Gemini, which comes back, is not longer than any is", async () => {
  await using desktop = await startModelDesktop("320x200");
  const body = { parts: [part("x".repeat(257))] };
  expect(await desktop.service.refused(422, "/api/agents/gemini", body)).toContain("at most 256");
});

Deno.test("a turn of Gemini has at most 100 functions and 20 screenshots", async () => {
  await using desktop = await startModelDesktop("320x200");
  const many = await ask(desktop, Array(101).fill(part("type", { text: "a" })));
  expect(many.parts[0].functionResponse.response.error).toMatch(/at most 100 calls/);
  expect(await desktop.seen()).toBe("");
  const { parts } = await ask(desktop, Array(22).fill(part("take_screenshot")));
  // deno-lint-ignore no-explicit-any -- the shape is Google's
  const responses = parts.map(({ functionResponse }: any) => functionResponse.response);
  expect(responses.slice(0, 20)).toEqual(Array(20).fill({ output: "done" }));
  expect(responses[20].error).toMatch(/at most 20 screenshots/);
  await desktop.service.refused(422, "/api/agents/gemini", { parts: [], step: [] });
});
