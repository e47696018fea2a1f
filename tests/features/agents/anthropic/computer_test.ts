/** Every member of Anthropic's computer toolset, seen by a window that records what arrives. */

import { expect } from "expect";
import { blindTurn, errorOf, member, pictureOf, textOf, turn } from "../../../support/anthropic.ts";
import { startRecordedDesktop } from "../../../support/desktop.ts";
import type { Recorder } from "../../../support/recorder.ts";

const SIZE = { server: { size: "1280x800" } };
const [LEFT, MIDDLE, RIGHT, UP, DOWN, WHEEL_LEFT, WHEEL_RIGHT] = [1, 2, 3, 4, 5, 6, 7];
const CONTROL = 4;

/** What was pressed where: `1@10,20`. */
function buttons({ buttonEvents }: Recorder): string[] {
  return buttonEvents.filter(({ what }) => what === "button down")
    .map(({ detail, x, y }) => `${detail}@${x},${y}`);
}

Deno.test("clicks press the right button at the point, as often as they say", async () => {
  await using desktop = await startRecordedDesktop(SIZE);
  const { service, recorder } = desktop;
  const cases = [
    ["left_click", "Clicked.", [LEFT]],
    ["right_click", "Right-clicked.", [RIGHT]],
    ["middle_click", "Middle-clicked.", [MIDDLE]],
    ["double_click", "Double-clicked.", [LEFT, LEFT]],
    ["triple_click", "Triple-clicked.", [LEFT, LEFT, LEFT]],
  ] as const;
  for (const [index, [name, done, expected]] of cases.entries()) {
    recorder.clear();
    const [x, y] = [100 + 50 * index, 200];
    expect(await textOf(service, member(name, { coordinate: [x, y] }))).toBe(done);
    await recorder.sync();
    expect(buttons(recorder)).toEqual(expected.map((button) => `${button}@${x},${y}`));
  }
  recorder.clear();
  await textOf(service, member("left_click", { coordinate: null }));
  await textOf(service, member("left_click", { coordinate: [5, 6], text: "ctrl" }));
  await recorder.sync();
  expect(buttons(recorder)).toEqual(["1@300,200", "1@5,6"]);
  expect(recorder.buttonEvents.map(({ state }) => (state & CONTROL) !== 0))
    .toEqual([false, false, true, true]);
  expect(recorder.strokes).toBe("+Control_L -Control_L");
});

Deno.test("keys are pressed, repeated and held; text is typed as it is", async () => {
  await using desktop = await startRecordedDesktop(SIZE);
  const { service, recorder } = desktop;
  const strokes = async (name: string, input: unknown) => {
    recorder.clear();
    const text = await textOf(service, member(name, input));
    await recorder.sync();
    return [text, recorder.strokes];
  };
  expect(await strokes("key", { text: "ctrl+shift+t" }))
    .toEqual(["Pressed ctrl+shift+t.", "+Control_L +Shift_L +T -T -Shift_L -Control_L"]);
  expect(await strokes("key", { text: "Tab", repeat: 3 }))
    .toEqual(["Pressed Tab.", "+Tab -Tab +Tab -Tab +Tab -Tab"]);
  expect(await strokes("key", { text: "Down Return", repeat: 2 })).toEqual([
    "Pressed Down Return.",
    "+Down -Down +Return -Return +Down -Down +Return -Return",
  ]);
  expect(await strokes("hold_key", { text: "shift", duration: 0.2 }))
    .toEqual(["Held shift for 0.2s.", "+Shift_L -Shift_L"]);
  const [down, up] = recorder.keyEvents;
  expect(up!.time - down!.time).toBeGreaterThanOrEqual(190);
  recorder.clear();
  expect(await textOf(service, member("type", { text: "Grüße\n日本" }))).toBe("Typed.");
  await recorder.sync();
  expect(recorder.text).toBe("Grüße\n日本");
});

