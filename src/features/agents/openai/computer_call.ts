/** Performs the actions of one `computer_call`, and answers it with one picture after all of them. */

import { z } from "zod";
import { ServiceError } from "../../../core/errors.ts";
import { type Fields, isObject } from "../../call/check_fields.ts";
import { failureText, type FieldNames, readAction } from "../actions.ts";
import type { AgentComputer } from "../agent_computer.ts";
import { domKeyNames, MAX_KEYS } from "../key_names.ts";
import { toNotches } from "../coordinate_space.ts";
import { type AgentPicture, dataUrl, type EncodePicture } from "../pictures.ts";
import { clicksOn, computerAction as action, type ComputerActions } from "../turn.ts";
import type { AnswerItem, Call, SafetyCheck } from "./items.ts";

const MAX_ACTIONS = 100;

/** The answer to one call, once the text of a picture is known. */
export type Answer = (base64: EncodePicture) => readonly AnswerItem[];

/**
 * All actions are checked before the first runs; the first that fails ends the call.
 * @returns why the call was not completed, in words for the model; `undefined` when it was
 * @throws the reason of `signal` when the client has left
 */
export async function performActions(
  computer: AgentComputer,
  { item }: Call,
  signal: AbortSignal,
): Promise<string | undefined> {
  let actions: readonly Fields[] = [];
  let [at, isChecked] = [-1, false];
  try {
    actions = listActions(item);
    const ready = actions.map(({ type, ...fields }, index) => {
      at = index;
      return readAction(COMPUTER_ACTIONS, { name: type, fields });
    });
    isChecked = true;
    for (at = 0; at < ready.length; at++) {
      signal.throwIfAborted();
      await ready[at]!.run(computer);
    }
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    const type = actions[at]?.["type"];
    const name = typeof type === "string" ? type.slice(0, 64).toWellFormed() : "without a type";
    const where = at < 0 ? "" : `action ${at + 1} (${name}): `;
    const left = actions.length - at - 1;
    const rest = left > 0 ? `The ${left} actions after it were not performed.` : "";
    const outcome = isChecked ? rest : "No action of this call was performed.";
    return `The computer call failed: ${where}${failureText(error)}. ${outcome}`.trim();
  }
}

/**
 * A call that was not completed has a message behind its picture, because the vendor's form of the
 * answer has no field for an error.
 */
export function answerCall(
  { callId, item, checks }: Call,
  picture: AgentPicture,
  failure: string | undefined,
): Answer {
  return (base64) => [
    {
      type: "computer_call_output",
      call_id: callId,
      output: { type: "computer_screenshot", image_url: dataUrl(picture, base64) },
      ...(checks.length > 0 && { acknowledged_safety_checks: checks.map(plainCheck) }),
      ...(("actions" in item || failure !== undefined) && {
        status: failure === undefined ? "completed" : "incomplete",
      }),
    },
    ...explain(failure),
  ];
}

/** The message that explains a failure to the model. */
export function explain(failure: string | undefined): readonly AnswerItem[] {
  if (failure === undefined) return [];
  const content = [{ type: "input_text", text: failure }];
  return [{ type: "message", role: "developer", content }];
}

function plainCheck({ id, code, message }: SafetyCheck): SafetyCheck {
  return { id, ...(code ? { code } : {}), ...(message ? { message } : {}) };
}

/** Those of a batch, or the single one of the older tool. */
function listActions(item: Call["item"]): readonly Fields[] {
  const { actions, action, status } = item;
  if (status === "in_progress" || status === "incomplete") {
    throw new ServiceError(
      "invalid",
      `the call is ${status}, and only a completed one is performed`,
    );
  }
  const list = actions ?? (action === undefined ? [] : [action]);
  if (!Array.isArray(list) || list.length === 0 || !list.every(isObject)) {
    throw new ServiceError("invalid", "it needs `actions`, a list of objects, or one `action`");
  }
  if (list.length > MAX_ACTIONS) {
    throw new ServiceError("invalid", `it has ${list.length} actions, and may have ${MAX_ACTIONS}`);
  }
  return list;
}

// The actions of OpenAI's tools `computer` and `computer_use_preview`. Source: `ComputerAction` of
// the package `openai` 7.57.0.

/** The vendor gives no time; its own examples wait one second. */
const DEFAULT_WAIT_MS = 1_000;
const MAX_PATH = 1_000;

/** Our operations' fields by the names that the actions have for them. */
export const FIELD_NAMES: FieldNames = {
  modifiers: "keys",
  key: "keys",
  from: "path",
  clicks: "scroll_y",
  horizontal_clicks: "scroll_x",
};

const Keys = z.array(z.string().min(1).max(64)).max(MAX_KEYS);
const PointFields = z.object({ x: z.number(), y: z.number() });
const HeldKeys = Keys.default([]);
const At = PointFields.extend({ keys: HeldKeys });
const Click = At.extend({
  button: z.enum(["left", "right", "wheel", "back", "forward"]).default("left"),
});
const Drag = z.object({ path: z.array(PointFields).min(2).max(MAX_PATH), keys: HeldKeys });
const Scroll = At.extend({ scroll_x: z.number(), scroll_y: z.number() });

const COMPUTER_ACTIONS: ComputerActions = {
  click: action(
    Click,
    (computer, { button, ...at }) =>
      computer.click({ button: button === "wheel" ? "middle" : button, ...locate(at) }),
  ),
  double_click: clicksOn(At, locate)("left", 2),
  drag: action(Drag, (computer, { path, keys }) => {
    const spots = path.map((point) => ({ point, field: "path" }));
    const [from, to] = [spots[0], spots.at(-1)!];
    return computer.drag({ from, path: spots.slice(1, -1), to, modifiers: domKeyNames(keys) });
  }),
  keypress: action(z.object({ keys: Keys.min(1) }), (computer, { keys }) => computer.hotkey(keys)),
  move: action(At, (computer, input) => {
    const { at, modifiers } = locate(input);
    return computer.withKeys(modifiers, () => computer.move(at));
  }),
  screenshot: action(z.object({}), () => {}), // the answer has one picture, after all actions
  scroll: action(
    Scroll,
    (computer, { scroll_x, scroll_y, ...at }) =>
      computer.scroll({ ...locate(at), right: toNotches(scroll_x), down: toNotches(scroll_y) }),
  ),
  type: action(z.object({ text: z.string() }), (computer, { text }) => computer.type(text)),
  wait: action(z.object({}), (computer) => computer.wait(DEFAULT_WAIT_MS)),
};

function locate({ x, y, keys }: z.output<typeof At>) {
  return { at: { point: { x, y }, field: "x, y" }, modifiers: domKeyNames(keys) };
}
