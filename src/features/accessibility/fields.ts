/** The fields and the answers of the accessibility operations. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FORMATS } from "../../imaging/image_file.ts";
import { PictureValue } from "../batch/fields.ts";
import { ScreenshotFields } from "../display/fields.ts";
import { DisplayNumber } from "../fields.ts";

/** Most elements that `find` names: more help nobody. */
const MAX_FOUND = 20;
const MAX_CHARS = 1_000_000;
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 100;

/** All that the port knows. */
const STATES = [
  ...["focused", "checked", "mixed", "selected", "expanded", "collapsed", "pressed"] as const,
  ...["unpressed", "disabled", "readonly", "editable", "focusable", "modal", "multiline"] as const,
  ...["required", "invalid", "protected", "offscreen", "active"] as const,
] as const;
const ABILITIES = ["click", "focus", "set value", "select", "scroll to", "expand"] as const;

const State = z.enum(STATES);

export const RefField = z.string().min(1).max(64).describe(
  "The ref of an element, such as `e12`, from a snapshot or from find. An element that is gone, has another role or name, or is no longer visible is 409.",
);

const Bounds = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(0),
  height: z.int().min(0),
}).describe(
  "The bounds of the element, in pixels of the display; parts of it can be out of view. Missing if its program does not report them.",
);

const Role = z.string().describe(
  "A role of WAI-ARIA where there is one (`button`, `textbox`, `menuitem`), else the system's own.",
);

/** What is known of an element, in lists and trees. */
const ELEMENT = {
  ref: z.string().describe("Operations that act on an element take it as `ref`."),
  role: Role,
  name: z.string().describe("The label; empty if it has none."),
  label: z.string().optional().describe(
    "The text to the left of a field without a name, or above it; `find` and waits find it by this as by a name.",
  ),
  value: z.string().optional().describe(
    "The text or the number that it holds; never that of a password field.",
  ),
  description: z.string().optional().describe(
    "The description that its program reports in addition to the name.",
  ),
  states: z.array(State).describe(
    "The states that it is in. A toggle button that is off is `unpressed`; no other button is.",
  ),
  bounds: Bounds.optional(),
  window: z.string().optional().describe(
    "The id of the window, if this is one; window operations take it.",
  ),
};

const ABLE = z.array(z.enum(ABILITIES)).describe(
  "The actions that its program offers for it by its accessibility interface.",
);

/** An element of a JSON snapshot; `children` contains elements in turn. */
export const ElementNode = z.object({
  ref: ELEMENT.ref,
  role: ELEMENT.role,
  name: ELEMENT.name,
  label: ELEMENT.label,
  value: ELEMENT.value,
  description: ELEMENT.description,
  states: ELEMENT.states,
  abilities: ABLE,
  bounds: ELEMENT.bounds,
  window: ELEMENT.window,
  child_count: z.int().min(0).describe("The number of its children, as its program reports it."),
  get children() {
    return z.array(ElementNode).optional().describe("The visible elements inside it.");
  },
});

export type ElementNode = z.output<typeof ElementNode>;

/** What is read: the same in snapshots and searches. */
export function readFields(limits: Limits) {
  return {
    window: z.string().min(1).max(100).default("focused").describe(
      "The window to read: `focused`, `all`, or the id of a window.",
    ),
    ref: RefField.optional().describe(
      "The ref of an element: only this element and what is inside it are read, and `window` is ignored.",
    ),
    include_hidden: z.boolean().default(false).describe(
      "If true, elements that are not visible are read, too: those of closed menus, for example.",
    ),
    max_elements: z.int().min(1).max(MAX_ELEMENTS).default(5_000).describe(
      "The maximum number of elements to read.",
    ),
    max_depth: z.int().min(1).max(MAX_DEPTH).default(MAX_DEPTH).describe(
      "The maximum number of levels below a window.",
    ),
    timeout_ms: z.int().min(1).max(limits.maxDurationMs).default(5_000).describe(
      "The maximum time to read, in milliseconds; the answer contains what was read by then.",
    ),
    display_num: DisplayNumber,
  };
}

export function snapshotFields(limits: Limits) {
  return {
    ...readFields(limits),
    format: z.enum(["text", "json", "xml"]).default("text").describe(
      "The format: `text` for models, one line for each element; `json` as nested objects; `xml` with the coordinates of every element.",
    ),
    max_chars: z.int().min(100).max(MAX_CHARS).default(20_000).describe(
      "The maximum number of characters of the snapshot; the last line says how many elements were omitted.",
    ),
    screenshot: z.boolean().default(false).describe(
      "If true, the answer also has a picture of the display, taken right after the elements were read.",
    ),
    boxes: z.boolean().default(false).describe(
      "If true, the picture shows the box of each element and its ref; this implies `screenshot`.",
    ),
    max_edge: ScreenshotFields.max_edge,
    fit: ScreenshotFields.fit,
    picture_format: z.enum(FORMATS).default("png").describe("The format of the picture."),
    quality: ScreenshotFields.quality,
  };
}

const Truncated = z.array(z.enum(["characters", "depth", "elements", "size", "time"])).describe(
  "The limits that ended the reading before everything was read; if the list is empty, nothing is missing. `size`: the texts of the elements together have more than 16,777,216 characters.",
);
const UnresponsivePrograms = z.array(z.string()).describe(
  "Programs that did not answer in time or gave damaged answers, by name or process id.",
);
const Gap = z.string().optional().describe(
  "Present only if the answer may contain stored secrets, because the keychain could not be read; says why.",
);