Deno.test("the mouse moves, drags, scrolls, and stays pressed between turns", async () => {
  await using desktop = await startRecordedDesktop(SIZE);
  const { service, recorder } = desktop;
  expect(await textOf(service, member("mouse_move", { coordinate: [512, 384] })))
    .toBe("Moved the mouse.");
  expect(await textOf(service, member("cursor_position"))).toBe("X=512, Y=384");
  recorder.clear();
  const drag = { start_coordinate: [100, 100], coordinate: [300, 250], text: "ctrl" };
  expect(await textOf(service, member("left_click_drag", drag))).toBe("Dragged.");
  await recorder.sync();
  const [down, up] = recorder.buttonEvents;
  expect([down!.x, down!.y, up!.x, up!.y]).toEqual([100, 100, 300, 250]);
  expect(down!.state & CONTROL).toBe(CONTROL);
  for (
    const [direction, button] of [
      ["up", UP],
      ["down", DOWN],
      ["left", WHEEL_LEFT],
      ["right", WHEEL_RIGHT],
    ] as const
  ) {
    recorder.clear();
    const input = { scroll_direction: direction, scroll_amount: 2, coordinate: [400, 300] };
    expect(await textOf(service, member("scroll", input))).toBe(`Scrolled ${direction}.`);
    await recorder.sync();
    expect(buttons(recorder)).toEqual([`${button}@400,300`, `${button}@400,300`]);
  }
  recorder.clear();
  expect(await textOf(service, member("left_mouse_down"))).toBe("Left mouse button pressed.");
  await textOf(service, member("mouse_move", { coordinate: [450, 350] }));
  await recorder.sync();
  expect(recorder.buttonEvents.map(({ what }) => what)).toEqual(["button down"]);
  expect(await textOf(service, member("left_mouse_up"))).toBe("Left mouse button released.");
  await recorder.sync();
  expect(recorder.buttonEvents.map(({ what, x, y }) => [what, x, y]))
    .toEqual([["button down", 400, 300], ["button up", 450, 350]]);
});

Deno.test("a turn runs in order, ends with a picture, and halts after its first failure", async () => {
  await using desktop = await startRecordedDesktop(SIZE);
  const { service, recorder } = desktop;
  const good = await turn(service, [
    { type: "text", text: "I click." },
    member("left_click", { coordinate: [10, 20] }, "a"),
    member("wait", { duration: 0.01 }, "b"),
    member("key", { text: "a" }, "c"),
  ]);
  expect(good.map(({ tool_use_id, toolset_name, is_error, content }) => [
    ...[tool_use_id, toolset_name, is_error, content[0]!.text, content.length],
  ])).toEqual([
    ["a", "computer", undefined, "Clicked.", 1],
    ["b", "computer", undefined, "Waited 0.01s.", 1],
    ["c", "computer", undefined, "Pressed a.", 2],
  ]);
  expect(pictureOf(good[2])).toMatchObject({ width: 1280, height: 800 });

  recorder.clear();
  const bad = await turn(service, [
    member("left_click", { coordinate: [10, 20] }, "a"),
    member("left_click", { coordinate: [1281, 20] }, "b"),
    member("type", { text: "never" }, "c"),
    member("screenshot", {}, "d"),
  ]);
  const halted = "Not executed: an earlier computer action in this turn failed.";
  expect(bad.map(({ is_error, content }) => [is_error ?? false, content[0]!.text])).toEqual([
    [false, "Clicked."],
    [true, "coordinate: [1281, 20] is outside the picture, which is 1280x800 pixels"],
    [true, halted],
    [true, halted],
  ]);
  expect(bad.map(({ content }) => content.length)).toEqual([2, 1, 1, 1]);
  await recorder.sync();
  expect(recorder.presses).toEqual([]);
  expect(buttons(recorder)).toEqual(["1@10,20"]);
});

