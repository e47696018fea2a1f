/**
 * The labels of fields without a name. Many programs show a text beside a field and do not link it to
 * the field (WAI-ARIA and AT-SPI have `labelled-by`, which readers of elements use first): people take
 * the text to its left, or right above it.
 */

import type { Element, Region } from "../../platform/types/mod.ts";

/** What is looked at of an element. */
type Seen =
  & Pick<Element, "role" | "name" | "value" | "bounds" | "states">
  & { readonly children: readonly Seen[] };

const FIELD = /^(textbox|searchbox|combobox|spinbutton|slider|listbox)$/;
const LABEL = /^(text|label)$/;
/** How far a label is from its field at most, in pixels. */
const MAX_LEFT_GAP = 250;
const MAX_ABOVE_GAP = 24;
/** How far the left edges of a field and of the label above it differ at most, in pixels. */
const MAX_INDENT = 24;
/** Beyond so many of both in a window none is searched: each field is compared with each label. */
const MAX_PAIRS = 200_000;

interface Placed {
  readonly element: Seen;
  readonly bounds: Region;
}

/** The label of each field without a name, as far as the window shows one beside it. */
export function findLabels(top: Seen): ReadonlyMap<Seen, string> {
  const fields: Placed[] = [];
  const labels: Placed[] = [];
  const stack = [top];
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    const { role, name, bounds, states, children } = element;
    stack.push(...children);
    if (bounds === undefined || states.has("offscreen")) continue;
    if (FIELD.test(role) && name === "") fields.push({ element, bounds });
    else if (LABEL.test(role) && textOf(element) !== "") labels.push({ element, bounds });
  }
  if (fields.length * labels.length > MAX_PAIRS) return new Map();
  const pairs = fields.flatMap((field) =>
    labels.flatMap((label) => {
      const gap = gapBetween(label.bounds, field.bounds);
      return gap === undefined ? [] : [{ field: field.element, label: label.element, gap }];
    })
  ).sort((one, other) => one.gap - other.gap);
  const found = new Map<Seen, string>();
  const used = new Set<Seen>();
  for (const { field, label } of pairs) {
    if (found.has(field) || used.has(label)) continue;
    found.set(field, textOf(label));
    used.add(label);
  }
  return found;
}

function textOf({ name, value = "" }: Seen): string {
  return (name === "" ? value : name).trim();
}

/** Pixels from a label to the field at its right, else to the one below it; `undefined`: it is no label of that. */
function gapBetween(label: Region, field: Region): number | undefined {
  const left = field.x - (label.x + label.width);
  const above = field.y - (label.y + label.height);
  const middle = label.y + label.height / 2;
  const isBeside = middle >= field.y && middle <= field.y + field.height;
  if (isBeside && left >= 0 && left <= MAX_LEFT_GAP) return left;
  const isAbove = above >= 0 && above <= MAX_ABOVE_GAP &&
    Math.abs(label.x - field.x) <= MAX_INDENT;
  return isAbove ? MAX_LEFT_GAP + above : undefined;
}
