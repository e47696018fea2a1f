/** OpenAI's computer tools: every action as a window sees it, and one picture at the end. */

import { expect } from "expect";
import { clicks, pngSize, startModelDesktop } from "../model_desktop.ts";

type Action = Readonly<Record<string, unknown>>;

/** The item of a model that asks for these actions. */
function call(actions: readonly Action[], more: object = {}) {
  return {
    type: "computer_call",
    id: "cu_1",
    call_id: "call_1",
    status: "completed",
    pending_safety_checks: [],
    actions,
    ...more,
  };
}

/** Each action, and what a window sees of it. */
const SEEN: readonly (readonly [Action, string])[] = [
  [{ type: "click", button: "left", x: 10, y: 20 }, clicks(1, "10,20")],
  [{ type: "click", button: "wheel", x: 11, y: 20 }, clicks(2, "11,20")],
  [{ type: "click", button: "right", x: 12, y: 20 }, clicks(3, "12,20")],
  [{ type: "click", button: "back", x: 13, y: 20 }, clicks(8, "13,20")],
  [{ type: "click", button: "forward", x: 14, y: 20 }, clicks(9, "14,20")],
  [
    { type: "click", button: "left", x: 15, y: 20, keys: ["CTRL", "SHIFT"] },
    `+Control_L +Shift_L ${clicks(1, "15,20")} -Shift_L -Control_L`,
  ],
  [
    { type: "click", button: "back", x: 16, y: 20, keys: ["ALT"] },
    `+Alt_L ${clicks(8, "16,20")} -Alt_L`,
  ],
  [{ type: "click", button: "left", x: 17, y: 20, keys: null }, clicks(1, "17,20")],
  [{ type: "double_click", x: 30, y: 40, keys: null }, clicks(1, "30,40", 2)],
  [
    { type: "double_click", x: 31, y: 40, keys: ["META"] },
    `+Super_L ${clicks(1, "31,40", 2)} -Super_L`,
  ],
  [
    { type: "drag", path: [{ x: 50, y: 60 }, { x: 90, y: 60 }, { x: 90, y: 100 }] },
    "down1@50,60 up1@90,100",
  ],
  [
    { type: "drag", path: [{ x: 51, y: 60 }, { x: 90, y: 70 }], keys: ["SHIFT"] },
    "+Shift_L down1@51,60 up1@90,70 -Shift_L",
  ],
  [{ type: "keypress", keys: ["CTRL", "A"] }, "+Control_L +a -a -Control_L"],
  [
    { type: "keypress", keys: ["ctrl+shift+ArrowLeft"] },
    [
      "+Control_L +Shift_L +Left -Left -Shift_L -Control_L",
    ].join(),
  ],
  [{ type: "keypress", keys: ["PAGEDOWN"] }, "+Next -Next"],
  [{ type: "move", x: 200, y: 210 }, ""],
  [{ type: "move", x: 201, y: 210, keys: ["ALT"] }, "+Alt_L -Alt_L"],
  [{ type: "scroll", x: 5, y: 6, scroll_x: 0, scroll_y: 300 }, clicks(5, "5,6", 3)],
  [{ type: "scroll", x: 5, y: 6, scroll_x: 0, scroll_y: -20 }, clicks(4, "5,6")],
  [{ type: "scroll", x: 5, y: 6, scroll_x: 100, scroll_y: 0 }, clicks(7, "5,6")],
  [{ type: "scroll", x: 5, y: 6, scroll_x: -100, scroll_y: 0 }, clicks(6, "5,6")],
  [
    { type: "scroll", x: 5, y: 6, scroll_x: 0, scroll_y: 100, keys: ["CTRL"] },
    `+Control_L ${clicks(5, "5,6")} -Control_L`,
  ],
  [{ type: "type", text: "Hi\n" }, "+Shift_L +H -H -Shift_L +i -i +Return -Return"],
  [{ type: "screenshot" }, ""],
  [{ type: "wait" }, ""],
];

