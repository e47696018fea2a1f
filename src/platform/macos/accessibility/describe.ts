/** Describes what the script has told of an element. */

import { z } from "zod";
import type { Element, ElementAbility, ElementState, Role } from "../../types/mod.ts";
import type { Placement } from "../placement.ts";
import { toPixels } from "../windows/scale.ts";
import { roleOf } from "./roles.ts";

const Bounds = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const ToldElement = z.object({
  id: z.string(),
  role: z.string(),
  subrole: z.string().nullable(),
  name: z.string(),
  help: z.string().nullable(),
  value: z.string().nullable(),
  enabled: z.boolean(),
  focused: z.boolean(),
  selected: z.boolean().nullable(),
  bounds: Bounds.nullable(),
  actions: z.array(z.string()),
  get children() {
    return z.array(ToldElement);
  },
});
export type ToldElement = z.output<typeof ToldElement>;

const EDITED: ReadonlySet<Role> = new Set(["textbox", "searchbox", "combobox"]);
const CHECKED: ReadonlySet<Role> = new Set(["checkbox", "radio", "switch"]);
const VALUED: ReadonlySet<Role> = new Set([...EDITED, "slider", "spinbutton"]);

export function describeTold(told: ToldElement, placement: Placement): Element {
  const role = roleOf(told.role, told.subrole);
  const [pid, window, places] = told.id.split(":") as [string, string, string];
  const isTop = places === "" && window !== "0";
  const help = told.help?.trim() ?? "";
  // what a text shows is what it is called
  const isText = role === "text" && told.name === "";
  const hasValue = told.value !== null && !isText && !CHECKED.has(role);
  return {
    id: told.id,
    role,
    name: (isText ? told.value ?? "" : told.name).trim(),
    ...(help === "" ? {} : { description: help }),
    ...(hasValue ? { value: told.value! } : {}),
    states: listStates(told, role),
    abilities: listAbilities(told, role),
    ...(told.bounds && { bounds: toPixels(told.bounds, placement) }),
    pid: Number(pid),
    ...(isTop ? { window } : {}),
    childCount: told.children.length,
    children: told.children.map((child) => describeTold(child, placement)),
  };
}

function listStates(told: ToldElement, role: Role): ReadonlySet<ElementState> {
  const isEdited = EDITED.has(role) && told.role !== "AXPopUpButton";
  return new Set<ElementState>([
    ...(told.enabled ? [] : ["disabled" as const]),
    ...(told.focused ? ["focused" as const] : []),
    ...(told.selected === true ? ["selected" as const] : []),
    ...(told.subrole === "AXSecureTextField" ? ["protected" as const] : []),
    ...(CHECKED.has(role) && told.value === "1" ? ["checked" as const] : []),
    ...(CHECKED.has(role) && told.value === "2" ? ["mixed" as const] : []),
    ...(isEdited && told.enabled ? ["editable" as const, "focusable" as const] : []),
    ...(told.role === "AXTextArea" ? ["multiline" as const] : []),
  ]);
}

function listAbilities(told: ToldElement, role: Role): ReadonlySet<ElementAbility> {
  if (!told.enabled) return new Set();
  const does = (...names: string[]) => names.some((name) => told.actions.includes(name));
  return new Set<ElementAbility>([
    ...(does("AXPress", "AXConfirm", "AXPick", "AXOpen") ? ["click" as const] : []),
    ...(EDITED.has(role) ? ["focus" as const] : []),
    ...(VALUED.has(role) && told.role !== "AXPopUpButton" ? ["set value" as const] : []),
    ...(told.selected === null ? [] : ["select" as const]),
    ...(does("AXScrollToVisible") ? ["scroll to" as const] : []),
  ]);
}
