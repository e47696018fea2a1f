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
/** The texts inside are their own. */
const OTHER = /^(button|link|checkbox|radio|switch|option|menuitem.*|.*cell|.*header|treeitem)$/;
/** Toolkits have the page of a tab inside it: only the texts right inside are its own. */
const TAB = "tab";
/** Longer or higher texts explain something, or are content; in characters and in pixels. */
const MAX_LABEL = 100;
const MAX_LABEL_HEIGHT = 60;
/** How far a label is from its field at most, in pixels. */
const MAX_LEFT_GAP = 250;
const MAX_ABOVE_GAP = 24;
/** How far the left edges of a field and of the label above it differ at most, in pixels. */
const MAX_INDENT = 24;
/** In a window with more of them none is searched: each field is compared with each label. */
const MAX_FIELDS = 100;
const MAX_LABELS = 500;
/** Labels that are tried for each field: others may take the nearest. */
const TRIED = 3;

interface Placed {
  readonly element: Seen;
  readonly bounds: Region;
}

interface Pair {
  readonly field: Seen;
  readonly label: Seen;
  readonly gap: number;
}

/** The label of each field without a name, as far as the window shows one beside it. */
export function findLabels(top: Seen): ReadonlyMap<Seen, string> {
  const { fields, labels } = collect(top);
  if (fields.length > MAX_FIELDS || labels.length > MAX_LABELS) return new Map();
  if (fields.every(({ element: { name } }) => name !== "")) return new Map();
  const pairs = fields.flatMap((field) => nearest(field, labels, fields))
    .sort((one, other) => one.gap - other.gap);
  const found = new Map<Seen, Seen>();
  const used = new Set<Seen>();
  for (const { field, label } of pairs) {
    if (found.has(field) || used.has(label)) continue;
    found.set(field, label);
    used.add(label);
  }
  const unnamed = [...found].filter(([{ name }]) => name === "");
  return new Map(unnamed.map(([field, label]) => [field, textOf(label)]));
}

/** Fields that have a name have a label, too, which is no other's. Ends where there are too many. */
function collect(top: Seen): { readonly fields: Placed[]; readonly labels: Placed[] } {
  const found = { fields: [] as Placed[], labels: [] as Placed[] };
  const stack = [top];
  while (found.fields.length <= MAX_FIELDS && found.labels.length <= MAX_LABELS) {
    const element = stack.pop();
    if (element === undefined) break;
    const { role, bounds, states, children } = element;
    const isField = FIELD.test(role);
    if (!isField && !OTHER.test(role)) {
      stack.push(...role === TAB ? children.filter((child) => !LABEL.test(child.role)) : children);
    }
    if (bounds === undefined || states.has("offscreen")) continue;
    if (isField) found.fields.push({ element, bounds });
    else if (LABEL.test(role) && isLabel(element, bounds)) found.labels.push({ element, bounds });
  }
  return found;
}

function isLabel(element: Seen, { height }: Region): boolean {
  const { name, value = "" } = element;
  if (height > MAX_LABEL_HEIGHT || name.length + value.length > 2 * MAX_LABEL) return false;
  const { length } = textOf(element);
  return length > 0 && length <= MAX_LABEL;
}

/** What a text says. */
export function textOf({ name, value = "" }: Pick<Seen, "name" | "value">): string {
  return (name === "" ? value : name).trim();
}

function nearest(
  { element: field, bounds }: Placed,
  labels: readonly Placed[],
  fields: readonly Placed[],
): readonly Pair[] {
  const best: Pair[] = [];
  for (const { element: label, bounds: place } of labels) {
    const gap = gapBetween(place, bounds, fields);
    if (gap === undefined || gap >= (best[TRIED - 1]?.gap ?? Infinity)) continue;
    const at = best.findIndex((pair) => pair.gap > gap);
    best.splice(at < 0 ? best.length : at, 0, { field, label, gap });
    best.length = Math.min(best.length, TRIED);
  }
  return best;
}

/** Pixels from a label to the field at its right, else to the one below it; `undefined`: it is no label of that. */
function gapBetween(label: Region, field: Region, fields: readonly Placed[]): number | undefined {
  const left = field.x - (label.x + label.width);
  const middle = label.y + label.height / 2;
  const isBeside = middle >= field.y &&
    middle <= field.y + Math.min(field.height, MAX_LABEL_HEIGHT);
  if (isBeside && left >= 0 && left <= MAX_LEFT_GAP) return left;
  const above = gapBelow(label, field);
  if (above === undefined || above > MAX_ABOVE_GAP) return undefined;
  // some forms have their labels below
  const isCloser = fields.some(({ bounds }) => (gapBelow(bounds, label) ?? Infinity) <= above);
  return isCloser ? undefined : MAX_LEFT_GAP + above;
}

/** Pixels from the one to the other below it, in the same column. */
function gapBelow(upper: Region, lower: Region): number | undefined {
  const gap = lower.y - (upper.y + upper.height);
  return gap >= 0 && Math.abs(upper.x - lower.x) <= MAX_INDENT ? gap : undefined;
}
