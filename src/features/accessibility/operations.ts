/** Defines the accessibility operations as data. */

import { z } from "zod";
import { RAW_CUT_MARK } from "../../core/texts.ts";
import type { Limits } from "../../config/limits.ts";
import type { Context } from "../context.ts";
import { definingWith, DISPLAY_ERRORS, INPUT_ERRORS, json, type Operation } from "../operation.ts";
import { actOnElement } from "./act.ts";
import {
  ActAnswer,
  ActFields,
  FindAnswer,
  findFields,
  SnapshotAnswer,
  snapshotFields,
  ValueAnswer,
  ValueFields,
} from "./fields.ts";
import { findElements } from "./find.ts";
import { MAX_TEXT, redactElements } from "./redact_elements.ts";
import { takeSnapshot } from "./snapshot.ts";
import { findElement } from "./use_accessibility.ts";

const STALE =
  "The element is gone, is no longer visible, or has become another one since the snapshot.";

const READ_ERRORS = {
  not_found: "There is no such window.",
  conflict: STALE,
  unsupported:
    "This display does not report the elements of programs; the message says why, and what would help.",
  unavailable: "The display or the accessibility bus is not available now.",
  timed_out: "The program does not respond.",
};

const CRITERIA = ["role", "name", "text", "states"] as const;

export function accessibilityOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ group: "accessibility", method: "POST", readOnly: true });
  return [
    define({
      id: "takeSnapshot",
      long: true,
      path: "/api/accessibility/snapshot",
      summary: "Get the elements of a window as text with refs, and a picture",
      description:
        'Reads what programs report to assistive technology: visible buttons, fields, menus and texts. Each line is an element, such as `- button "Save" [ref=e12] [disabled]`; operations accept the ref in place of coordinates. ' +
        "A ref names the same element in later snapshots, and never another one: an element that is gone or has changed is 409. " +
        "Values of the keychain are replaced, unless the service runs with `--no-redact`; the content of password fields is never read.",
      body: z.object(snapshotFields(limits)),
      answer: json(
        "The snapshot contains what is visible, and says what is missing.",
        SnapshotAnswer,
      ),
      errors: {
        ...READ_ERRORS,
        forbidden: "With `screenshot` or `boxes`: the group display is disabled.",
        permission_denied: DISPLAY_ERRORS.permission_denied,
        conflict: `${STALE} With \`screenshot\`: ${DISPLAY_ERRORS.conflict}`,
        too_large: "The file cannot be made that small.",
      },
      uses: ({ screenshot, boxes }) => screenshot || boxes ? ["display"] : [],
      run: takeSnapshot,
    }),
    define({
      id: "findElements",
      long: true,
      path: "/api/accessibility/find",
      summary: "Find elements by role, name, text or state",
      description:
        "Returns the refs of the elements that match all conditions; give at least one of `role`, `name`, `text` and `states`. Also finds what a text snapshot omits.",
      body: z.object(findFields(limits))
        .refine(
          (input) => CRITERIA.some((name) => input[name] !== undefined),
          "Give at least one of role, name, text and states",
        )
        .meta({ anyOf: CRITERIA.map((name) => ({ required: [name] })) }),
      answer: json("The elements that match.", FindAnswer),
      errors: READ_ERRORS,
      run: findElements,
    }),
    define({
      id: "getElementValue",
      path: "/api/accessibility/value",
      summary: "Get the value and the state of an element",
      description:
        "Reads it from its program now; unlike a snapshot, it does not shorten the value to one line. Values of the keychain are replaced, unless the service runs with `--no-redact`; the content of a password field is never read.",
      body: z.object(ValueFields),
      answer: json("The element's current value and states.", ValueAnswer),
      errors: READ_ERRORS,
      run: readValue,
    }),
    define({
      id: "actOnElement",
      readOnly: false,
      long: true,
      path: "/api/accessibility/act",
      summary: "Act on an element, and read back the effect",
      description:
        "Uses the program's accessibility interface, or the real mouse and keyboard, and then reads the element again, because programs report success for actions that had no effect. `unverified` is not an error: it says that no effect was observed. " +
        "A click counts as confirmed when the element, its window or the windows have changed since; values, selections and the focus are read back directly.",
      body: z.object(ActFields),
      answer: json(
        "The action was performed; the answer says which effect was observed.",
        ActAnswer,
      ),
      errors: {
        ...READ_ERRORS,
        forbidden: "The action needs the mouse or the keyboard, which are disabled.",
        permission_denied: INPUT_ERRORS.permission_denied,
        not_found: "The menu has no such item.",
        conflict:
          `${STALE} It is disabled, covered, cannot be scrolled into view, or its window does not become the active one. ${INPUT_ERRORS.conflict}`,
        unavailable: `${READ_ERRORS.unavailable} Too many input operations are waiting.`,
      },
      run: actOnElement,
    }),
  ];
}

async function readValue(
  context: Context,
  { ref, max_chars }: z.output<z.ZodObject<typeof ValueFields>>,
): Promise<z.output<typeof ValueAnswer>> {
  const element = await findElement(context, ref).refresh(context.signal);
  const { roots: [redacted], gap } = await redactElements(context, [{ ...element, children: [] }]);
  const { role, name, value, description, states, abilities, bounds } = redacted!;
  return {
    role,
    name,
    value: value?.slice(0, max_chars).toWellFormed() ?? null,
    truncated: value !== undefined &&
      (value.length > max_chars || element.value!.length > MAX_TEXT ||
        element.value!.endsWith(RAW_CUT_MARK)),
    ...(description ? { description } : {}),
    states: [...states],
    abilities: [...abilities],
    ...(bounds && { bounds }),
    ...(gap === undefined ? {} : { redaction_gap: gap }),
  };
}

const SAVE = {
  ref: "e12",
  role: "button",
  name: "Save",
  states: ["focused"],
  bounds: { x: 540, y: 310, width: 96, height: 32 },
  abilities: ["click", "focus"],
};

export const ACCESSIBILITY_EXAMPLES = {
  takeSnapshot: {
    body: { window: "focused", format: "text" },
    answer: {
      text: '- dialog "Save as" [ref=e9] [active]\n' +
        '  - textbox "Name" [ref=e11]: "report.txt"\n' +
        '  - button "Save" [ref=e12] [focused]\n',
      count: 3,
      truncated: [],
      omitted: 0,
      silent: [],
      elapsed_ms: 41.7,
    },
  },
  findElements: {
    body: { role: "button", name: "save" },
    answer: {
      elements: [{ ...SAVE, within: 'dialog "Save as"' }],
      total: 1,
      truncated: [],
      silent: [],
    },
  },
  getElementValue: {
    body: { ref: "e11" },
    answer: {
      role: "textbox",
      name: "Name",
      value: "report.txt",
      truncated: false,
      states: ["editable", "focusable"],
      abilities: ["focus", "set value"],
      bounds: { x: 540, y: 260, width: 240, height: 32 },
    },
  },
  actOnElement: {
    body: { ref: "e11", action: "set_value", value: "notes.txt" },
    answer: {
      result: "confirmed",
      by: "program",
      reason: "It has the value.",
      value: "notes.txt",
      states: ["editable", "focusable"],
    },
  },
};
