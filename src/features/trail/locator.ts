/**
 * Says which element of a window or of a page is meant, so that it is found again in another run: by its
 * role and name, the texts near it, and its place in the tree. What may be another element is not found.
 */

import { z } from "zod";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import type { Region } from "../../core/geometry.ts";
import { cutText } from "../../core/texts.ts";

/** An element of a tree as `accessibility/snapshot` answers it, or of {@link pageNodes}. */
export interface TreeNode {
  readonly ref?: string;
  readonly role: string;
  readonly name: string;
  readonly label?: string | undefined;
  readonly value?: string | undefined;
  readonly description?: string | undefined;
  readonly states: readonly string[];
  readonly bounds?: Region | undefined;
  readonly children?: readonly TreeNode[] | undefined;
}

const MAX_TEXT = 200;
const MAX_AROUND = 4;
const MAX_ROW = 12;
/** A dialog with more texts is no question, which they would tell from others. */
const MAX_SAID = 8;
const MAX_PATH = 110;

const Text = z.string().max(MAX_TEXT + 1); // and the mark of what was cut

export const Locator = z.object({
  role: Text.min(1),
  name: Text.describe("Empty if it has none."),
  label: Text.optional().describe("The text that names a field without a name."),
  description: Text.optional().describe("Only of an element without a name."),
  within: z.array(z.object({ role: Text, name: Text })).max(MAX_AROUND).describe(
    "Named elements around it, the nearest first, without its window, but with its page.",
  ),
  row: z.array(Text).max(MAX_ROW).optional().describe(
    "The texts of the row, or of the item of a list, that it is in.",
  ),
  beside: Text.optional().describe("The text to the left of it, or before it in a page."),
  says: z.array(Text).max(MAX_SAID).optional().describe("All texts of the dialog that it is in."),
  path: z.array(Text).max(MAX_PATH).describe(
    "Its place in the tree, from the window on: `button 2` is the third button there.",
  ),
  alike: z.object({
    named: z.int().min(1).describe("Elements of the window with the same role and name."),
    of: z.int().min(1).describe(
      "Those of them in the same surroundings, which only `path` tells apart.",
    ),
    index: z.int().min(0).describe("Which of these it is, from 0."),
  }),
}).describe("How an element is found again.");

export type Locator = z.output<typeof Locator>;

/** The element with this ref; `undefined` where the tree has none. */
export async function makeLocator(
  roots: readonly TreeNode[],
  ref: string,
): Promise<Locator | undefined> {
  const all = placeNodes(roots);
  const own = all.find(({ node }) => node.ref === ref);
  if (own === undefined) return undefined;
  const described = describe(own, all);
  const named = all.filter(({ node }) => isNamedAlike(node, described));
  const alike: Placed[] = [];
  const yielder = new EventLoopYielder();
  for (const each of named) {
    await yielder.yieldIfDue(); // a window can have thousands without a name
    if (compare(described, describe(each, all)) === "same") alike.push(each);
  }
  const index = alike.indexOf(own);
  return { ...described, alike: { named: named.length, of: alike.length, index } };
}

/** The innermost element that has the keyboard. */
export async function locateFocused(roots: readonly TreeNode[]): Promise<Locator | undefined> {
  const ref = flatten(roots).findLast(({ states }) => states.includes("focused"))?.ref;
  return ref === undefined ? undefined : await makeLocator(roots, ref);
}

/** All elements of a tree; what is inside one comes after it. */
export function flatten(roots: readonly TreeNode[]): readonly TreeNode[] {
  return roots.flatMap((node) => [node, ...flatten(node.children ?? [])]);
}

/** The element, or why none is certain, for a person. */
export type Located =
  /** With what is right around it. */
  | { readonly node: TreeNode; readonly around: TreeNode | undefined }
  | { readonly node?: undefined; readonly count: number; readonly why: string };

/**
 * Finds the element that a locator means. One that could be another is none: where several are alike
 * their number and place must be as they were, and what is known of the surroundings must not differ.
 */
