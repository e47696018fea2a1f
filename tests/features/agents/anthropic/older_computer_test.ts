/** The computer tools before the toolset: one tool whose `action` is the member's name. */

import { expect } from "expect";
import { blindTurn, errorOf, pictureOf, textOf, turn, use } from "../../../support/anthropic.ts";
import { startRecordedDesktop } from "../../../support/desktop.ts";

const SIZES = { name: "computer", display_width_px: 1280, display_height_px: 800 };
const NEWER = { tools: [{ type: "computer_20251124", ...SIZES, enable_zoom: true }] };
const OLDER = { tools: [{ type: "computer_20250124", ...SIZES }] };

function act(action: string, input: Readonly<Record<string, unknown>> = {}) {
  return use("computer", { action, ...input });
}

Deno.test("every action of the older computer tools has its effect", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "1280x800" } });
  const { service, recorder } = desktop;
  for (const more of [NEWER, OLDER]) {
    recorder.clear();
    const done: string[] = [];
    for (
      const [action, input] of [
        ["mouse_move", { coordinate: [10, 20] }],
        ["cursor_position", {}],
        ["left_mouse_down", {}],
        ["left_mouse_up", {}],
        ["left_click", { coordinate: [30, 40], text: null }],
        ["right_click", { coordinate: [31, 40] }],
        ["middle_click", { coordinate: [32, 40] }],
        ["double_click", { coordinate: [133, 40] }],
        ["triple_click", { coordinate: [234, 40] }],
        ["left_click_drag", { start_coordinate: [300, 300], coordinate: [340, 310] }],
        ["left_click_drag", { coordinate: [350, 320] }],
        ["scroll", { coordinate: [50, 60], scroll_direction: "down", scroll_amount: 1 }],
        ["key", { text: "Return" }],
        ["hold_key", { text: "a", duration: 0.05 }],
        ["type", { text: "hi" }],
        ["wait", { duration: 0.01 }],
      ] as const
    ) {
      done.push(await textOf(service, act(action, input), more));
    }
    expect(done.join(" ")).toBe(
      "Moved the mouse. X=10, Y=20 Left mouse button pressed. Left mouse button released. Clicked. " +
        "Right-clicked. Middle-clicked. Double-clicked. Triple-clicked. Dragged. Dragged. " +
        "Scrolled down. Pressed Return. Held a for 0.05s. Typed. Waited 0.01s.",
    );
    await recorder.sync();
    const downs = recorder.buttonEvents.filter(({ what }) => what === "button down")
      .map(({ detail, x }) => `${detail}@${x}`).join(" ");
    expect(downs).toBe(
      "1@10 1@30 3@31 2@32 1@133 1@133 1@234 1@234 1@234 1@300 1@340 5@50",
    );
    expect(recorder.text).toBe("\nahi");
    const [shot] = await turn(service, [act("screenshot")], more);
    expect(pictureOf(shot)).toMatchObject({ width: 1280, height: 800 });
    expect(shot).not.toHaveProperty("toolset_name");
  }
  const [zoomed] = await turn(service, [act("zoom", { region: [0, 0, 320, 200] })], NEWER);
  expect(pictureOf(zoomed)).toMatchObject({ width: 1280, height: 800 });
});

Deno.test("an older tool answers an action with a picture, and halts a turn as the toolset does", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "1280x800" } });
  const results = await turn(
    desktop.service,
    [act("key", { text: "a" }), act("key", { text: "NoSuchKey" }), act("type", { text: "b" })],
    OLDER,
  );
  expect(results.map(({ content }) => content.map(({ type }) => type)))
    .toEqual([["text", "image"], ["text"], ["text"]]);
  expect(results[2]!.content[0]!.text)
    .toBe("Not executed: an earlier computer action in this turn failed.");
});

Deno.test("actions and declarations that an older tool cannot have are refused", async () => {
  await using desktop = await startRecordedDesktop({ server: { size: "1280x800" } });
  const { service } = desktop;
  const zoom = act("zoom", { region: [0, 0, 9, 9] });
  expect(await errorOf(service, zoom, OLDER)).toContain('There is no action "zoom"');
  const without = { tools: [{ type: "computer_20251124", ...SIZES }] };
  expect(await errorOf(service, zoom, without)).toContain('"zoom" is switched off');
  expect(await errorOf(service, use("computer", {}), OLDER)).toBe("action: Field required");
  expect(await errorOf(service, use("computer", { action: 5 }), OLDER)).toContain("action: ");
  expect(await errorOf(service, act("left_click", { coordinate: [1281, 5] }), OLDER))
    .toContain("outside the picture, which is 1280x800 pixels");
  for (const display_width_px of [0, -1, 1.5, "1280", 1e9, undefined]) {
    const tools = [{ ...OLDER.tools[0], display_width_px }];
    expect(await errorOf(service, act("screenshot"), { tools })).toContain("display_width_px");
  }
  const [shot] = await blindTurn(service, [act("screenshot")]); // without any declaration
  expect(pictureOf(shot)).toMatchObject({ width: 1280, height: 800 });
});
