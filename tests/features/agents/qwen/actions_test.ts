/** Qwen-VL: every action of its function as a window sees it, in both forms of its messages. */

import { expect } from "expect";
import { smartResize } from "../../../../src/features/agents/coordinate_space.ts";
import { clicks, type ModelDesktop, pngSize, startModelDesktop } from "../model_desktop.ts";

type Args = Readonly<Record<string, unknown>>;

function toolCall(args: unknown, id = "call_1") {
  const given = typeof args === "string" ? args : JSON.stringify(args);
  return { id, type: "function", function: { name: "computer_use", arguments: given } };
}

async function ask(desktop: ModelDesktop, calls: readonly object[], more: object = {}) {
  const message = { role: "assistant", content: null, tool_calls: calls };
  return await desktop.ask("qwen", { message, ...more });
}

const HALF = "640,200"; // on 1280x800
const AT = { coordinate: [500, 250] };

/** Each action with its fields, and what a window sees. */
const SEEN: readonly (readonly [string, Args, string])[] = [
  [
    "key",
    { keys: ["ctrl", "shift", "esc"] },
    "+Control_L +Shift_L +Escape -Escape -Shift_L -Control_L",
  ],
  ["key", { keys: ["enter"] }, "+Return -Return"],
  ["type", { text: "ab\n" }, "+a -a +b -b +Return -Return"],
  ["mouse_move", AT, ""],
  ["left_click", AT, clicks(1, HALF)],
  ["left_click", {}, clicks(1, HALF)], // at the cursor
  ["left_click_drag", { coordinate: [750, 500] }, `down1@${HALF} up1@960,400`],
  ["right_click", AT, clicks(3, HALF)],
  ["middle_click", AT, clicks(2, HALF)],
  ["double_click", AT, clicks(1, HALF, 2)],
  ["triple_click", AT, clicks(1, HALF, 3)],
  ["scroll", { ...AT, pixels: 300 }, clicks(4, HALF, 3)],
  ["scroll", { ...AT, pixels: -5 }, clicks(5, HALF)],
  ["scroll", { pixels: -200 }, clicks(5, HALF, 2)],
  ["hscroll", { ...AT, pixels: 100 }, clicks(7, HALF)],
  ["hscroll", { ...AT, pixels: -100 }, clicks(6, HALF)],
  ["wait", { time: 0.05 }, ""],
];

Deno.test("every action of Qwen's computer_use reaches the window", async (test) => {
  await using desktop = await startModelDesktop();
  for (const [action, fields, seen] of SEEN) {
    await test.step(`${action} ${JSON.stringify(fields)}`, async () => {
      const answer = await ask(desktop, [toolCall({ action, ...fields })]);
      expect(answer.results).toEqual([{ action, status: "done", error: null }]);
      const [told, shown, ...others] = answer.messages;
      expect(told).toEqual({ role: "tool", tool_call_id: "call_1", content: "Done." });
      expect([shown.role, others]).toEqual(["user", []]);
      expect(pngSize(shown.content[0].image_url.url)).toEqual({ width: 1280, height: 800 });
      expect(await desktop.seen()).toBe(seen);
      if (action === "mouse_move") {
        expect(await desktop.service.call("/api/mouse/position")).toEqual({ x: 640, y: 200 });
      }
    });
  }
});

Deno.test("calls that Qwen writes into its text are answered in its text form", async () => {
  await using desktop = await startModelDesktop();
  const call = (given: string) => `<tool_call>\n${given}\n</tool_call>`;
  const content = "I type.\n" +
    call('{"name": "computer_use", "arguments": {"action": "type", "text": "a"}}') +
    call('{"name": "weather", "arguments": {}}') +
    call('{"name": "computer_use", "arguments": {"action": "fly"}}');
  for (const given of [content, [{ type: "text", text: content }]]) {
    const { results, messages } = await desktop.ask("qwen", {
      message: { role: "assistant", content: given },
    });
    expect(results.map(({ status }: { status: string }) => status)).toEqual(["done", "failed"]);
    expect(messages).toHaveLength(1);
    const [text, picture] = messages[0].content;
    expect(text.text).toMatch(
      /^<tool_response>\nDone\.\n<\/tool_response>\n<tool_response>\nError: There is no action "fly"/,
    );
    expect(picture.type).toBe("image_url");
    expect(await desktop.seen()).toBe("+a -a");
  }
});

Deno.test("terminate and answer end the task of Qwen, and nothing after them is performed", async () => {
  await using desktop = await startModelDesktop();
  const type = { action: "type", text: "a" };
  for (
    const [action, end] of [
      [{ action: "terminate", status: "success" }, {
        kind: "terminate",
        status: "success",
        content: null,
      }],
      [{ action: "terminate", status: "failure" }, {
        kind: "terminate",
        status: "failure",
        content: null,
      }],
      [{ action: "answer", text: "42" }, { kind: "answer", status: null, content: "42" }],
    ] as const
  ) {
    const answer = await ask(desktop, [
      toolCall(type, "1"),
      toolCall(action, "2"),
      toolCall(type, "3"),
    ]);
    expect(answer.end).toEqual(end);
    expect(answer.messages.map(({ content }: { content: string }) => content))
      .toEqual(["Done.", "Done.", "Not performed."]);
    expect(await desktop.seen()).toBe("+a -a");
  }
});

