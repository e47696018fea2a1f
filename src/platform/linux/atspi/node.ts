/** One object of a program as AT-SPI describes it, and how it is asked for. */

import { boundText, MAX_NAME, MAX_TEXT } from "../../element_texts.ts";
import type { Budget } from "./budget.ts";
import { type Address, addressOf, ATSPI, type AtspiClient } from "./client.ts";
import type { Method, Reference } from "./client.ts";
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
