/** Fills the form of 12 fields by refs alone. */

import { waitFor } from "../../../support/wait.ts";
import type { Acted, ElementDesktop } from "./element_desktop.ts";
import { FORM_FIELDS, type FormField } from "./pages.ts";

/** The id of a field -> its ref. */
export type FieldRefs = ReadonlyMap<string, string>;

/** The refs of all fields, also of those that are scrolled away. */
export async function readRefs(desktop: ElementDesktop): Promise<FieldRefs> {
  return await waitFor(async () => {
    const all = await desktop.elements({ include_hidden: true });
    const refs = new Map<string, string>();
    for (const { id, role, label } of FORM_FIELDS) {
      const found = all.filter((each) => each.role === role && each.name === label);
      if (found.length !== 1) throw new Error(`${found.length} elements are ${role} "${label}"`);
      refs.set(id, found[0]!.ref);
    }
    return refs;
  }, { what: "the fields of the form" });
}

/** Gives what the service says about each field. */
export async function fillForm(
  desktop: ElementDesktop,
  refs: FieldRefs,
  round: number,
): Promise<Record<string, Acted>> {
  const acted: Record<string, Acted> = {};
  for (const field of FORM_FIELDS) {
    acted[field.id] = await fill(desktop, refs.get(field.id)!, field, round);
  }
  return acted;
}

async function fill(
  desktop: ElementDesktop,
  ref: string,
  { role, value }: FormField,
  round: number,
): Promise<Acted> {
  const wanted = value(round);
  if (role === "checkbox") return await desktop.act(ref, wanted === "true" ? "select" : "unselect");
  if (role === "radio") return await desktop.act(ref, "select");
  return await desktop.act(ref, "set_value", { value: wanted });
}