export function findLocated(roots: readonly TreeNode[], locator: Locator): Located {
  const all = placeNodes(roots);
  const named = findNamed(all, locator);
  const compared = named.map((each) => {
    const described = describe(each, all);
    return { each, described, verdict: compare(locator, described) };
  });
  const same = compared.filter(({ verdict }) => verdict === "same");
  const possible = compared.filter(({ verdict }) => verdict !== "other");
  const { of, index } = locator.alike;
  if (of === 1 && same.length === 1) return toLocated(same[0]!.each);
  if (of > 1 && same.length === of) {
    const { each, described } = same[index]!;
    if (isEqual(described.path, locator.path)) return toLocated(each);
  }
  // the layout can hide what is beside an element, which is certain if it is the only one of its name
  const isOnly = locator.alike.named === 1 && named.length === 1;
  if (isOnly && possible.length === 1) return toLocated(possible[0]!.each);
  const count = possible.length;
  if (named.length === 0) return { count, why: "nothing has that role and name" };
  if (count > 0) {
    return { count, why: `${count} could be it, and ${of} ${of === 1 ? "was" : "were"} there` };
  }
  const { described } = compared[0]!;
  const others = named.length === 1 ? "the only one" : `the first of ${named.length}`;
  return {
    count,
    why: `${others} of that role and name is ${describeAround(described) || "alone"}`,
  };
}

function toLocated({ node, around }: Placed): Located {
  return { node, around: around?.node };
}

/** `button "Delete" in the row "Ada", "36"`: what is looked for, for a person. */
export function describeLocator(locator: Locator): string {
  const { role, name, label, description } = locator;
  const named = name || label || description;
  const head = named ? `${role} ${quote(named)}` : `${role} without a name`;
  return `${head} ${describeAround(locator)}`.trimEnd();
}

type Described = Omit<Locator, "alike">;

function describeAround({ row, beside, within, says }: Described): string {
  const [nearest] = within;
  return [
    row && `in the row ${row.map(quote).join(", ")}`,
    beside && `beside ${quote(beside)}`,
    nearest && `in ${nearest.role} ${quote(nearest.name)}`,
    says && `in a dialog that says ${says.map(quote).join(", ")}`,
  ].filter((part) => part !== undefined).join(", ");
}

function quote(text: string): string {
  return JSON.stringify(cutText(text, 80));
}

// Compares elements.

/** Elements that some programs name after what is chosen in them. */
const RENAMED = /^combobox$/;

function isNamedAlike({ role, name }: TreeNode, wanted: Described): boolean {
  return role === wanted.role && short(name) === wanted.name;
}

function findNamed(all: readonly Placed[], wanted: Locator): readonly Placed[] {
  const named = all.filter(({ node }) => isNamedAlike(node, wanted));
  const isKnownOtherwise = wanted.label !== undefined || wanted.beside !== undefined;
  if (named.length > 0 || !RENAMED.test(wanted.role) || !isKnownOtherwise) return named;
  return all.filter((each) =>
    each.node.role === wanted.role && compare(wanted, describe(each, all)) === "same"
  );
}

/** `perhaps`: nothing differs, but less is known of one of them. */
type Verdict = "same" | "perhaps" | "other";

function compare(one: Described, other: Described): Verdict {
  const verdicts = [
    compareParts(one.within.map(key), other.within.map(key)),
    compareParts(one.row, other.row),
    compareTexts(one.beside, other.beside),
    compareTexts(one.label, other.label),
    isEqual(one.says?.toSorted(), other.says?.toSorted()) ? "same" : "other",
    one.description === other.description ? "same" : "other",
  ] as const;
  if (verdicts.includes("other")) return "other";
  return verdicts.every((verdict) => verdict === "same") ? "same" : "perhaps";
}

function key({ role, name }: { readonly role: string; readonly name: string }): string {
  return `${role} ${name}`;
}

function compareTexts(one: string | undefined, other: string | undefined): Verdict {
  if (one === other) return "same";
  return one === undefined || other === undefined ? "perhaps" : "other";
}

/** Columns that do not fit into the window are in no tree. */
function compareParts(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): Verdict {
  if (isEqual(one, other)) return "same";
  if (one === undefined || other === undefined) return "perhaps";
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  let at = 0;
  for (const text of many) if (text === few[at]) at++;
  return at === few.length ? "perhaps" : "other";
}