Deno.test("every action of OpenAI's computer tool reaches the window", async (test) => {
  await using desktop = await startModelDesktop();
  for (const [action, seen] of SEEN) {
    await test.step(JSON.stringify(action), async () => {
      const { input } = await desktop.ask("openai", { output: [call([action])] });
      expect(input).toHaveLength(1);
      expect(input[0]).toMatchObject({ call_id: "call_1", status: "completed" });
      expect(withoutShift(await desktop.seen())).toBe(withoutShift(seen));
      if (action["type"] === "move") {
        expect(await desktop.service.call("/api/mouse/position")).toEqual({
          ...{ x: action["x"], y: action["y"] },
        });
      }
    });
  }
});

/** The keys of typed capitals are up to the layout. */
function withoutShift(trace: string): string {
  return trace.startsWith("+Shift_L +H") || trace.startsWith("+H")
    ? trace.replaceAll(/[+-]Shift_L ?/g, "")
    : trace;
}

Deno.test("a batch of OpenAI's computer tool goes in order, and has one picture after all of it", async () => {
  await using desktop = await startModelDesktop();
  const actions = [
    { type: "screenshot" },
    { type: "click", button: "left", x: 1, y: 2 },
    { type: "type", text: "ab" },
    { type: "screenshot" },
  ];
  const answer = await desktop.ask("openai", {
    output: [{ type: "reasoning", id: "rs", summary: [] }, call(actions)],
  });
  expect(await desktop.seen()).toBe(`${clicks(1, "1,2")} +a -a +b -b`);
  const [{ output, ...rest }, ...others] = answer.input;
  expect(others).toEqual([]);
  expect(rest).toEqual({ type: "computer_call_output", call_id: "call_1", status: "completed" });
  expect(Object.keys(output)).toEqual(["type", "image_url"]);
  expect(pngSize(output.image_url)).toEqual({ width: 1280, height: 800 });
  expect(answer.pending_safety_checks).toEqual([]);
});

Deno.test("computer_use_preview has one action, and an answer in its own form", async () => {
  await using desktop = await startModelDesktop();
  const { actions: _none, ...item } = call([]);
  const action = { type: "click", button: "left", x: 3, y: 4 };
  const { input } = await desktop.ask("openai", { output: [{ ...item, action }] });
  expect(await desktop.seen()).toBe(clicks(1, "3,4"));
  expect(input).toHaveLength(1);
  expect(Object.keys(input[0])).toEqual(["type", "call_id", "output"]);
});

const WRONG: readonly (readonly [object, RegExp])[] = [
  [{ type: "teleport", x: 1, y: 1 }, /There is no action \\?"teleport\\?"; there are "click"/],
  [{ type: "constructor" }, /There is no action/],
  [{ x: 1, y: 1 }, /There is no action/],
  [
    { type: "click", button: "left", x: 1, y: 1, clicks: 3 },
    /clicks: Unknown field: "click" takes "x"/,
  ],
  [{ type: "click", button: "left", x: 1 }, /y: /],
  [{ type: "click", button: "pinky", x: 1, y: 1 }, /button: /],
  [
    { type: "click", button: "left", x: 5000, y: 1 },
    /\[5000, 1\] is outside the picture, which is 1280x800/,
  ],
  [{ type: "click", button: "left", x: 1, y: 1, keys: ["HYPERDRIVE"] }, /unknown key name/],
  [{ type: "drag", path: [{ x: 1, y: 1 }] }, /path: /],
  [{ type: "keypress", keys: [] }, /keys: /],
  [{ type: "scroll", x: 1, y: 1, scroll_x: 0, scroll_y: 1e9 }, /scroll_y: /],
  [{ type: "type", text: "\u0007" }, /text: /],
];

