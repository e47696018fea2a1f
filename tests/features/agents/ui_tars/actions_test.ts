/** UI-TARS: every action as a window sees it, with the coordinates of each version of the model. */

import { expect } from "expect";
import { smartResize } from "../../../../src/features/agents/coordinate_space.ts";
import { clicks, type ModelDesktop, pngSize, startModelDesktop } from "../model_desktop.ts";

async function ask(desktop: ModelDesktop, text: string, more: object = {}) {
  return await desktop.ask("ui-tars", { text, ...more });
}

const BOX = "start_box='<|box_start|>(500,250)<|box_end|>'";
const HALF = "640,200"; // on 1280x800

/** Each action of a model, and what a window sees. */
const SEEN: readonly (readonly [string, string])[] = [
  [`click(${BOX})`, clicks(1, HALF)],
  ["click(point='<point>500 250</point>')", clicks(1, HALF)],
  ["click(start_box='[400, 200, 600, 300]')", clicks(1, HALF)],
  [`left_click(${BOX})`, clicks(1, HALF)],
  [`left_single(${BOX})`, clicks(1, HALF)],
  [`left_double(${BOX})`, clicks(1, HALF, 2)],
  [`double_click(${BOX})`, clicks(1, HALF, 2)],
  [`left_triple(${BOX})`, clicks(1, HALF, 3)],
  [`triple_click(${BOX})`, clicks(1, HALF, 3)],
  [`right_single(${BOX})`, clicks(3, HALF)],
  [`right_click(${BOX})`, clicks(3, HALF)],
  [`middle_click(${BOX})`, clicks(2, HALF)],
  [`drag(${BOX}, end_box='(750,500)')`, `down1@${HALF} up1@960,400`],
  [
    "drag(start_point='<point>500 250</point>', end_point='<point>750 500</point>')",
    `down1@${HALF} up1@960,400`,
  ],
  [`select(${BOX}, end_box='(750,500)')`, `down1@${HALF} up1@960,400`],
  [`left_click_drag(${BOX}, end_box='(750,500)')`, `down1@${HALF} up1@960,400`],
  ["hotkey(key='ctrl c')", "+Control_L +c -c -Control_L"],
  ["hotkey(key='ctrl+shift+arrowleft')", "+Control_L +Shift_L +Left -Left -Shift_L -Control_L"],
  ["press(key='enter')", "+Return -Return"],
  ["keydown(key='shift')", "+Shift_L"],
  ["keyup(key='shift')", "-Shift_L"],
  ["press_down(key='alt')", "+Alt_L"],
  ["release(key='alt')", "-Alt_L"],
  ["type(content='it\\'s')", "+i -i +t -t +apostrophe -apostrophe +s -s"],
  ["type(content='a\\n')", "+a -a +Return -Return"],
  [`scroll(${BOX}, direction='down')`, clicks(5, HALF, 5)],
  ["scroll(direction='up', point='<point>500 250</point>')", clicks(4, HALF, 5)],
  [`scroll(${BOX}, direction='right')`, clicks(7, HALF, 5)],
  [`scroll(${BOX}, direction='left')`, clicks(6, HALF, 5)],
  [`move(${BOX})`, ""],
  [`mouse_move(${BOX})`, ""],
  [`hover(${BOX})`, ""],
  ["wait()", ""],
];

Deno.test("every action of UI-TARS reaches the window", async (test) => {
  await using desktop = await startModelDesktop();
  for (const [action, seen] of SEEN) {
    await test.step(action, async () => {
      const answer = await ask(desktop, `Thought: I try it.\nAction: ${action}`);
      expect(answer.results).toEqual([
        { action: action.slice(0, action.indexOf("(")), status: "done", error: null },
      ]);
      const [{ role, content }, ...others] = answer.messages;
      expect([role, others]).toEqual(["user", []]);
      expect(content).toHaveLength(1);
      expect(content[0].type).toBe("image_url");
      expect(pngSize(content[0].image_url.url)).toEqual({ width: 1280, height: 800 });
      expect(answer.end).toBeNull();
      expect(await desktop.seen()).toBe(seen);
      if (/move|hover/.test(action)) {
        expect(await desktop.service.call("/api/mouse/position")).toEqual({ x: 640, y: 200 });
      }
    });
  }
});