function isEqual(one: readonly string[] | undefined, other: readonly string[] | undefined) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function short(text: string): string {
  return cutText(text.replace(/\s+/g, " ").trim(), MAX_TEXT);
}

// Describes an element of a tree.

interface Placed {
  readonly node: TreeNode;
  readonly around: Placed | undefined;
  /** Which one it is of those of its role right inside `around`. */
  readonly nth: number;
}

/** In the order of the tree. */
function placeNodes(roots: readonly TreeNode[]): readonly Placed[] {
  const all: Placed[] = [];
  const visit = (nodes: readonly TreeNode[], around: Placed | undefined) => {
    const counts = new Map<string, number>();
    for (const node of nodes) {
      const nth = counts.get(node.role) ?? 0;
      counts.set(node.role, nth + 1);
      const placed = { node, around, nth };
      all.push(placed);
      visit(node.children ?? [], placed);
    }
  };
  visit(roots, undefined);
  return all;
}

const STATIC = /^(text|label|heading|caption|paragraph)$/;
const ROW = /^(row|listitem|treeitem|option|article)$/;
const CELL = /^(cell|gridcell|rowheader|columnheader)$/;
const DIALOG = /^(dialog|alertdialog|alert)$/;
/** Their texts are content. */
const CONTENT = /^(table|grid|treegrid|tree|list|listbox|combobox|menu|menubar|tablist|textbox)$/;

function describe(placed: Placed, all: readonly Placed[]): Described {
  const { node } = placed;
  const name = short(node.name);
  const description = name === "" ? short(node.description ?? "") : "";
  const around = [...ancestors(placed)];
  const row = describeRow(placed, around);
  return {
    role: node.role,
    name,
    label: short(node.label ?? "") || undefined,
    description: description || undefined,
    within: around.filter(isLandmark).slice(0, MAX_AROUND)
      .map(({ node: { role, name } }) => ({ role, name: short(name) })),
    row,
    beside: row === undefined ? findBeside(placed, all) : undefined,
    says: describeDialog(around),
    path: [...around.toReversed().slice(1), placed].slice(-MAX_PATH)
      .map(({ node: { role }, nth }) => `${role} ${nth}`),
  };
}

/** The nearest first; the last one is the window. */
function* ancestors({ around }: Placed): Generator<Placed> {
  for (let each = around; each !== undefined; each = each.around) yield each;
}

/** Windows are told apart by their titles, and documents in them are named after files; pages are not. */
function isLandmark({ node: { role, name, states }, around }: Placed): boolean {
  if (around === undefined || role === "document") {
    return around === undefined && role === "document";
  }
  return short(name) !== "" && !RENAMED.test(role) && !states.includes("editable");
}

/** The texts of the item around it; those of the cells on the same line where programs report no rows. */
function describeRow({ node, around: parent }: Placed, around: readonly Placed[]) {
  const row = around.find(({ node: { role } }) => ROW.test(role));
  if (row !== undefined) {
    const { name, children } = row.node;
    return short(name) === "" ? rowOf(textsOf(children ?? [])) : [short(name)];
  }
  if (!CELL.test(node.role) || node.bounds === undefined || !parent) return undefined;
  const cells = (parent.node.children ?? [])
    .filter(({ role, bounds }) => CELL.test(role) && bounds && isOnLine(bounds, node.bounds!))
    .toSorted((one, other) => one.bounds!.x - other.bounds!.x);
  return rowOf(cells.map(textOf));
}

/** When something was changed last, for example, is no part of what it is. */
const TIME = /\d\W*[:∶]\W*\d\d/;

function rowOf(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== "" && !TIME.test(text)).slice(0, MAX_ROW);
}

/** Names of what is inside, but nothing that a person enters there. */
function textsOf(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap(({ name, role, value, states, children = [] }) => {
    if (states.includes("editable")) return [];
    const text = textOf({ name, role, value, states });
    return [...text === "" ? [] : [text], ...textsOf(children)];
  });
}

