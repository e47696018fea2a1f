/** Chooses what a snapshot shows of a tree: what can be used, what is named, and texts. */

import { overlap } from "../../imaging/boxes.ts";
import type { Element, ElementState, Region } from "../../platform/types/mod.ts";
import type { ElementNode } from "./fields.ts";
import { textOf } from "./labels.ts";
import type { RedactedElement } from "./redact_elements.ts";

/** One line of a snapshot. */
export interface Entry {
  /** Levels of entries around it. */
  readonly depth: number;
  readonly element: RedactedElement;
  /** The top element of its window. */
  readonly top: RedactedElement;
  /** A text alone has no ref in a text snapshot. */
  readonly kind: "element" | "text";
}

interface OutlineOptions {
  /** The screen. */
  readonly view: Region;
  /** Also what is not visible. */
  readonly hidden: boolean;
}

/** Roles of what people use. */
const USED = new Set([
  ...["button", "checkbox", "combobox", "link", "menu", "menuitem", "menuitemcheckbox"],
  ...["menuitemradio", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab"],
  ...["terminal", "textbox", "treeitem", "gridcell", "columnheader"],
]);
/** Roles of containers and decoration, which are shown only where they can be focused. */
const FLAT = new Set([
  ...["generic", "separator", "scrollbar", "scroll-pane", "split-pane", "viewport", "paragraph"],
  ...["section", "presentation", "none", "application"],
]);
const TEXTS = new Set(["text", "paragraph", "heading", "caption", "label", "generic"]);

/** In reading order; each entry comes before those inside it. */
export function* outline(
  roots: readonly RedactedElement[],
  options: OutlineOptions,
): Generator<Entry, void> {
  for (const top of roots) {
    yield* visit(top, { options, top, depth: 0, around: "", inPage: false });
  }
}

interface OutlineScope {
  readonly options: OutlineOptions;
  readonly top: RedactedElement;
  readonly depth: number;
  /** The name of what is shown around it. */
  readonly around: string;
  /** Whether it is inside a page, whose order is that of reading. */
  readonly inPage: boolean;
}

function* visit(element: RedactedElement, scope: OutlineScope): Generator<Entry, void> {
  const kind = chooseKind(element, scope);
  if (kind) yield { depth: scope.depth, element, top: scope.top, kind };
  const inside: OutlineScope = {
    ...scope,
    depth: scope.depth + (kind ? 1 : 0),
    around: kind ? element.name : scope.around,
    inPage: scope.inPage || element.role === "document",
  };
  for (const child of inReadingOrder(element.children, inside.inPage)) yield* visit(child, inside);
}

function chooseKind(element: RedactedElement, scope: OutlineScope): Entry["kind"] | undefined {
  const { role, name, states, children } = element;
  if (element === scope.top) return "element";
  if (!scope.options.hidden && !isOnScreen(element, scope.options.view)) return undefined;
  if (USED.has(role) || states.has("editable")) return "element";
  const isText = role === "text" || TEXTS.has(role) && !states.has("focusable");
  if (isText && children.length === 0) return isNewText(element, scope) ? "text" : undefined;
  if (role === "heading" && name !== "") return "element";
  if (isText) return undefined;
  if (states.has("focusable") && (name !== "" || children.length === 0)) return "element";
  return name !== "" && !FLAT.has(role) ? "element" : undefined;
}

function isOnScreen({ bounds, states, children }: RedactedElement, view: Region): boolean {
  if (states.has("offscreen")) return false;
  if (!bounds) return children.length === 0; // what has no position is only a container
  return overlap(bounds, view) !== undefined;
}

function isNewText(element: RedactedElement, { around }: OutlineScope): boolean {
  const text = textOf(element);
  return text !== "" && text !== around;
}

/** Elements on one line differ by less than this, in pixels. */
const LINE = 6;
/** More siblings than this are those of a list, which is in order. */
const MAX_SORTED = 200;

/** Programs list their parts in any order; where all say where they are, that is better. */
function inReadingOrder(
  children: readonly RedactedElement[],
  inPage: boolean,
): readonly RedactedElement[] {
  if (inPage || children.length < 2 || children.length > MAX_SORTED) return children;
  if (!children.every(({ bounds }) => bounds)) return children;
  const lines: RedactedElement[][] = [];
  for (const child of children.toSorted((a, b) => a.bounds!.y - b.bounds!.y)) {
    const line = lines.at(-1);
    if (line && child.bounds!.y - line[0]!.bounds!.y <= LINE) line.push(child);
    else lines.push([child]);
  }
  return lines.flatMap((line) => line.toSorted((a, b) => a.bounds!.x - b.bounds!.x));
}

/** States that a reader wants to know, in this order. */
const REPORTED_STATES: readonly ElementState[] = [
  ...["active", "focused", "checked", "mixed", "selected", "expanded", "collapsed"] as const,
  ...["pressed", "unpressed", "disabled", "readonly", "required", "invalid", "modal"] as const,
  ...["protected", "multiline", "offscreen"] as const,
];

export function statesToReport({ states }: Pick<RedactedElement, "states">): ElementState[] {
  return REPORTED_STATES.filter((state) => states.has(state));
}

/** Roles whose value says something; that of a button is a number that only its program knows. */
const VALUED =
  /^(textbox|searchbox|combobox|spinbutton|slider|progressbar|meter|scrollbar|terminal|gridcell|cell|document|option)$/;

/** The value, if it says more than the name. */
export function valueToReport(element: RedactedElement): string | undefined {
  const { role, name, value, states } = element;
  if (value === undefined || value === "" || value === name) return undefined;
  return VALUED.test(role) || states.has("editable") ? value : undefined;
}

// Elements in messages, and what kind they are.

/** `button "Save"` */
export function describeElement({ role, name }: Pick<Element, "role" | "name">): string {
  return name === "" ? role : `${role} ${JSON.stringify(shortenName(name))}`;
}

/** Names as lines and messages have them. */
export function shortenName(name: string, max = 80): string {
  const line = name.replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…`.toWellFormed() : line;
}

/** Names are compared without regard to case and to the kind of white space. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/\s+/g, " ").trim();
}

/** A click into it moves the focus there and does nothing else. */
export function isTextField({ role, states }: Pick<Element, "role" | "states">): boolean {
  return states.has("editable") || /^(textbox|searchbox|spinbutton|terminal)$/.test(role);
}

// An element as JSON and XML have it.

/** Characters of a name or a value in JSON and XML. */
const MAX_TEXT = 1_000;

export function toNode({ element }: Pick<Entry, "element">, ref: string): ElementNode {
  const { role, name, label, description, bounds, window, childCount, abilities } = element;
  const value = valueToReport(element) ?? (name === "" ? element.value : undefined);
  return {
    ref,
    role,
    name: cut(name),
    ...(label === undefined ? {} : { label: cut(label) }),
    ...(value === undefined || value === "" ? {} : { value: cut(value) }),
    ...(description ? { description: cut(description) } : {}),
    states: statesToReport(element),
    abilities: [...abilities],
    ...(bounds && { bounds }),
    ...(window === undefined ? {} : { window }),
    child_count: childCount,
  };
}

export function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…`.toWellFormed() : text;
}

// What the formats of a snapshot have in common.

/** Takes entries in order, as long as there is room. */
export interface Writer {
  /** Gives the number of characters that an entry takes, and a function that writes it. */
  add(entry: Entry, ref: string | undefined): { readonly size: number; write(): void };
  end(omitted: number): Contents;
}

/** The snapshot in its format. */
export interface Contents {
  readonly text?: string;
  readonly elements?: ElementNode[];
  readonly xml?: string;
}