for (const [name, kind] of [["finished", "finished"], ["call_user", "call_user"]] as const) {
  Deno.test(`${name} ends the task of UI-TARS, and nothing after it is performed`, async () => {
    await using desktop = await startModelDesktop();
    const text = `Action: type(content='a')\n\n${name}(content='That is it.')\n\ntype(content='b')`;
    const { end, results, messages } = await ask(desktop, text);
    expect(end).toEqual({ kind, status: null, content: "That is it." });
    expect(results.map(({ status }: { status: string }) => status)).toEqual([
      "done",
      "done",
      "not_run",
    ]);
    expect(messages).toEqual([]);
    expect(await desktop.seen()).toBe("+a -a");
    expect((await ask(desktop, `${name}()`)).end).toEqual({ kind, status: null, content: null });
  });
}

const WRONG: readonly (readonly [string, RegExp])[] = [
  ["I have no idea.", /cannot be parsed/],
  ["Action: click(", /cannot be parsed/],
  ["Action: open_app(app_name='x')", /There is no action "open_app"/],
  ["Action: click(start_box='here')", /start_box: a point is written \(x,y\)/],
  ["Action: click()", /start_box: a point/],
  ["Action: click(start_box='(1002,5)')", /outside 0 to 1000/],
  ["Action: drag(start_box='(1,5)')", /end_box: a point/],
  ["Action: click(start_box='(1,5)', clicks='3')", /clicks: Unknown field/],
  ["Action: hotkey(key='hyperdrive')", /unknown key name/],
  ["Action: hotkey()", /key: String should have at least 1/],
  ["Action: scroll(point='(1,5)', direction='in')", /direction: /],
];

Deno.test("wrong actions of UI-TARS are told to the model, with a picture", async (test) => {
  await using desktop = await startModelDesktop();
  for (const [text, message] of WRONG) {
    await test.step(text, async () => {
      const { results, messages } = await ask(desktop, text);
      expect(results).toHaveLength(1);
      expect(results[0].status).toBe("failed");
      expect(results[0].error).toMatch(message);
      const [told, picture] = messages[0].content;
      expect(told).toMatchObject({ type: "text", text: expect.stringMatching(message) });
      expect(picture.type).toBe("image_url");
      expect(await desktop.seen()).toBe("");
    });
  }
});

Deno.test("a turn of UI-TARS stops at the first action that fails", async () => {
  await using desktop = await startModelDesktop();
  const { results, messages } = await ask(desktop, "type(content='a')\nfly()\ntype(content='b')");
  expect(results.map(({ status }: { status: string }) => status)).toEqual([
    "done",
    "failed",
    "not_run",
  ]);
  expect(messages[0].content[0].text).toMatch(/The action fly failed: .* The 1 actions after it/);
  expect(await desktop.seen()).toBe("+a -a");
});

for (const size of ["1024x768", "1280x800", "1456x819", "1920x1080", "3840x2160", "1080x1920"]) {
  Deno.test(`the coordinates of UI-TARS, of all three kinds, land on the pixel that is meant on ${size}`, async () => {
    await using desktop = await startModelDesktop(size);
    const [width, height] = size.split("x").map(Number) as [number, number];
    const { frame } = await ask(desktop, `Action: hover(${BOX})`);
    const seen = smartResize({ width, height });
    for (const [right, down] of [[0, 0], [0.371, 0.618], [0.5, 0.5], [0.999, 0.999]] as const) {
      const target = { x: Math.floor(right * width), y: Math.floor(down * height) };
      const ways = {
        "0..1000": [right * 1000, down * 1000],
        "pixels": [target.x, target.y],
        "resized": [
          Math.floor((target.x + 0.5) * seen.width / width),
          Math.floor((target.y + 0.5) * seen.height / height),
        ],
      };
      for (const [coordinates, point] of Object.entries(ways)) {
        for (const known of coordinates === "0..1000" ? [{}] : [{}, { frame }]) {
          const text = `click(point='<point>${point.join(" ")}</point>')`;
          await ask(desktop, text, { coordinates, then_screenshot: false, ...known });
          const [, x, y] = /^down1@(\d+),(\d+) up1@\1,\2$/.exec(await desktop.seen())!;
          expect(Math.abs(Number(x) - target.x)).toBeLessThanOrEqual(1);
          expect(Math.abs(Number(y) - target.y)).toBeLessThanOrEqual(1);
        }
      }
    }
  });
}
