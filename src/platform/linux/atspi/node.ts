/** One object of a program as AT-SPI describes it, and how it is asked for. */

import type { Region } from "../../../core/geometry.ts";
import { boundText, MAX_NAME, MAX_TEXT } from "../../element_texts.ts";
import type { Budget } from "./budget.ts";
import {
  type Address,
  addressOf,
  ATSPI,
  type AtspiClient,
  type Method,
  type Reference,
} from "./client.ts";
import type { CellPosition } from "./element_id.ts";
import { hasState, roleName, type StateBits } from "./states.ts";

export interface Node extends Address {
  name: string;
  readonly description: string;
  readonly role: number;
  readonly states: StateBits;
  /** Full names, such as `org.a11y.atspi.Action`. */
  readonly interfaces: readonly string[];
  readonly childCount: number;
  readonly cell?: CellPosition;
}

export function keyOf({ bus, path }: Address): string {
  return bus + path;
}

export function offers({ interfaces }: Node, name: string): boolean {
  return interfaces.includes(ATSPI + name);
}

/** The state by which a program says that an object is on the screen. */
export type SeenBy = "showing" | "visible";

/** Whether a person sees it when nothing covers it. */
export function shows(node: Node, by: SeenBy): boolean {
  return hasState(node.states, by);
}

/**
 * Asks for an object.
 * @throws BusError when the program does not have it any more; ServiceError `timed_out`
 */
export async function fetchNode(
  client: AtspiClient,
  address: Address,
  timeoutMs: number,
): Promise<Node> {
  const call = (method: Method) => client.call(address, method, timeoutMs);
  const [name, description, [role], [states], [interfaces], childCount] = await Promise.all([
    client.get(address, "Accessible.Name", timeoutMs),
    client.get(address, "Accessible.Description", timeoutMs).catch(() => ""),
    call("Accessible.GetRole"),
    call("Accessible.GetState"),
    call("Accessible.GetInterfaces"),
    client.get(address, "Accessible.ChildCount", timeoutMs),
  ]);
  return {
    ...address,
    name: boundText(name as string, MAX_NAME),
    description: boundText(description as string, MAX_TEXT),
    role: role as number,
    states: stateBits(states as number[]),
    interfaces: knownInterfaces(interfaces as string[]),
    childCount: childCount as number,
  };
}

function stateBits([low = 0, high = 0]: readonly number[]): StateBits {
  return [low, high];
}

/** Those that are used, of any list that a program gives. */
export function knownInterfaces(names: readonly string[]): readonly string[] {
  return INTERFACES.filter((name) => names.includes(name));
}

const INTERFACES = ["Action", "Component", "EditableText", "Selection", "Table", "Text", "Value"]
  .map((name) => ATSPI + name);

export async function fetchStates(
  client: AtspiClient,
  address: Address,
  timeoutMs: number,
): Promise<StateBits> {
  const [states] = await client.call(address, "Accessible.GetState", timeoutMs);
  return stateBits(states as number[]);
}

/** Asks for an object of the same kind as another one, with half the calls. */
export async function fetchAlike(
  client: AtspiClient,
  address: Address,
  { like, timeoutMs }: { readonly like: Node; readonly timeoutMs: number },
): Promise<Node> {
  const [name, states] = await Promise.all([
    client.get(address, "Accessible.Name", timeoutMs),
    fetchStates(client, address, timeoutMs),
  ]);
  return { ...like, ...address, name: boundText(name as string, MAX_NAME), states };
}

/** More children are asked for one by one: a sheet of LibreOffice hangs when it lists 2^31. */
const MAX_LISTED = 5_000;
/** Children that are asked for one by one at once. */
const AT_ONCE = 100;

/**
 * Asks where the first children of an object are. How many a program claims to have is no size:
 * what is asked for and what is taken comes out of the budget.
 */
export async function fetchChildren(
  client: AtspiClient,
  node: Node,
  { max, budget }: { readonly max: number; readonly budget: Budget },
): Promise<Address[]> {
  if (max <= 0) return [];
  const count = await countChildren(client, node, budget.remaining());
  if (count === 0) return [];
  if (count === undefined || count <= MAX_LISTED) {
    const [list] = await client.call(node, "Accessible.GetChildren", budget.remaining());
    const all = addresses(list as Reference[]).slice(0, max);
    return all.slice(0, budget.takeObjects(all.length));
  }
  const indexes = Array(budget.takeObjects(Math.min(max, MAX_LISTED))).keys();
  const found = await budget.inBatches(
    [...indexes],
    AT_ONCE,
    (index) => client.call(node, "Accessible.GetChildAtIndex", budget.remaining(), index),
  );
  return addresses(found.flat() as Reference[]);
}

/** No menu is endless, as tables are. */
const MENUS = ["menu", "popup-menu"];

/** `undefined`: those of a menu in the cache of GTK 3, which has -1 for them. */
export async function countChildren(
  client: AtspiClient,
  { childCount, ...node }: Node,
  timeoutMs: number,
): Promise<number | undefined> {
  if (childCount >= 0) return childCount;
  if (MENUS.includes(roleName(node.role))) return undefined;
  return Math.max(0, Number(await client.get(node, "Accessible.ChildCount", timeoutMs)));
}

function addresses(references: readonly Reference[]): Address[] {
  return references.flatMap((each) => addressOf(each) ?? []);
}

// What is requested about objects that are visible: where they are, what they hold, and their
// labels.

export interface Details {
  /** As the program says it, in pixels of the display. */
  readonly extents?: Region | undefined;
  readonly value?: string | undefined;
  /** Of a protected text, which is not read. */
  readonly length?: number | undefined;
  /** The text of the label that stands beside it. */
  readonly label?: string | undefined;
}

interface DetailOptions {
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