Deno.test("screenshots fit the model, and zoom shows a region as large as a screenshot", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "3840x2160" } });
  const { service } = desktop;
  const [shot] = await turn(service, [member("screenshot")]);
  expect(pictureOf(shot)).toMatchObject({ width: 2576, height: 1449 });
  expect(shot!.content.length).toBe(1);
  const [smaller] = await turn(service, [member("screenshot")], { max_edge: 2000 });
  expect(pictureOf(smaller)).toMatchObject({ width: 2000, height: 1125 });
  const [standard] = await turn(service, [member("screenshot")], { fit: "claude-standard" });
  expect(pictureOf(standard)).toMatchObject({ width: 1456, height: 819 });
  const [zoomed] = await turn(service, [member("zoom", { region: [0, 0, 644, 362] })]);
  const { width, height } = pictureOf(zoomed);
  expect([width, Math.abs(height - 1449) <= 1]).toEqual([2576, true]);
  const [tall] = await turn(service, [member("zoom", { region: [100, 100, 200, 500] })]);
  expect(pictureOf(tall).height).toBe(1449);
  expect(await errorOf(service, member("zoom", { region: [10, 10, 5, 20] })))
    .toBe("region: it must go from the top left to the bottom right corner");
  expect(await errorOf(service, member("zoom", { region: [0, 0, 2577, 20] })))
    .toContain("extends beyond the picture, which is 2576x1449 pixels");
});

Deno.test("wrong calls are answered with what would be right", async () => {
  await using desktop = await startRecordedDesktop(SIZE);
  const { service, recorder } = desktop;
  const cases: [string, unknown, string][] = [
    [
      "left_clik",
      {},
      'There is no action "left_clik"; there are "screenshot", "zoom", "left_click"',
    ],
    ["left_click", { coordinate: [1] }, "coordinate: List should have at least 2 items"],
    ["left_click", { x: 1, y: 2 }, 'x: Unknown field: "left_click" takes "coordinate", "text"'],
    ["left_click", { coordinate: "[1,2]" }, "coordinate: Input should be a valid list"],
    ["left_click", { coordinate: [1, 2], text: "ctrll" }, "text: "],
    ["left_click", [1, 2], "Input should be a valid dictionary"],
    ["left_click", null, "Input should be a valid dictionary"],
    ["left_click_drag", { coordinate: [1, 2] }, "start_coordinate: Field required"],
    ["key", { text: "NoSuchKey" }, "text: "],
    ["key", { text: "a", repeat: 101 }, "repeat: Input should be less than or equal to 100"],
    [
      "hold_key",
      { text: "a", duration: 301 },
      "duration: Input should be less than or equal to 300",
    ],
    ["wait", { duration: -1 }, "duration: Input should be greater than or equal to 0"],
    ["type", {}, "text: Field required"],
    ["type", { text: "a\u0007b" }, "text: "],
    ["type", { text: "x".repeat(100_001) }, "text: String should have at most 100000 characters"],
    [
      "scroll",
      { scroll_direction: "north", scroll_amount: 1 },
      "scroll_direction: Input should be",
    ],
    [
      "scroll",
      { scroll_direction: "up", scroll_amount: 100_000 },
      "scroll_amount: Input should be",
    ],
    ["screenshot", { full: true }, 'full: Unknown field: "screenshot" takes no fields'],
    ["zoom", { region: [0, 0, 10] }, "region: List should have at least 4 items"],
  ];
  for (const [name, input, text] of cases) {
    expect([name, await errorOf(service, member(name, input))])
      .toEqual([name, expect.stringContaining(text)]);
  }
  await recorder.sync();
  expect(recorder.events.filter(({ what }) => what !== "motion")).toEqual([]);
});

Deno.test("a member that the declaration switches off is refused", async () => {
  await using desktop = await startRecordedDesktop(SIZE);
  const tools = [{ type: "computer_toolset_20260801", configs: { zoom: { enabled: false } } }];
  const zoom = member("zoom", { region: [0, 0, 9, 9] });
  expect(await errorOf(desktop.service, zoom, { tools })).toContain('"zoom" is switched off');
  const [shown] = await turn(desktop.service, [zoom], {
    tools: [{ type: "computer_toolset_20260801", configs: null }],
  });
  expect(shown!.is_error).toBe(undefined);
  await blindTurn(desktop.service, [member("wait", { duration: 0 })], { tools });
});