function textOf({ name, value, role, states }: TreeNode): string {
  if (name !== "") return short(name);
  const isFixed = (STATIC.test(role) || CELL.test(role)) && !states.includes("editable");
  return isFixed ? short(value ?? "") : "";
}

/** The nearest text that belongs to the same part of the window, if the window is not too large. */
function findBeside({ node, around }: Placed, all: readonly Placed[]): string | undefined {
  if (STATIC.test(node.role) || all.length > MAX_SEARCHED || around === undefined) return undefined;
  const { bounds } = node;
  if (bounds === undefined) {
    const { children = [] } = around.node;
    const before = children.slice(0, children.indexOf(node)).findLast(isStatic);
    return before && textOf(before);
  }
  const [nearest] = textsRightIn(around.node).flatMap((each) => {
    if (each.bounds === undefined || !isOnLine(each.bounds, bounds)) return [];
    const gap = bounds.x - (each.bounds.x + each.bounds.width);
    return gap >= -MAX_OVERLAP && gap <= MAX_GAP ? [{ each, gap }] : [];
  }).toSorted((one, other) => one.gap - other.gap);
  return nearest && textOf(nearest.each);
}

/** Elements of a tree in which texts beside others are searched. */
const MAX_SEARCHED = 20_000;
/** In pixels. */
const MAX_GAP = 300;
const MAX_OVERLAP = 4;

/** Each element inside looks for one of them: all are read once. */
const TEXTS = new WeakMap<TreeNode, readonly TreeNode[]>();

function textsRightIn(node: TreeNode): readonly TreeNode[] {
  return TEXTS.getOrInsertComputed(node, ({ children = [] }) => children.filter(isStatic));
}

function isStatic(node: TreeNode): boolean {
  return STATIC.test(node.role) && !node.states.includes("editable") && textOf(node) !== "";
}

function isOnLine(one: Region, other: Region): boolean {
  const shared = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return shared >= Math.min(one.height, other.height) / 2 && shared > 0;
}

/** Dialogs are told apart by what they ask: many have the same buttons and the same title. */
function describeDialog(around: readonly Placed[]): string[] | undefined {
  const dialog = around.find(({ node: { role } }) => DIALOG.test(role));
  if (dialog === undefined) return undefined;
  const texts: string[] = [];
  const visit = (nodes: readonly TreeNode[]) => {
    for (const node of nodes) {
      if (texts.length > MAX_SAID) return;
      if (isStatic(node)) texts.push(textOf(node));
      else if (!CONTENT.test(node.role)) visit(node.children ?? []);
    }
  };
  visit(dialog.node.children ?? []);
  return texts.length > MAX_SAID ? undefined : texts;
}

// Reads the text of a page's snapshot as a tree.

const LINE =
  /^( *)- (?:text:|([^\s"[:]+))(?: ("(?:[^"\\]|\\.)*"))?((?: \[[^\]]*\])*)(?:: ("(?:[^"\\]|\\.)*"))?$/;

/** The elements of a page from the lines of `browser/snapshot`; texts alone are elements without a ref. */
export async function pageNodes(text: string): Promise<readonly TreeNode[]> {
  const roots: TreeNode[] = [];
  const open: { readonly depth: number; readonly children: TreeNode[] }[] = [];
  const yielder = new EventLoopYielder();
  for (const line of text.split("\n")) {
    await yielder.yieldIfDue();
    const [whole, indent, role = "text", name, marks = "", value] = LINE.exec(line) ?? [];
    if (whole === undefined) continue;
    const states = [...marks.matchAll(/\[([^\]]*)\]/g)].map(([, mark]) => mark!);
    const ref = states.find((mark) => mark.startsWith("ref="))?.slice("ref=".length);
    const children: TreeNode[] = [];
    while ((open.at(-1)?.depth ?? -1) >= indent!.length) open.pop();
    (open.at(-1)?.children ?? roots).push({
      role,
      name: name === undefined ? "" : JSON.parse(name),
      states: states.filter((mark) => !mark.startsWith("ref=")),
      ...(ref !== undefined && { ref }),
      ...(value !== undefined && { value: JSON.parse(value) }),
      children,
    });
    open.push({ depth: indent!.length, children });
  }
  return roots;
}
