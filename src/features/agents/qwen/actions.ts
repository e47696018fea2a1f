/**
 * The actions of the function `computer_use` of Qwen2.5-VL and Qwen3-VL. Source: Qwen's published
 * cookbooks.
 */

import { z } from "zod";
import { actionOn, type ActionTable } from "../action.ts";
import type { ButtonName } from "../agent_computer.ts";
import type { Spot } from "../agent_display.ts";
import { domKeyNames } from "../dom_keys.ts";
import type { FieldNames } from "../failure_text.ts";
import { toNotches } from "../notches.ts";
import type { ActionTarget } from "../open_model.ts";

const MAX_SECONDS = 300;
const MAX_KEYS = 16;

export const FIELD_NAMES: FieldNames = {
  x: "coordinate",
  y: "coordinate",
  clicks: "pixels",
  horizontal_clicks: "pixels",
};

const Coordinate = z.array(z.number()).length(2);
const At = z.object({ coordinate: Coordinate.optional() });
const To = z.object({ coordinate: Coordinate });
const Pixels = At.extend({ pixels: z.number() });
const action = actionOn<ActionTarget>();

export const ACTIONS: ActionTable<ActionTarget> = {
  key: action(
    z.object({ keys: z.array(z.string().min(1).max(64)).min(1).max(MAX_KEYS) }),
    async ({ computer }, { keys }) => {
      await computer.call("pressHotkey", { keys: domKeyNames(keys) });
    },
  ),
  type: action(z.object({ text: z.string() }), ({ computer }, { text }) => computer.type(text)),
  mouse_move: action(To, async (target, { coordinate }) => {
    await target.computer.move(await spot(target, coordinate));
  }),
  left_click: click("left", 1),
  left_click_drag: action(To, async (target, { coordinate }) => {
    await target.computer.drag({ to: await spot(target, coordinate) });
  }),
  right_click: click("right", 1),
  middle_click: click("middle", 1),
  double_click: click("left", 2),
  triple_click: click("left", 3),
  // a positive number scrolls up
  scroll: action(Pixels, async (target, { coordinate, pixels }) => {
    const down = pixels === 0 ? 0 : -toNotches(pixels);
    await target.computer.scroll({ at: coordinate && await spot(target, coordinate), down });
  }),
  hscroll: action(Pixels, async (target, { coordinate, pixels }) => {
    const right = toNotches(pixels);
    await target.computer.scroll({ at: coordinate && await spot(target, coordinate), right });
  }),
  wait: action(
    z.object({ time: z.number().min(0).max(MAX_SECONDS) }),
    ({ computer }, { time }) => computer.wait(time * 1_000),
  ),
  terminate: action(
    z.object({ status: z.enum(["success", "failure"]), text: z.string().optional() }),
    async (target, { status, text }) => {
      await Promise.resolve();
      target.finish({ kind: "terminate", status, content: text ?? null });
    },
  ),
  answer: action(z.object({ text: z.string() }), async (target, { text }) => {
    await Promise.resolve();
    target.finish({ kind: "answer", status: null, content: text });
  }),
};

function click(button: ButtonName, count: number) {
  return action(At, async (target, { coordinate }) => {
    const at = coordinate && await spot(target, coordinate);
    await target.computer.click({ button, count, at });
  });
}

function spot(target: ActionTarget, [x, y]: readonly number[]): Promise<Spot> {
  return target.spot(x!, y!, "coordinate");
}
