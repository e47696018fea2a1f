/** The elements that programs show, as tools: read them, find them, act on them. */

import { z } from "zod";
import { ActFields, RefField } from "../features/accessibility/fields.ts";
import { defineOperation, type Operation } from "../features/operation.ts";
import { json } from "../features/outcomes.ts";
import { Display, INSIDE_ERRORS, valueInside } from "./tool.ts";

const common = { group: "accessibility", method: "POST", errors: INSIDE_ERRORS } as const;

const Window = z.string().min(1).max(100).default("focused").describe(
  "`focused`, `all`, or the id of a window from a snapshot.",
);

export function elementTools(): readonly Operation[] {
  return [
    defineOperation({
      ...common,
      id: "read_elements",
      readOnly: true,
      long: true,
      path: "/mcp/read_elements",
      summary: "The elements of a window as text",
      description:
        'Buttons, fields, menus and texts, one line each: `- button "Save" [ref=e12]`. Tools accept the ref in place of coordinates, which never misses. Programs that report no elements have no lines: use a screenshot.',
      body: z.object({ window: Window, ref: RefField.optional(), display_num: Display }),
      answer: json("The lines of the elements.", z.string()),
      async run(context, input) {
        const call = { operation: "accessibility.snapshot", input: given(input) };
        const { text, silent } = await valueInside(context, call) as Snapshot;
        const missing = silent.map((name) => `(${name} does not respond)\n`).join("");
        return text === "" && missing === "" ? "No program reports its elements." : text + missing;
      },
    }),
    defineOperation({
      ...common,
      id: "find_elements",
      readOnly: true,
      long: true,
      path: "/mcp/find_elements",
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
        const call = { operation: "accessibility.find", input: given(input) };
        const { elements, total } = await valueInside(context, call) as ElementSearchAnswer;
        if (total === 0) return "Nothing matches.";
        const more = total > elements.length ? `\n(${total - elements.length} more)` : "";
        return elements.map(formatMatch).join("\n") + more;
      },
    }),
    defineOperation({
      ...common,
      id: "act_on_element",
      readOnly: false,
      long: true,
      path: "/mcp/act_on_element",
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
        const call = { operation: "accessibility.act", input: given(input) };
        const { result, reason } = await valueInside(context, call) as Acted;
        return `${result}: ${reason}`;
      },
    }),
  ];
}

interface Snapshot {
  readonly text: string;
  readonly silent: readonly string[];
}

interface MatchedElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly states: readonly string[];
  readonly within?: string;
}

interface ElementSearchAnswer {
  readonly elements: readonly MatchedElement[];
  readonly total: number;
}

interface Acted {
  readonly result: string;
  readonly reason: string;
}

/** The fields that were given: operations take no `undefined`. */
function given(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function formatMatch({ ref, role, name, value, states, within }: MatchedElement): string {
  const told = states.map((state) => ` [${state}]`).join("");
  const held = value === undefined ? "" : `: ${JSON.stringify(value)}`;
  const place = within === undefined ? "" : ` in ${within}`;
  return `- ${role} ${JSON.stringify(name)} [ref=${ref}]${told}${held}${place}`;
}
