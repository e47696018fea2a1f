/**
 * The functions of Gemini's computer use tool in its desktop environment. Source: Google's guide
 * "Computer use", November 2026.
 */

import { z } from "zod";
import { actionOn, type ActionTable } from "../action.ts";
import type { AgentComputer, ButtonName } from "../agent_computer.ts";
import type { Spot } from "../agent_display.ts";
import { domKeyName, domKeyNames } from "../dom_keys.ts";
import type { FieldNames } from "../failure_text.ts";
import { toNotches } from "../notches.ts";

const MAX_SECONDS = 300;
const MAX_KEYS = 16;
const DEFAULT_SCROLL_PIXELS = 300;

/** Our operations' fields by the names that the functions have for them. */
export const FIELD_NAMES: FieldNames = {
  from: "start_x, start_y",
  clicks: "magnitude_in_pixels",
  horizontal_clicks: "magnitude_in_pixels",
};

/** Why the model does it, and what its safety system says: read elsewhere. */
const Meta = z.object({ intent: z.string().optional(), safety_decision: z.unknown().optional() });
const Place = Meta.extend({ x: z.number(), y: z.number() });
const KeyName = z.string().min(1).max(64);
const Key = Meta.extend({ key: KeyName });
const action = actionOn<AgentComputer>();

export const FUNCTIONS: ActionTable<AgentComputer> = {
  click: click("left", 1),
  double_click: click("left", 2),
  triple_click: click("left", 3),
  middle_click: click("middle", 1),
  right_click: click("right", 1),
  mouse_down: action(Place, (computer, { x, y }) => computer.pressButton("left", spot(x, y))),
  mouse_up: action(Place, (computer, { x, y }) => computer.releaseButton("left", spot(x, y))),
  move: action(Place, (computer, { x, y }) => computer.move(spot(x, y))),
  type: action(
    Meta.extend({ text: z.string(), press_enter: z.boolean().default(false) }),
    (computer, { text, press_enter }) => computer.type(press_enter ? `${text}\n` : text),
  ),
  drag_and_drop: action(
    Meta.extend({
      ...{ start_x: z.number(), start_y: z.number(), end_x: z.number(), end_y: z.number() },
    }),
    (computer, { start_x, start_y, end_x, end_y }) =>
      computer.drag({
        from: spot(start_x, start_y, "start_x, start_y"),
        to: spot(end_x, end_y, "end_x, end_y"),
      }),
  ),
  wait: action(
    Meta.extend({ seconds: z.number().min(0).max(MAX_SECONDS).default(1) }),
    (computer, { seconds }) => computer.wait(seconds * 1_000),
  ),
  press_key: action(Key, async (computer, { key }) => {
    await computer.call("pressHotkey", { keys: domKeyNames([key]) });
  }),
  key_down: action(Key, (computer, { key }) => computer.holdKey(domKeyName(key))),
  key_up: action(Key, (computer, { key }) => computer.releaseKey(domKeyName(key))),
  hotkey: action(
    Meta.extend({ keys: z.array(KeyName).min(1).max(MAX_KEYS) }),
    async (computer, { keys }) => {
      await computer.call("pressHotkey", { keys: domKeyNames(keys) });
    },
  ),
  take_screenshot: action(Meta, async () => {}), // its result has a picture
  scroll: action(
    Place.extend({
      direction: z.enum(["up", "down", "left", "right"]),
      magnitude_in_pixels: z.number().min(0).default(DEFAULT_SCROLL_PIXELS),
    }),
    (computer, { x, y, direction, magnitude_in_pixels }) => {
      const notches = toNotches(magnitude_in_pixels);
      const turns = direction === "down" || direction === "right" ? notches : -notches;
      const isVertical = direction === "up" || direction === "down";
      return computer.scroll({
        at: spot(x, y),
        ...isVertical ? { down: turns } : { right: turns },
      });
    },
  ),
};

function click(button: ButtonName, count: number) {
  return action(Place, (computer, { x, y }) => computer.click({ button, count, at: spot(x, y) }));
}

function spot(x: number, y: number, field = "x, y"): Spot {
  return { point: { x, y }, field };
}
