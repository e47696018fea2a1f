/** The elements that programs show, as tools: read them, find them, act on them. */

import { z } from "zod";
import {
  type ActAnswer,
  ActFields,
  type FindAnswer,
  type MatchedElement,
  RefField,
  type SnapshotAnswer,
} from "../features/accessibility/fields.ts";
import { callOperation } from "../features/agents/actions.ts";
import { defineOperation, json, type Operation } from "../features/operation.ts";
import { Display, toolBase } from "./tool.ts";

const Window = z.string().min(1).max(100).default("focused").describe(
  "`focused`, `all`, or the id of a window from a snapshot.",
);

export function elementTools(): readonly Operation[] {
  return [
    defineOperation({
      ...toolBase("read_elements", "accessibility"),
      readOnly: true,
      long: true,
      summary: "The elements of a window as text",
      description:
        'Buttons, fields, menus and texts, one line each: `- button "Save" [ref=e12]`. Tools accept the ref in place of coordinates, which never misses. Programs that report no elements have no lines: use a screenshot.',
      body: z.object({ window: Window, ref: RefField.optional(), display_num: Display }),
      answer: json("The lines of the elements.", z.string()),
      async run(context, input) {
        const snapshot = await callOperation(context, "accessibility.snapshot", input);
        const { text = "", silent } = snapshot as z.output<typeof SnapshotAnswer>;
        const missing = silent.map((name) => `(${name} does not respond)\n`).join("");
        return text === "" && missing === "" ? "No program reports its elements." : text + missing;
      },
    }),
    defineOperation({
      ...toolBase("find_elements", "accessibility"),
      readOnly: true,
      long: true,
      summary: "Find elements by role, name or text",
      description: "At most 20, with their refs; includes those that are scrolled out of view.",
      body: z.object({
        role: z.string().min(1).max(64).optional().describe("`button`, `textbox`, `link`, ..."),
        name: z.string().min(1).max(1_000).optional().describe("A part of the label."),
        text: z.string().min(1).max(1_000).optional().describe("A part of any text."),
        window: Window,
        display_num: Display,
      }),
      answer: json("The lines of the elements.", z.string()),
      async run(context, input) {
        const found = await callOperation(context, "accessibility.find", input);
        const { elements, total } = found as z.output<typeof FindAnswer>;
        if (total === 0) return "Nothing matches.";
        const more = total > elements.length ? `\n(${total - elements.length} more)` : "";
        return elements.map(formatMatch).join("\n") + more;
      },
    }),
    defineOperation({
      ...toolBase("act_on_element", "accessibility"),
      readOnly: false,
      long: true,
      summary: "Act on an element, and read back the effect",
      description:
        "`confirmed` means that the effect was observed; after `unverified`, check before you repeat it.",
      body: z.object({
        action: ActFields.action,
        ref: ActFields.ref,
        value: ActFields.value,
        menu_path: ActFields.menu_path,
        display_num: Display,
      }),
      answer: json("The result.", z.string()),
      async run(context, input) {
        const acted = await callOperation(context, "accessibility.act", input);
        const { result, reason } = acted as ActAnswer;
        return `${result}: ${reason}`;
      },
    }),
  ];
}

function formatMatch(
  { ref, role, name, value, states, within }: z.output<typeof MatchedElement>,
): string {
  const inBrackets = states.map((state) => ` [${state}]`).join("");
  const held = value === undefined ? "" : `: ${JSON.stringify(value)}`;
  const container = within === undefined ? "" : ` in ${within}`;
  return `- ${role} ${JSON.stringify(name)} [ref=${ref}]${inBrackets}${held}${container}`;
}
