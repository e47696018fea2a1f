/** Acts on elements, and says whether that was seen to have an effect. */

import type { z } from "zod";
import { FieldError } from "../../core/errors.ts";
import type { Element, ElementAction } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { withKeys } from "../input/clicks.ts";
import { conflictOf } from "../input/targets/refs.ts";
import { focusElement, settleInput } from "../input/targets/send_at.ts";
import type { ActAnswer, ActFields } from "./fields.ts";
import {
  type Acting,
  attempt,
  captureBefore,
  clickForReal,
  confirmed,
  type ElementActionResult,
  findEffect,
  lasts,
  prefersInput,
  pressForReal,
  unverified,
  VISIBLE_ONLY,
} from "./element_actions.ts";
import { chooseFromMenu } from "./choose_from_menu.ts";
import { isTextField } from "./outline.ts";
import type { ElementTarget } from "./element_target.ts";
import { redactElement } from "./redact_elements.ts";
import { setValue } from "./set_value.ts";
import { findElement } from "./use_accessibility.ts";

type ActInput = z.output<z.ZodObject<typeof ActFields>>;

/**
 * @throws FieldError for a field that the action needs; ServiceError `conflict` for an element that
 * is gone, disabled, covered, or another one now
 */
export async function actOnElement(context: Context, input: ActInput): Promise<ActAnswer> {
  checkFields(input);
  const { now, ...outcome } = await run(context, input);
  if (!now) return outcome;
  const redacted = await redactElement(context, now);
  return {
    ...outcome,
    ...(redacted.value === undefined ? {} : { value: redacted.value.slice(0, MAX_VALUE) }),
    states: [...redacted.states],
  };
}

/** Characters of the value in the answer. */
const MAX_VALUE = 1_000;

/** Fields that an action needs. */
const NEEDED: Readonly<Partial<Record<ActInput["action"], "value" | "menu_path">>> = {
  set_value: "value",
  menu: "menu_path",
};

function checkFields(input: ActInput): void {
  const { action, ref } = input;
  if (ref === undefined && action !== "menu") {
    throw new FieldError("ref", `${action} needs the ref of an element`);
  }
  for (const field of ["value", "menu_path"] as const) {
    const isNeeded = NEEDED[action] === field;
    if (isNeeded && input[field] === undefined) {
      throw new FieldError(field, `${action} needs ${field}`);
    }
    if (!isNeeded && input[field] !== undefined) {
      throw new FieldError(field, `${action} takes no ${field}`);
    }
  }
}

async function run(context: Context, input: ActInput): Promise<ElementActionResult> {
  const { action, ref, method } = input;
  if (action === "menu") {
    return await chooseFromMenu(context, { ...input, menuPath: input.menu_path! });
  }
  const target = findElement(context, ref!);
  await settleInput(context, target.displayNum);
  const acting = { context, target, ref: ref!, method };
  const element = await target.refresh(context.signal);
  if (element.states.has("disabled") && action !== "scroll_to") {
    throw conflictOf(target, "is disabled: nothing was done");
  }
  switch (action) {
    case "click":
      return await click(acting, element);
    case "focus":
      return await focus(acting);
    case "scroll_to":
      return await scrollTo(acting);
    case "set_value":
      return await setValue(acting, element, input.value!);
    case "select":
      // GTK says of an item of a closed list that it is selected, and the list keeps what it had
      if (element.role === "menuitem") return await click(acting, element);
      return await setState(acting, element, action);
    case "unselect":
    case "expand":
    case "collapse":
      return await setState(acting, element, action);
  }
}

/** Clicks, and checks whether anything has changed. */
async function click(acting: Acting, element: Element): Promise<ElementActionResult> {
  const before = await captureBefore(acting, element);
  const by = await sendClick(acting, element);
  if (by === "refused") {
    return unverified(
      "program",
      `The program offers no click action for the ${acting.target.role}`,
      element,
    );
  }
  const { change, isOwn, takenBack, now } = await findEffect(acting, before, {
    byInput: by === "input",
  });
  if (change !== undefined && isOwn && by === "program" && element.needsInput) {
    return unverified(by, `${change}, ${VISIBLE_ONLY}`, now);
  }
  if (change !== undefined) return confirmed(by, `${change}.`, now);
  if (takenBack === undefined) return unverified(by, NO_EFFECT, now);
  return unverified(by, `${takenBack}, and then its program reverted that.`, now);
}

const NO_EFFECT = "No change was observed within 1.4 s.";

/** In a field the action of its program is another one than a click: it submits the form. */
async function sendClick(
  acting: Acting,
  element: Element,
): Promise<ElementActionResult["by"] | "refused"> {
  const { target, method, context: { signal } } = acting;
  const isRequested = method === "program" ||
    method === "auto" && !isTextField(element) && !await prefersInput(acting, element);
  if (isRequested && await target.request({ kind: "click" }, signal) !== "refused") {
    return "program";
  }
  if (method === "program") return "refused";
  await clickForReal(acting);
  return "input";
}

async function focus({ context, target, method }: Acting): Promise<ElementActionResult> {
  if (method === "program") {
    const has = await target.takeFocus(context.signal);
    return describeFocus(target, has, await target.refresh(context.signal));
  }
  let has = false;
  const trying = {
    key: target.key,
    displayNum: target.displayNum,
    description: target.description,
    reveal: (signal: AbortSignal) => target.reveal(signal),
    async focus(signal: AbortSignal, clickAt: Parameters<typeof target.focus>[1]) {
      has = await target.takeFocus(signal, clickAt);
    },
  };
  await withKeys(context, target.displayNum, (leased) => focusElement(context, trying, leased));
  return describeFocus(target, has, await target.refresh(context.signal));
}

