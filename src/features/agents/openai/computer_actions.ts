/**
 * The actions of OpenAI's tools `computer` and `computer_use_preview`. Source: `ComputerAction` of
 * the package `openai` 7.57.0.
 */

import { z } from "zod";
import { actionOn, type ActionTable } from "../action.ts";
import type { AgentComputer, ButtonName } from "../agent_computer.ts";
import type { Spot } from "../agent_display.ts";
import { domKeyNames } from "../dom_keys.ts";
import type { FieldNames } from "../failure_text.ts";
import { toNotches } from "../notches.ts";

/** The vendor gives no time; its own examples wait one second. */
const WAIT_MS = 1_000;
const MAX_KEYS = 16;
const MAX_PATH = 1_000;

/** Our operations' fields by the names that the actions have for them. */
export const FIELD_NAMES: FieldNames = {
  modifiers: "keys",
  key: "keys",
  from: "path",
  clicks: "scroll_y",
  horizontal_clicks: "scroll_x",
};

const BUTTONS = {
  left: "left",
  right: "right",
  wheel: "middle",
  back: "back",
  forward: "forward",
} as const satisfies Record<string, ButtonName>;

const Keys = z.array(z.string().min(1).max(64)).max(MAX_KEYS);
const Held = Keys.optional();
const Place = z.object({ x: z.number(), y: z.number() });
const action = actionOn<AgentComputer>();

export const COMPUTER_ACTIONS: ActionTable<AgentComputer> = {
  click: action(
    Place.extend({
      button: z.enum(["left", "right", "wheel", "back", "forward"]).default("left"),
      keys: Held,
    }),
    (computer, { x, y, button, keys = [] }) =>
      computer.click({ button: BUTTONS[button], at: spot(x, y), modifiers: domKeyNames(keys) }),
  ),
  double_click: action(
    Place.extend({ keys: Held }),
    (computer, { x, y, keys = [] }) =>
      computer.click({
        ...{ button: "left", count: 2, at: spot(x, y), modifiers: domKeyNames(keys) },
      }),
  ),
  drag: action(
    z.object({ path: z.array(Place).min(2).max(MAX_PATH), keys: Held }),
    async (computer, { path, keys = [] }) => {
      const spots = path.map(({ x, y }) => ({ point: { x, y }, field: "path" }));
      const [from, to] = [spots[0], spots.at(-1)!];
      await computer.drag({ from, path: spots.slice(1, -1), to, modifiers: domKeyNames(keys) });
    },
  ),
  keypress: action(z.object({ keys: Keys.min(1) }), async (computer, { keys }) => {
    await computer.call("pressHotkey", { keys: domKeyNames(keys) });
  }),
  move: action(
    Place.extend({ keys: Held }),
    (computer, { x, y, keys = [] }) =>
      computer.withKeys(domKeyNames(keys), () => computer.move(spot(x, y))),
  ),
  screenshot: action(z.object({}), async () => {}), // the answer has one picture, after all actions
  scroll: action(
    Place.extend({ scroll_x: z.number(), scroll_y: z.number(), keys: Held }),
    (computer, { x, y, scroll_x, scroll_y, keys = [] }) =>
      computer.scroll({
        ...{ at: spot(x, y), right: toNotches(scroll_x), down: toNotches(scroll_y) },
        modifiers: domKeyNames(keys),
      }),
  ),
  type: action(z.object({ text: z.string() }), (computer, { text }) => computer.type(text)),
  wait: action(z.object({}), (computer) => computer.wait(WAIT_MS)),
};

function spot(x: number, y: number): Spot {
  return { point: { x, y }, field: "x, y" };
}
