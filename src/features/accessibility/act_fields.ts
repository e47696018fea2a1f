/** The fields and the answer of an action on an element. */

import { z } from "zod";
import { DisplayNumber } from "../fields.ts";
import { RefField, State } from "./fields.ts";

const MAX_VALUE = 100_000;

export const ACTIONS = [
  ...["click", "focus", "set_value", "select", "unselect", "expand", "collapse"] as const,
  ...["scroll_to", "menu"] as const,
] as const;

export const ActFields = {
  action: z.enum(ACTIONS).describe(
    "`click` activates; `focus` gives the keyboard; `set_value` replaces the text or the number; `select` and `unselect` are for options, tabs, rows, checkboxes and switches; `expand` and `collapse` for trees and lists that open; `scroll_to` brings it into view; `menu` chooses an item by `menu_path`.",
  ),
  ref: RefField.optional().describe(
    `${RefField.description} Needed for all actions but \`menu\`, which takes the menus of the focused window without it.`,
  ),
  value: z.string().max(MAX_VALUE).optional().describe(
    "The new value, for `set_value`: a text, a number such as `20`, or the name of an option of a list that opens.",
  ),
  menu_path: z.array(z.string().min(1).max(200)).min(1).max(10).optional().describe(
    'The names of the menus and of the item, for `menu`: `["File", "Save As..."]`. Case, dots at the end and underlines do not matter.',
  ),
  method: z.enum(["auto", "program", "input"]).default("auto").describe(
    "`program` asks the program by its accessibility interface; `input` uses the real mouse and keyboard; `auto` asks the program, and uses input where it refuses, or where a value has not become what it should.",
  ),
  display_num: DisplayNumber,
};

const NowStates = z.array(State).optional().describe("Its states now, if it is still there.");

export const ActAnswer = z.object({
  result: z.enum(["confirmed", "unverified"]).describe(
    "`confirmed`: the effect was read back. `unverified`: nothing shows that it had an effect; look before you do it again.",
  ),
  by: z.enum(["program", "input"]).describe(
    "This says who did it: the program by its accessibility interface, or real mouse and keys.",
  ),
  reason: z.string().describe("One sentence says what was read back, or what is not known."),
  value: z.string().optional().describe("Its value now, if it has one that may be read."),
  states: NowStates,
});

export type ActAnswer = z.output<typeof ActAnswer>;