export const SnapshotAnswer = z.object({
  text: z.string().optional().describe("The snapshot, with the format `text`."),
  elements: z.array(ElementNode).optional().describe("The snapshot, with the format `json`."),
  xml: z.string().optional().describe("The snapshot, with the format `xml`."),
  count: z.int().min(0).describe("The number of elements in it that have a ref."),
  truncated: Truncated,
  omitted: z.int().min(0).describe("The number of elements omitted because of `max_chars`."),
  silent: UnresponsivePrograms,
  redaction_gap: Gap,
  screenshot: PictureValue.optional().describe("The picture, if it was requested."),
  elapsed_ms: z.number().min(0).describe("The time that it took, in milliseconds."),
});

export function findFields(limits: Limits) {
  return {
    role: z.string().min(1).max(64).optional().describe(
      "The role: `button`, `textbox`, `menuitem`.",
    ),
    name: z.string().min(1).max(1_000).optional().describe(
      "A part of the name, ignoring case; with `exact` the full name in the same case.",
    ),
    text: z.string().min(1).max(1_000).optional().describe(
      "A part of the name, the value or the description, ignoring case.",
    ),
    states: z.array(State).min(1).max(STATES.length).optional().describe(
      "States that the element is in, all of them.",
    ),
    exact: z.boolean().default(false).describe(
      "If true, `name` and `text` must match in full, in the same case.",
    ),
    max_results: z.int().min(1).max(MAX_FOUND).default(MAX_FOUND).describe(
      "The maximum number of elements to return.",
    ),
    ...readFields(limits),
    include_hidden: z.boolean().optional().describe(
      "If true, elements that are not visible are searched, too; if false, they never are. By default they are searched only if no visible element matches: what is scrolled out of view, for example.",
    ),
  };
}

export const MatchedElement = z.object({
  ...ELEMENT,
  abilities: ABLE,
  within: z.string().optional().describe(
    'The nearest named element around it: `dialog "Save as"`.',
  ),
});

export const FindAnswer = z.object({
  elements: z.array(MatchedElement).describe(
    "The elements are in the order in which their program lists them.",
  ),
  total: z.int().min(0).describe(
    "The number of elements that match, including those not returned.",
  ),
  truncated: Truncated,
  silent: UnresponsivePrograms,
  redaction_gap: Gap,
});

export const ValueFields = {
  ref: RefField,
  max_chars: z.int().min(1).max(MAX_CHARS).default(100_000).describe(
    "The maximum number of characters of the value.",
  ),
};

export const ValueAnswer = z.object({
  role: Role,
  name: z.string(),
  value: z.string().nullable().describe(
    "The text or the number that it holds now; `null` if it holds none, or is a password field.",
  ),
  truncated: z.boolean().describe("If true, the value is longer than the part that was returned."),
  description: z.string().optional(),
  states: z.array(State),
  abilities: ABLE,
  bounds: Bounds.optional(),
  redaction_gap: Gap,
});

// The fields and the answer of an action on an element.

const MAX_VALUE = 100_000;

const ACTIONS = [
  ...["click", "focus", "set_value", "select", "unselect", "expand", "collapse"] as const,
  ...["scroll_to", "menu"] as const,
] as const;

/** No program takes NUL, which ends texts. */
const Value = z.string().max(MAX_VALUE).meta({ pattern: "^[^\\u0000]*$" }).refine(
  (value) => !value.includes("\0"),
  "Value should not contain a NUL character",
);

export const ActFields = {
  action: z.enum(ACTIONS).describe(
    "`click` activates; `focus` gives it the keyboard focus; `set_value` replaces the text or the number; `select` and `unselect` are for options, tabs, rows, checkboxes, switches and toggle buttons; `expand` and `collapse` for trees and lists that open; `scroll_to` brings it into view; `menu` chooses an item by `menu_path`.",
  ),
  ref: RefField.optional().describe(
    `${RefField.description} Needed for all actions but \`menu\`, which takes the menus of the focused window without it.`,
  ),
  value: Value.optional().describe(
    "The new value, for `set_value`: a text, a number such as `20`, or the name of an option of a list that opens.",
  ),
  menu_path: z.array(z.string().min(1).max(200)).min(1).max(10).optional().describe(
    'The names of the menus and of the item, for `menu`: `["File", "Save As..."]`. Case, dots at the end and underlines do not matter.',
  ),
  method: z.enum(["auto", "program", "input"]).default("auto").describe(
    "`program` uses the program's accessibility interface; `input` uses the real mouse and keyboard; `auto` uses the accessibility interface, and input where the program refuses, or where a value is not set as requested.",
  ),
  display_num: DisplayNumber,
};

const NowStates = z.array(State).optional().describe("Its states now, if it is still there.");

export const ActAnswer = z.object({
  result: z.enum(["confirmed", "unverified"]).describe(
    "`confirmed`: the effect was read back, for a state 150 ms later, too. `unverified`: no effect was observed; check before you repeat it.",
  ),
  by: z.enum(["program", "input"]).describe(
    "The method that was used: the program's accessibility interface, or the real mouse and keyboard.",
  ),
  reason: z.string().describe("One sentence about what was read back, or what is unknown."),
  value: z.string().optional().describe("Its value now, if it has one that can be read."),
  states: NowStates,
});

export type ActAnswer = z.output<typeof ActAnswer>;