const WRONG: readonly (readonly [unknown, RegExp])[] = [
  [{ action: "fly" }, /There is no action "fly"; there are "key"/],
  [{}, /There is no action "undefined"/],
  ["{no json", /not a JSON object/],
  ["[1]", /not a JSON object/],
  [{ action: "left_click", coordinate: [1] }, /coordinate/],
  [{ action: "left_click", coordinate: [1002, 5] }, /coordinate: \[1002, 5\] is outside 0 to 1000/],
  [{ action: "left_click", coordinate: [1, 5], clicks: 3 }, /clicks: Unknown field/],
  [{ action: "mouse_move" }, /coordinate: /],
  [{ action: "scroll", coordinate: [1, 5] }, /pixels: /],
  [{ action: "scroll", coordinate: [1, 5], pixels: 1e9 }, /pixels: /],
  [{ action: "key", keys: ["hyperdrive"] }, /unknown key name/],
  [{ action: "key", keys: "ctrl" }, /keys: /],
  [{ action: "terminate" }, /status: /],
];

Deno.test("wrong calls of Qwen are answered with an error", async (test) => {
  await using desktop = await startModelDesktop();
  for (const [args, message] of WRONG) {
    await test.step(JSON.stringify(args), async () => {
      const { results, messages } = await ask(desktop, [
        toolCall(args),
        toolCall({ action: "type", text: "a" }),
      ]);
      expect(results.map(({ status }: { status: string }) => status)).toEqual([
        "failed",
        "not_run",
      ]);
      expect(messages[0].content).toMatch(/^Error: /);
      expect(messages[0].content).toMatch(message);
      expect(messages[1].content).toBe("Not performed.");
      expect(messages[2].role).toBe("user");
      expect(await desktop.seen()).toBe("");
    });
  }
});

Deno.test("Qwen's calls have bounds, which keep no other client waiting, and their errors name them", async () => {
  await using desktop = await startModelDesktop();
  const list = (count: number) => Array(count).fill(0);
  const typed = { action: "type", text: "a" };
  const nested = `{"action": "type", "text": "a", "x": ${"[".repeat(300)}${"]".repeat(300)}}`;
  for (
    const [args, message] of [
      [{ ...typed, x: list(1_100) }, "have more than 1000 values"],
      [{ ...typed, ...Object.fromEntries(list(1_100).map((_, at) => [`k${at}`, 0])) }, "1000 val"],
      [nested, "have more than 200 levels"],
      [{ ...typed, text: "a".repeat(250_000) }, "have more than 250000 characters"],
      [{ ...typed, keys: list(900) }, "keys: Unknown field"],
    ] as const
  ) {
    for (const text of [false, true]) {
      const given = typeof args === "string" ? args : JSON.stringify(args);
      const content = `<tool_call>{"name": "computer_use", "arguments": ${given}}</tool_call>`;
      const { results } = text
        ? await desktop.ask("qwen", { message: { role: "assistant", content } })
        : await ask(desktop, [toolCall(args)]);
      expect(results).toMatchObject([{
        status: "failed",
        error: expect.stringContaining(message),
      }]);
    }
  }
  const refused = (content: unknown) =>
    desktop.service.refused(422, "/api/agents/qwen", { message: { content } });
  expect(await refused("<tool_call></tool_call>".repeat(1_001)))
    .toContain("The text has more than 1000 tool calls");
  expect(await refused(list(3).map(() => ({ type: "text", text: "a".repeat(400_000) }))))
    .toContain("The text has more than 1000000 characters");
  expect(await desktop.seen()).toBe("");
});

Deno.test("calls of the caller's own functions are left alone", async () => {
  await using desktop = await startModelDesktop();
  const other = { id: "w", type: "function", function: { name: "weather", arguments: "{}" } };
  const answer = await ask(desktop, [other, toolCall({ action: "type", text: "a" }, "c")]);
  expect(answer.messages.map(({ role, tool_call_id }: Args) => [role, tool_call_id]))
    .toEqual([["tool", "c"], ["user", undefined]]);
});

for (const size of ["1024x768", "1280x800", "1456x819", "1920x1080", "3840x2160", "1080x1920"]) {
  Deno.test(`the coordinates of Qwen2.5 and Qwen3 land on the pixel that is meant on ${size}`, async () => {
    await using desktop = await startModelDesktop(size);
    const [width, height] = size.split("x").map(Number) as [number, number];
    const bounds = { minPixels: 78_400, maxPixels: 2_116_800 };
    const seen = smartResize({ width, height }, bounds);
    for (const [right, down] of [[0, 0], [0.371, 0.618], [0.5, 0.5], [0.999, 0.999]] as const) {
      const target = { x: Math.floor(right * width), y: Math.floor(down * height) };
      const qwen25 = {
        coordinate: [
          Math.floor((target.x + 0.5) * seen.width / width),
          Math.floor((target.y + 0.5) * seen.height / height),
        ],
      };
      const space = { coordinates: "resized", min_pixels: 78_400, max_pixels: 2_116_800 };
      for (
        const [fields, more, within] of [
          [qwen25, space, Math.max(1, Math.ceil(width / seen.width / 2))],
          [{ coordinate: [right * 1000, down * 1000] }, {}, 1],
        ] as const
      ) {
        const call = toolCall({ action: "left_click", ...fields });
        await ask(desktop, [call], { ...more, then_screenshot: false });
        const [, x, y] = /^down1@(\d+),(\d+) up1@\1,\2$/.exec(await desktop.seen())!;
        expect(Math.abs(Number(x) - target.x)).toBeLessThanOrEqual(within);
        expect(Math.abs(Number(y) - target.y)).toBeLessThanOrEqual(within);
      }
    }
  });
}