function describeFocus(
  { description }: Pick<ElementTarget, "description">,
  has: boolean,
  now: Element,
): ElementActionResult {
  return has
    ? confirmed("program", "It has the keyboard focus.", now)
    : unverified("program", `The ${description} did not take the keyboard focus.`, now);
}

async function scrollTo({ context: { signal }, target }: Acting): Promise<ElementActionResult> {
  const isInView = await target.scrollIntoView(signal);
  const now = await target.refresh(signal);
  return isInView
    ? confirmed("program", "It is in view.", now)
    : unverified("program", "It is not in view: its program does not scroll to it.", now);
}

// Selects, checks, opens and closes elements: the state that is wanted is read back.

type StateAction = "select" | "unselect" | "expand" | "collapse";

/** Elements that a click switches on and off. */
const SWITCHED = /^(checkbox|switch|menuitemcheckbox)$/;
const CHOSEN = /^(radio|menuitemradio)$/;

/** How a state is reached, and how it is seen. */
interface Goal {
  readonly isReached: (element: Element) => boolean;
  /** What its program is requested to do. */
  readonly action: ElementAction;
  /** Whether doing it again takes it back. */
  readonly isToggle: boolean;
  /** The state in words. */
  readonly words: string;
  /** By which a row that has the keyboard does it; a click selects that row only. */
  readonly rowKey?: string;
}

/** Elements that open by a key rather than by a click. */
const ROW = /^(cell|gridcell|row|treeitem|listitem|option)$/;

async function setState(
  acting: Acting,
  element: Element,
  action: StateAction,
): Promise<ElementActionResult> {
  const goal = action === "expand" || action === "collapse"
    ? openingGoal(action)
    : selectionGoal(element, action);
  if (goal.isReached(element)) {
    return confirmed("program", `It was ${goal.words} already.`, element);
  }
  return await reach(acting, element, goal);
}

async function reach(acting: Acting, element: Element, goal: Goal): Promise<ElementActionResult> {
  const { target, method, context: { signal } } = acting;
  let now: Element | undefined;
  if (method === "program" || method === "auto" && !await prefersInput(acting, element)) {
    const response = await target.request(goal.action, signal);
    now = await target.pollUntil(goal.isReached, signal, response === "refused" ? 0 : undefined);
    if (goal.isReached(now)) return await confirmLasting(acting, goal, "program");
    // a program that is only slow would be clicked back
    const isDoneLater = response === "unresponsive" || response === "accepted" && goal.isToggle;
    if (method === "program" || isDoneLater) {
      return unverified(
        "program",
        `It is not ${goal.words}, although its program was requested to change it.`,
        now,
      );
    }
  }
  // it is not as wanted, so a click does not take anything back
  const input = () => inputFor(acting, goal);
  const failure = now ? await attempt(input) : await input();
  if (failure !== undefined) {
    return unverified("program", `It is not ${goal.words}: ${failure}.`, now);
  }
  now = await target.pollUntil(goal.isReached, signal);
  return goal.isReached(now)
    ? await confirmLasting(acting, goal, "input")
    : unverified("input", `It is not ${goal.words}.`, now);
}

async function inputFor(acting: Acting, { rowKey }: Goal): Promise<void> {
  await clickForReal(acting);
  if (rowKey !== undefined && ROW.test(acting.target.role)) await pressForReal(acting, rowKey);
}

async function confirmLasting(
  acting: Acting,
  goal: Goal,
  by: ElementActionResult["by"],
): Promise<ElementActionResult> {
  const { so, now } = await lasts(acting, goal.isReached);
  if (so && by === "program" && now.needsInput) {
    return unverified(by, `It is ${goal.words}, ${VISIBLE_ONLY}`, now);
  }
  return so
    ? confirmed(by, `It is ${goal.words}.`, now)
    : unverified(by, `It was ${goal.words}, and then its program reverted that.`, now);
}

function openingGoal(action: "expand" | "collapse"): Goal {
  const expanded = action === "expand";
  return {
    isReached: ({ states }) => states.has(expanded ? "expanded" : "collapsed"),
    action: { kind: "expand", expanded },
    isToggle: true,
    words: expanded ? "expanded" : "collapsed",
    rowKey: expanded ? "right" : "left",
  };
}

/** @throws FieldError for what cannot be taken back */
function selectionGoal({ role, states }: Element, action: "select" | "unselect"): Goal {
  const wanted = action === "select";
  if (CHOSEN.test(role) && !wanted) {
    throw new FieldError("action", "A radio button is unselected by selecting another one");
  }
  const isToggle = role === "button" &&
    (states.has("pressed") || states.has("unpressed") || states.has("mixed"));
  if (SWITCHED.test(role) || CHOSEN.test(role) || isToggle) {
    const word = isToggle ? "pressed" : "checked";
    return {
      isReached: (now) =>
        !now.states.has("mixed") &&
        (now.states.has("checked") || now.states.has("pressed")) === wanted,
      action: { kind: "click" },
      isToggle: !CHOSEN.test(role),
      words: wanted ? word : `not ${word}`,
    };
  }
  return {
    isReached: (now) => now.states.has("selected") === wanted,
    action: { kind: "select", selected: wanted },
    isToggle: false,
    words: wanted ? "selected" : "not selected",
  };
}
