/**
 * The actions of UI-TARS models (1.0, 1.5 and 2, and Doubao's), with the names that each version
 * has for them. Source: ByteDance's published prompts and `@ui-tars/action-parser` 1.2.3.
 */

import { z } from "zod";
import { actionOn, type ActionTable } from "../action.ts";
import type { ButtonName } from "../agent_computer.ts";
import type { Spot } from "../agent_display.ts";
import { domKeyNames } from "../dom_keys.ts";
import type { FieldNames } from "../failure_text.ts";
import type { ActionTarget, End } from "../open_model.ts";
import { parsePlace } from "./place_text.ts";

/** The model gives no time: its prompt says that it is five seconds. */
const WAIT_MS = 5_000;
/** The model gives no amount; the vendor's own driver turns the wheel by five notches. */
const SCROLL_NOTCHES = 5;

export const FIELD_NAMES: FieldNames = { keys: "key", text: "content" };

const Text = z.string().max(100_000);
const Place = z.string().max(200);
/** One of three names: `start_box` until 1.5, `point` since then. */
const At = z.object({
  start_box: Place.optional(),
  point: Place.optional(),
  start_point: Place.optional(),
});
const FromTo = At.extend({ end_box: Place.optional(), end_point: Place.optional() });
const Key = z.object({ key: Text.optional(), hotkey: Text.optional() });
const Content = z.object({ content: Text.default("") });
const action = actionOn<ActionTarget>();

const hotkey = action(Key, async ({ computer }, input) => {
  await computer.call("pressHotkey", { keys: readKeys(input) });
});
const hold = action(Key, async ({ computer }, input) => {
  for (const key of readKeys(input)) await computer.holdKey(key);
});
const release = action(Key, async ({ computer }, input) => {
  for (const key of readKeys(input)) await computer.releaseKey(key);
});
const move = action(At, async (target, input) => {
  await target.computer.move(await readPlace(target, input));
});
const drag = action(FromTo, async (target, input) => {
  const to = { start_box: input.end_box, point: input.end_point };
  await target.computer.drag({
    from: await readPlace(target, input),
    to: await readPlace(target, to, "end_box"),
  });
});

export const ACTIONS: ActionTable<ActionTarget> = {
  click: click("left", 1),
  left_click: click("left", 1),
  left_single: click("left", 1),
  left_double: click("left", 2),
  double_click: click("left", 2),
  left_triple: click("left", 3),
  triple_click: click("left", 3),
  right_single: click("right", 1),
  right_click: click("right", 1),
  middle_click: click("middle", 1),
  move,
  mouse_move: move,
  hover: move,
  drag,
  select: drag,
  left_click_drag: drag,
  hotkey,
  press: hotkey,
  keydown: hold,
  press_down: hold,
  keyup: release,
  release,
  type: action(Content, ({ computer }, { content }) => computer.type(content)),
  scroll: action(
    At.extend({ direction: z.enum(["up", "down", "left", "right"]).default("down") }),
    async (target, { direction, ...input }) => {
      const at = hasPlace(input) ? await readPlace(target, input) : undefined;
      const turns = direction === "up" || direction === "left" ? -SCROLL_NOTCHES : SCROLL_NOTCHES;
      const isVertical = direction === "up" || direction === "down";
      await target.computer.scroll({ at, ...isVertical ? { down: turns } : { right: turns } });
    },
  ),
  wait: action(z.object({}), ({ computer }) => computer.wait(WAIT_MS)),
  finished: end("finished"),
  call_user: end("call_user"),
};

function click(button: ButtonName, count: number) {
  return action(At, async (target, input) => {
    await target.computer.click({ button, count, at: await readPlace(target, input) });
  });
}

function end(kind: End["kind"]) {
  return action(Content, async (target, { content }) => {
    await Promise.resolve();
    target.finish({ kind, status: null, content: content === "" ? null : content });
  });
}

function hasPlace({ start_box, point, start_point }: z.output<typeof At>): boolean {
  return (start_box ?? point ?? start_point) !== undefined;
}

/** @throws ValueFault on the field when there is no place, or none that can be read */
async function readPlace(
  target: ActionTarget,
  { start_box, point, start_point }: z.output<typeof At>,
  field = "start_box",
): Promise<Spot> {
  const { x, y } = parsePlace(start_box ?? point ?? start_point ?? "", field);
  return await target.spot(x, y, field);
}

/** `ctrl c`, `ctrl+c`; the vendor's prompt separates keys by blanks. */
function readKeys({ key, hotkey }: z.output<typeof Key>): readonly string[] {
  const text = key ?? hotkey ?? "";
  return domKeyNames(text.trim() === "" ? [text] : text.trim().split(/\s+/));
}
