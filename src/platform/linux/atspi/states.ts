/**
 * States of AT-SPI, sets of bits, and what they say about an element.
 * https://gnome.pages.gitlab.gnome.org/at-spi2-core/libatspi/enum.StateType.html
 */

import type { ElementState } from "../../types/mod.ts";

/** The bit of each state that is used, by its name in `AtspiStateType`. */
export const STATE = {
  active: 1,
  checked: 4,
  defunct: 6,
  editable: 7,
  enabled: 8,
  expandable: 9,
  expanded: 10,
  focusable: 11,
  focused: 12,
  iconified: 15,
  modal: 16,
  multiLine: 17,
  pressed: 20,
  selectable: 22,
  selected: 23,
  sensitive: 24,
  showing: 25,
  visible: 30,
  managesDescendants: 31,
  indeterminate: 32,
  required: 33,
  invalidEntry: 36,
  readOnly: 43,
} as const;

/** The low and the high 32 bits, as `GetState` answers them. */
export type StateBits = readonly [low: number, high: number];

export function hasState([low, high]: StateBits, state: keyof typeof STATE): boolean {
  const bit = STATE[state];
  return ((bit < 32 ? low >>> bit : high >>> (bit - 32)) & 1) === 1;
}

/** States that mean the same under both names. */
const SAME = {
  focused: "focused",
  checked: "checked",
  indeterminate: "mixed",
  selected: "selected",
  pressed: "pressed",
  editable: "editable",
  focusable: "focusable",
  modal: "modal",
  multiLine: "multiline",
  required: "required",
  invalidEntry: "invalid",
  active: "active",
} as const satisfies Partial<Record<keyof typeof STATE, ElementState>>;

/** What the bits say; whether it is off the screen or protected is told by other things. */
export function statesOf(bits: StateBits): ElementState[] {
  const has = (state: keyof typeof STATE) => hasState(bits, state);
  const states = Object.entries(SAME).flatMap(([bit, state]) =>
    has(bit as keyof typeof SAME) ? [state as ElementState] : []
  );
  if (has("expandable")) states.push(has("expanded") ? "expanded" : "collapsed");
  if (!has("enabled") && !has("sensitive")) states.push("disabled");
  if (has("readOnly")) states.push("readonly");
  return states;
}
