/** What is requested about objects that are visible: where they are, what they hold, and their labels. */

import type { Region } from "../../../core/geometry.ts";
import { boundText } from "../../element_texts.ts";
import type { Budget } from "./budget.ts";
import { type Address, addressOf, type AtspiClient, type Reference } from "./client.ts";
import { fetchNode, type Node, offers } from "./node.ts";
import { hasState, roleName } from "./states.ts";

export interface Details {
  /** As the program says it, in pixels of the display. */
  readonly extents?: Region | undefined;
  readonly value?: string | undefined;
  /** Of a protected text, which is not read. */
  readonly length?: number | undefined;
  /** The text of the label that stands beside it. */
  readonly label?: string | undefined;
}

export interface DetailOptions {
  readonly client: AtspiClient;
  readonly budget: Budget;
  /** Characters of a text. */
  readonly maxText: number;
}

/** Pixels of the display; the program's own coordinates are the other kinds. */
export const SCREEN = 0;
/** The relation of a field to its label. */
const LABELLED_BY = 2;

export async function fetchDetails(node: Node, options: DetailOptions): Promise<Details> {
  const [extents, value, label, length] = await Promise.all([
    offers(node, "Component") ? fetchExtents(node, options) : undefined,
    fetchValue(node, options),
    needsLabel(node) ? fetchLabel(node, options) : undefined,
    isProtected(node) && offers(node, "Text")
      ? fetchNumber(node, "Text.CharacterCount", options)
      : undefined,
  ]);
  options.budget.takeText(value, label);
  return { extents, value, label, length };
}

/** GTK 3 says -2^31 of what is not mapped, and points inside would be no numbers of the bus. */
const FARTHEST = 2 ** 30;

/** `undefined` where the program does not say, or the object has no size. */
export async function fetchExtents(
  node: Address,
  { client, budget }: Pick<DetailOptions, "client" | "budget">,
): Promise<Region | undefined> {
  const asked = client.call(node, "Component.GetExtents", budget.remaining(), SCREEN);
  const answer = await budget.attempt(asked);
  if (answer === undefined) return undefined;
  const [x, y, width, height] = (answer[0] as [number, number, number, number])
    .map((each) => Math.max(-FARTHEST, Math.min(each, FARTHEST)));
  return width! > 0 && height! > 0 ? { x: x!, y: y!, width: width!, height: height! } : undefined;
}

/** Objects whose text is their content, and no label. */
const TEXTS = ["entry", "text", "spin-button", "paragraph", "terminal", "editbar", "autocomplete"];
/** Objects whose text is their label where they have no name. */
const LABELS = ["label", "static", "heading", "table-cell", "list-item", "section"];
const NUMBERS = ["slider", "spin-button", "progress-bar", "scroll-bar", "level-bar", "dial"];

export function isProtected(node: Node): boolean {
  return roleName(node.role) === "password-text";
}

async function fetchValue(node: Node, options: DetailOptions): Promise<string | undefined> {
  if (isProtected(node)) return undefined;
  const role = roleName(node.role);
  const isText = TEXTS.includes(role) || hasState(node.states, "editable") ||
    node.name === "" && node.childCount === 0 && LABELS.includes(role);
  if (isText && offers(node, "Text")) return await fetchText(node, options);
  if (!NUMBERS.includes(role) || !offers(node, "Value")) return undefined;
  const number = await fetchNumber(node, "Value.CurrentValue", options);
  return number === undefined ? undefined : String(number);
}

/** What stands for an object inside a text. */
const OBJECT = "\uFFFC";

async function fetchText(node: Node, options: DetailOptions): Promise<string | undefined> {
  const { maxText } = options;
  const most = maxText + 1; // one more than is wanted tells that something is cut off
  let text = await fetchCharacters(node, most, options);
  if (text === "") {
    // Qt answers nothing when asked for more than there is
    const count = await fetchNumber(node, "Text.CharacterCount", options) ?? 0;
    const length = Math.min(most, count);
    if (length > 0) text = await fetchCharacters(node, length, options);
  }
  const words = text === undefined ? undefined : boundText(text, maxText).replaceAll(OBJECT, "");
  return words !== "" || hasState(node.states, "editable") ? words : undefined;
}

async function fetchCharacters(
  node: Node,
  length: number,
  { client, budget }: DetailOptions,
): Promise<string | undefined> {
  const asked = client.call(node, "Text.GetText", budget.remaining(), 0, length);
  const answer = await budget.attempt(asked);
  return answer?.[0] as string | undefined;
}

async function fetchNumber(
  node: Node,
  property: "Text.CharacterCount" | "Value.CurrentValue",
  { client, budget }: DetailOptions,
): Promise<number | undefined> {
  const number = await budget.attempt(client.get(node, property, budget.remaining()));
  return number === undefined ? undefined : Number(number);
}

/** Objects that have a label beside them where they have no name. */
const NAMED = (
  "push-button toggle-button check-box radio-button combo-box entry text password-text slider " +
  "spin-button list-box list table tree"
).split(" ");

function needsLabel(node: Node): boolean {
  return node.name.trim() === "" && NAMED.includes(roleName(node.role));
}

async function fetchLabel(
  node: Node,
  { client, budget }: DetailOptions,
): Promise<string | undefined> {
  const asked = client.call(node, "Accessible.GetRelationSet", budget.remaining());
  const [relations] = await budget.attempt(asked) ?? [[]];
  const labels = (relations as [number, Reference[]][]).find(([kind]) => kind === LABELLED_BY);
  const address = labels?.[1][0] && addressOf(labels[1][0]);
  if (!address) return undefined;
  return (await budget.attempt(fetchNode(client, address, budget.remaining())))?.name;
}