Deno.test("wrong actions of OpenAI's computer tool are told to the model, with a picture", async (test) => {
  await using desktop = await startModelDesktop();
  for (const [action, message] of WRONG) {
    await test.step(JSON.stringify(action), async () => {
      const { input } = await desktop.ask("openai", { output: [call([action as Action])] });
      const [output, told, ...others] = input;
      expect(others).toEqual([]);
      expect(output).toMatchObject({ type: "computer_call_output", status: "incomplete" });
      expect(pngSize(output.output.image_url)).toEqual({ width: 1280, height: 800 });
      expect(told).toMatchObject({ type: "message", role: "developer" });
      expect(told.content[0].type).toBe("input_text");
      expect(told.content[0].text).toMatch(message);
      expect(await desktop.seen()).toBe("");
    });
  }
});

Deno.test("a batch stops at the first action that fails, and so do later calls of the response", async () => {
  await using desktop = await startModelDesktop();
  const failing = call([
    { type: "type", text: "a" },
    { type: "click", button: "left", x: 9999, y: 0 },
    { type: "type", text: "b" },
    { type: "type", text: "c" },
  ]);
  const later = call([{ type: "type", text: "d" }], { call_id: "call_2" });
  const { input } = await desktop.ask("openai", { output: [failing, later] });
  expect(await desktop.seen()).toBe("+a -a");
  expect(input.map(({ type, call_id, status }: Action) => [type, call_id, status])).toEqual([
    ["computer_call_output", "call_1", "incomplete"],
    ["message", undefined, undefined],
    ["computer_call_output", "call_2", "incomplete"],
    ["message", undefined, undefined],
  ]);
  expect(input[1].content[0].text).toMatch(/action 2 \(click\).*The 2 actions after it were not/s);
  expect(input[3].content[0].text).toMatch(/an earlier computer call of this response failed/);
});

Deno.test("nothing of a batch with an unknown action runs, nor of a call that is not complete", async () => {
  await using desktop = await startModelDesktop();
  const bad = call([{ type: "type", text: "a" }, { type: "jump" }]);
  const unfinished = call([{ type: "type", text: "a" }], { status: "in_progress" });
  const empty = call([]);
  const many = call(Array(101).fill({ type: "type", text: "a" }));
  for (const item of [bad, unfinished, empty, many]) {
    const { input } = await desktop.ask("openai", { output: [item] });
    expect(input[0].status).toBe("incomplete");
    expect(input[1].content[0].text).toMatch(/failed/);
  }
  expect(await desktop.seen()).toBe("");
});

Deno.test("safety checks are handed to the caller, and nothing is done until they are acknowledged", async () => {
  await using desktop = await startModelDesktop();
  const never = `${await Deno.makeTempDir()}/never`;
  const checks = [
    { id: "sc_1", code: "malicious_instructions", message: "Somebody tells you to." },
    { id: "sc_2", code: null, message: null },
  ];
  const output = [
    call([{ type: "type", text: "a" }]),
    call([{ type: "type", text: "b" }], { call_id: "call_2", pending_safety_checks: checks }),
    { type: "shell_call", call_id: "call_3", action: { commands: [`touch ${never}`] } },
  ];
  const pending = checks.map((check) => ({ call_id: "call_2", ...check }));
  for (const acknowledged_safety_checks of [[], checks.slice(0, 1)]) {
    const answer = await desktop.ask("openai", { output, acknowledged_safety_checks });
    expect(answer).toEqual({
      ...{ input: [], frame: null },
      pending_safety_checks: pending.slice(acknowledged_safety_checks.length),
    });
    expect(await desktop.seen()).toBe("");
  }
  await expect(Deno.lstat(never)).rejects.toThrow(Deno.errors.NotFound);
  const some = output.slice(0, 2);
  const answer = await desktop.ask("openai", { output: some, acknowledged_safety_checks: checks });
  expect(await desktop.seen()).toBe("+a -a +b -b");
  expect(answer.input[0].acknowledged_safety_checks).toBeUndefined();
  expect(answer.input[1].acknowledged_safety_checks).toEqual([checks[0], { id: "sc_2" }]);
});
