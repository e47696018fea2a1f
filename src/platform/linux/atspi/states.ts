/**
 * States of AT-SPI, sets of bits, and what they say about an element.
 * https://gnome.pages.gitlab.gnome.org/at-spi2-core/libatspi/enum.StateType.html
 */

import type { ElementState, Role } from "../../types/mod.ts";

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
  checkable: 41,
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

/** What the bits say; whether it is off the screen or protected is known from elsewhere. */
export function statesOf(bits: StateBits, isChromium = false): ElementState[] {
  const has = (state: keyof typeof STATE) => hasState(bits, state);
  const states = Object.entries(SAME).flatMap(([bit, state]) =>
    has(bit as keyof typeof SAME) ? [state as ElementState] : []
  );
  if (has("expandable")) states.push(has("expanded") ? "expanded" : "collapsed");
  const isFixed = isChromium && has("readOnly"); // it reports neither of such a field, which takes clicks
  if (!has("enabled") && !has("sensitive") && !isFixed) states.push("disabled");
  if (has("readOnly")) states.push("readonly");
  return states;
}

/** Of a toggle button that is on browsers say that it is pressed, others that it is checked; of one that is off, none. */
export function statesOfToggle(states: readonly ElementState[]): ElementState[] {
  const others = states.filter((state) => state !== "checked" && state !== "pressed");
  if (others.length < states.length) return [...others, "pressed"];
  // neither on nor off
  return others.includes("mixed") ? others : [...others, "unpressed"];
}

// The roles of AT-SPI by their numbers, and what they are called here: roles of WAI-ARIA where there
// is one. https://gnome.pages.gitlab.gnome.org/at-spi2-core/libatspi/enum.Role.html

/** In the order of the enumeration `AtspiRole`. */
const NAMES = (
  "invalid accelerator-label alert animation arrow calendar canvas check-box check-menu-item color-chooser " +
  "column-header combo-box date-editor desktop-icon desktop-frame dial dialog directory-pane drawing-area " +
  "file-chooser filler focus-traversable font-chooser frame glass-pane html-container icon image internal-frame " +
  "label layered-pane list list-item menu menu-bar menu-item option-pane page-tab page-tab-list panel " +
  "password-text popup-menu progress-bar push-button radio-button radio-menu-item root-pane row-header scroll-bar " +
  "scroll-pane separator slider spin-button split-pane status-bar table table-cell table-column-header " +
  "table-row-header tearoff-menu-item terminal text toggle-button tool-bar tool-tip tree tree-table unknown " +
  "viewport window extended header footer paragraph ruler application autocomplete editbar embedded entry chart " +
  "caption document-frame heading page section redundant-object form link input-method-window table-row " +
  "tree-item document-spreadsheet document-presentation document-text document-web document-email comment " +
  "list-box grouping image-map notification info-bar level-bar title-bar block-quote audio video definition " +
  "article landmark log marquee math rating timer static math-fraction math-root subscript superscript " +
  "description-list description-term description-value footnote content-deletion content-insertion mark " +
  "suggestion push-button-menu switch"
).split(" ");

const ARIA: Readonly<Record<string, Role>> = {
  "autocomplete": "combobox",
  "block-quote": "blockquote",
  "check-box": "checkbox",
  "check-menu-item": "menuitemcheckbox",
  "column-header": "columnheader",
  "combo-box": "combobox",
  "document-email": "document",
  "document-frame": "document",
  "document-presentation": "document",
  "document-spreadsheet": "document",
  "document-text": "document",
  "document-web": "document",
  "editbar": "textbox",
  "entry": "textbox",
  "extended": "generic",
  "filler": "generic",
  "frame": "window",
  "glass-pane": "generic",
  "grouping": "group",
  "icon": "img",
  "image": "img",
  "internal-frame": "iframe",
  "invalid": "generic",
  "label": "text",
  "landmark": "region",
  "layered-pane": "generic",
  "level-bar": "meter",
  "list-box": "listbox",
  "list-item": "listitem",
  "menu-bar": "menubar",
  "menu-item": "menuitem",
  "page-tab": "tab",
  "page-tab-list": "tablist",
  "panel": "generic",
  "password-text": "textbox",
  "popup-menu": "menu",
  "progress-bar": "progressbar",
  "push-button": "button",
  "push-button-menu": "button",
  "radio-button": "radio",
  "radio-menu-item": "menuitemradio",
  "redundant-object": "generic",
  "root-pane": "generic",
  "row-header": "rowheader",
  "scroll-bar": "scrollbar",
  "section": "generic",
  "spin-button": "spinbutton",
  "static": "text",
  "status-bar": "status",
  "table-cell": "cell",
  "table-column-header": "columnheader",
  "table-row": "row",
  "table-row-header": "rowheader",
  "text": "textbox", // what is only read is a label, or static
  "toggle-button": "button",
  "tool-bar": "toolbar",
  "tool-tip": "tooltip",
  "tree-item": "treeitem",
  "tree-table": "treegrid",
  "unknown": "generic",
};

/** The numbers of some roles: `roleNumber("frame")` is 23. */
export function roleNumber(name: string): number {
  const number = NAMES.indexOf(name);
  if (number < 0) throw new Error(`AT-SPI has no role "${name}"`);
  return number;
}

/** The name of AT-SPI, such as `push-button`; `role-200` for a number that is not known. */
export function roleName(number: number): string {
  return NAMES[number] ?? `role-${number}`;
}

/** The role as the port names it. */
export function roleOf(number: number, states: StateBits): Role {
  const name = roleName(number);
  if (name === "list-item" && hasState(states, "selectable")) return "option";
  const takesKeys = hasState(states, "editable") || hasState(states, "focusable");
  if (name === "text" && takesKeys) return "textbox"; // also the role of plain words
  return ARIA[name] ?? name;
}
