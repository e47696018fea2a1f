/** Elements in messages, and what kind they are. */

import type { Element } from "../../platform/types/mod.ts";

/** `button "Save"` */
export function describeElement({ role, name }: Pick<Element, "role" | "name">): string {
  return name === "" ? role : `${role} ${JSON.stringify(shortenName(name))}`;
}

/** Names as lines and messages have them. */
export function shortenName(name: string, max = 80): string {
  const line = name.replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…`.toWellFormed() : line;
}

/** A click into it moves the focus there and does nothing else. */
export function isTextField({ role, states }: Pick<Element, "role" | "states">): boolean {
  return states.has("editable") || /^(textbox|searchbox|spinbutton|terminal)$/.test(role);
}
