/** Selects, checks, opens and closes elements: the state that is wanted is read back. */

import { ValueFault } from "../../core/errors.ts";
import type { Element, ElementAction } from "../../platform/types/mod.ts";
import {
  type Acting,
  attempt,
  clickForReal,
  confirmed,
  lasts,
  type Outcome,
  unverified,
} from "./acting.ts";

export type StateAction = "select" | "unselect" | "expand" | "collapse";

/** Elements that a click switches on and off. */
const SWITCHED = /^(checkbox|switch|menuitemcheckbox)$/;
const CHOSEN = /^(radio|menuitemradio)$/;

/** How a state is reached, and how it is seen. */
interface Goal {
  readonly isReached: (element: Element) => boolean;
  /** What its program is asked. */
  readonly ask: ElementAction;
  /** Whether doing it again takes it back. */
  readonly isToggle: boolean;
  /** The state in words. */
  readonly words: string;
}

export async function setState(
  acting: Acting,
  element: Element,
  action: StateAction,
): Promise<Outcome> {
  const goal = action === "expand" || action === "collapse"
    ? openingGoal(action)
    : selectionGoal(element, action);
  if (goal.isReached(element)) {
    return confirmed("program", `It was ${goal.words} already.`, element);
  }
  return await reach(acting, goal);
}

async function reach(acting: Acting, goal: Goal): Promise<Outcome> {
  const { target, method, context: { signal } } = acting;
  let now: Element | undefined;
  if (method !== "input") {
    const asked = await target.ask(goal.ask, signal);
    now = await target.lookUntil(goal.isReached, signal, asked === "refused" ? 0 : undefined);
    if (goal.isReached(now)) return await confirmLasting(acting, goal, "program");
    // a program that is only slow would be clicked back
    const isDoneLater = asked === "silent" || asked === "accepted" && goal.isToggle;
    if (method === "program" || isDoneLater) {
      return unverified("program", `It is not ${goal.words}, though its program was asked.`, now);
    }
  }
  // it is not as wanted, so a click does not take anything back
  const failure = now ? await attempt(() => clickForReal(acting)) : await clickForReal(acting);
  if (failure !== undefined) {
    return unverified("program", `It is not ${goal.words}: ${failure}.`, now);
  }
  now = await target.lookUntil(goal.isReached, signal);
  return goal.isReached(now)
    ? await confirmLasting(acting, goal, "input")
    : unverified("input", `It is not ${goal.words}.`, now);
}

async function confirmLasting(acting: Acting, goal: Goal, by: Outcome["by"]): Promise<Outcome> {
  const { so, now } = await lasts(acting, goal.isReached);
  return so
    ? confirmed(by, `It is ${goal.words}.`, now)
    : unverified(by, `It was ${goal.words}, and then its program took that back.`, now);
}

function openingGoal(action: "expand" | "collapse"): Goal {
  const expanded = action === "expand";
  return {
    isReached: ({ states }) => states.has(expanded ? "expanded" : "collapsed"),
    ask: { kind: "expand", expanded },
    isToggle: true,
    words: expanded ? "expanded" : "collapsed",
  };
}

/** @throws ValueFault for what cannot be taken back */
function selectionGoal({ role, states }: Element, action: "select" | "unselect"): Goal {
  const wanted = action === "select";
  if (CHOSEN.test(role) && !wanted) {
    throw new ValueFault("action", "A radio button is unselected by selecting another one");
  }
  const isPressed = role === "button" && states.has("pressed");
  if (SWITCHED.test(role) || CHOSEN.test(role) || isPressed) {
    return {
      isReached: (now) => (now.states.has("checked") || now.states.has("pressed")) === wanted,
      ask: { kind: "click" },
      isToggle: !CHOSEN.test(role),
      words: wanted ? "checked" : "not checked",
    };
  }
  return {
    isReached: (now) => now.states.has("selected") === wanted,
    ask: { kind: "select", selected: wanted },
    isToggle: false,
    words: wanted ? "selected" : "not selected",
  };
}
