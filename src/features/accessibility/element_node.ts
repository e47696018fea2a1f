/** An element as JSON and XML have it. */

import type { ElementNode } from "./fields.ts";
import { type Entry, statesToTell, valueToTell } from "./outline.ts";

/** Characters of a name or a value in JSON and XML. */
const MAX_TEXT = 1_000;

export function toNode({ element }: Pick<Entry, "element">, ref: string): ElementNode {
  const { role, name, description, bounds, window, childCount, abilities } = element;
  const value = valueToTell(element) ?? (name === "" ? element.value : undefined);
  return {
    ...{ ref, role, name: cut(name) },
    ...(value === undefined || value === "" ? {} : { value: cut(value) }),
    ...(description ? { description: cut(description) } : {}),
    states: statesToTell(element),
    abilities: [...abilities],
    ...(bounds && { bounds }),
    ...(window === undefined ? {} : { window }),
    child_count: childCount,
  };
}

export function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…`.toWellFormed() : text;
}
