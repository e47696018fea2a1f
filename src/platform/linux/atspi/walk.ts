/** Collects the objects of windows: from the cache of their program, and by asking for what it lacks. */

import type { Region } from "../../../core/geometry.ts";
import { boundText, MAX_NAME, MAX_TEXT } from "../../element_texts.ts";
import type { Budget } from "./budget.ts";
import { type Address, addressOf, type AtspiClient, type Reference } from "./client.ts";
import type { CellPosition } from "./element_id.ts";
import {
  countChildren,
  fetchAlike,
  fetchChildren,
  fetchExtents,
  fetchNode,
  fetchStates,
  keyOf,
  knownInterfaces,
  type Node,
  offers,
  SCREEN,
  type SeenBy,
  shows,
} from "./node.ts";
import { hasState, type StateBits } from "./states.ts";

export interface Collected {
  readonly node: Node;
  /** Whether its program says that it is on the screen. */
  readonly showing: boolean;
  readonly children: Collected[];
}

interface CollectOptions {
  readonly client: AtspiClient;
  readonly cache: NodeCache;
  /** Also what does not show. */
  readonly hidden: boolean;
  readonly maxDepth: number;
  /** Most objects that are looked at. */
  readonly maxNodes: number;
  readonly budget: Budget;
}

interface Growing {
  readonly collected: Collected;
  /** That of its top object. */
  readonly seenBy: SeenBy;
}

/** Objects that are asked for at once: a program answers them one after the other. */
const AT_ONCE = 300;
/** Children of a table where it is unknown which ones are visible: only as many are requested. */
const MAX_LISTED = 2_000;

/** Level by level, so that the upper ones are complete when something ends it. */
export async function collect(
  roots: readonly Node[],
  options: CollectOptions,
): Promise<readonly Collected[]> {
  const { maxDepth, budget } = options;
  const tops = roots.map((node): Collected => ({
    node,
    showing: shows(node, "showing"),
    children: [],
  }));
  const seen = new Set(roots.map(keyOf));
  let level: Growing[] = tops.map((collected) => ({ collected, seenBy: "showing" }));
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) {
      if (level.some(({ collected: { node } }) => node.childCount > 0)) {
        budget.truncated.add("depth");
      }
      break;
    }
    const growing = { ...options, depth, seen };
    level = (await budget.inBatches(level, AT_ONCE, (each) => grow(each, growing))).flat();
  }
  return tops;
}

interface GrowOptions extends CollectOptions {
  readonly depth: number;
  readonly seen: Set<string>;
}

/** Adds the children, and returns them. */
async function grow(growing: Growing, options: GrowOptions): Promise<Growing[]> {
  const { collected } = growing;
  const { depth, seen, hidden, maxNodes, cache, budget } = options;
  const wanted = hidden || depth === 0 ? undefined : growing.seenBy;
  const nodes = await listChildren(collected.node, { ...options, wanted });
  const seenBy = depth === 0 ? chooseState(nodes) : growing.seenBy;
  const added: Growing[] = [];
  for (const node of nodes) {
    const showing = shows(node, seenBy);
    if (seen.has(keyOf(node)) || !hidden && !showing) continue;
    if (seen.size >= maxNodes) {
      budget.truncated.add("elements");
      break;
    }
    const isCached = cache.find(keyOf(node)) === node; // what was fetched has been taken then
    if (isCached && !budget.takeText(node.name, node.description)) break;
    seen.add(keyOf(node));
    const child: Collected = { node, showing, children: [] };
    collected.children.push(child);
    added.push({ collected: child, seenBy });
  }
  return added;
}

/** GTK 4 says `showing` of its windows only, and Firefox says it of nothing in a covered window. */
function chooseState(nodes: readonly Node[]): SeenBy {
  return nodes.some((each) => shows(each, "showing")) ? "showing" : "visible";
}

interface ListOptions extends CollectOptions {
  /** Objects without it may be left out: most of a long page is scrolled away. */
  readonly wanted: SeenBy | undefined;
}

async function listChildren(node: Node, options: ListOptions): Promise<readonly Node[]> {
  const { client, cache, budget, maxNodes } = options;
  const known = cache.childrenOf(node);
  if (known !== undefined) return known;
  if (hasState(node.states, "managesDescendants")) {
    const cells = await budget.attempt(listVisibleCells(node, { client, budget, max: maxNodes }));
    if (cells && cells.length > 0) return cells;
    const counted = countChildren(client, node, budget.remaining());
    if ((await budget.attempt(counted) ?? 0) > MAX_LISTED) { // else a list of GTK 3
      budget.truncated.add("elements");
      return [];
    }
  }
  const limits = { max: maxNodes, budget };
  const addresses = await budget.attempt(fetchChildren(client, node, limits)) ?? [];
  return await budget.inBatches(addresses, AT_ONCE, (each) => knownOrFetched(each, options));
}

async function knownOrFetched(
  address: Address,
  { client, cache, budget, wanted }: ListOptions,
): Promise<Node | undefined> {
  const known = cache.find(keyOf(address));
  if (known !== undefined) return known;
  if (wanted !== undefined) {
    const states = await budget.attempt(fetchStates(client, address, budget.remaining()));
    if (states === undefined || !hasState(states, wanted)) return undefined;
  }
  const node = await budget.attempt(fetchNode(client, address, budget.remaining()));
  return node && budget.takeText(node.name, node.description) ? node : undefined;
}

// The cells of a large table that show. A sheet of LibreOffice says that it has 2^31 children, and
// hangs when it is asked for them all.

interface CellOptions {
  readonly client: AtspiClient;
  readonly budget: Budget;
  /** Most cells. */
  readonly max: number;
}

/** So far inside the edge there is a cell and no line. */
const INSET = 3;

/** Row by row; nothing for what is no table, or where the program does not say which cells show. */
export async function listVisibleCells(table: Node, options: CellOptions): Promise<Node[]> {
  const { client, budget } = options;
  const found = await listCells(table, options);
  const first = found[0] && await fetchNode(client, found[0].address, budget.remaining());
  if (first === undefined) return [];
  return await budget.inBatches(found, AT_ONCE, async ({ address, cell }) => {
    const like = { like: first, timeoutMs: budget.remaining() };
    const node = await budget.attempt(fetchAlike(client, address, like));
    return node && budget.takeText(node.name) ? { ...node, cell } : undefined;
  });
}

async function listCells(table: Node, options: CellOptions) {
  const { client, budget, max } = options;
  const extents = offers(table, "Table") ? await fetchExtents(table, options) : undefined;
  if (extents === undefined) return [];
  const [first, last] = await Promise.all(
    corners(extents).map((point) => findCell(table, point, options)),
  );
  if (first === undefined || last === undefined) return [];
  if (last.column < first.column) return []; // each of up to 2^32 rows would have no cell
  const cells: CellPosition[] = [];
  for (let row = first.row; row <= last.row && cells.length < max; row++) {
    for (let column = first.column; column <= last.column && cells.length < max; column++) {
      cells.push({ table: table.path, row, column });
    }
  }
  const taken = cells.slice(0, budget.takeObjects(cells.length));
  const found = await Promise.all(taken.map(async (cell) => {
    const position = [cell.row, cell.column];
    const asked = client.call(table, "Table.GetAccessibleAt", budget.remaining(), ...position);
    const address = addressOf((await budget.attempt(asked) ?? [NONE])[0] as Reference);
    return address && { address, cell };
  }));
  return found.filter((each) => each !== undefined);
}

const NONE: Reference = ["", ""];

function corners({ x, y, width, height }: Region): readonly [number, number][] {
  return [[x + INSET, y + INSET], [x + width - INSET, y + height - INSET]];
}

async function findCell(
  table: Node,
  [x, y]: readonly [number, number],
  { client, budget }: CellOptions,
): Promise<Omit<CellPosition, "table"> | undefined> {
  const timeoutMs = budget.remaining();
  const at = client.call(table, "Component.GetAccessibleAtPoint", timeoutMs, x, y, SCREEN);
  const cell = addressOf((await at)[0] as Reference);
  if (cell === undefined) return undefined;
  const [index] = await client.call(cell, "Accessible.GetIndexInParent", timeoutMs);
  const [[row], [column]] = await Promise.all([
    client.call(table, "Table.GetRowAtIndex", timeoutMs, index),
    client.call(table, "Table.GetColumnAtIndex", timeoutMs, index),
  ]);
  return { row: Number(row), column: Number(column) };
}

// The cache of a program: all its objects in one answer. Programs of Qt answer an empty one, old
// ones answer in other types, and others may leave objects out, which are then asked for one by
// one.

/** `((so)(so)(so)iiassusau)`: object, program, parent, index, number of children, interfaces, name, role, description, states. */
type Item = readonly [
  Reference,
  Reference,
  Reference,
  number,
  number,
  string[],
  string,
  number,
  string,
  number[],
];

/** Objects in the caches of all readings: of those beyond it each is asked for by itself. */
const MAX_CACHED = 400_000;
let cached = 0;

/** To be disposed of when it is read. */
export class NodeCache implements Disposable {
  readonly #nodes = new Map<string, Node>();
  readonly #children = new Map<string, { readonly node: Node; readonly index: number }[]>();

  /** An empty cache where the program offers none in time. */
  static async fetch(client: AtspiClient, bus: string, timeoutMs: number): Promise<NodeCache> {
    const cache = new NodeCache();
    const address = { bus, path: "/org/a11y/atspi/cache" };
    // else the caller asks for objects one by one and sees whether the program answers
    const [items] = await client.call(address, "Cache.GetItems", timeoutMs).catch(() => [[]]);
    for (const item of items as readonly Item[]) cache.#add(item);
    for (const children of cache.#children.values()) children.sort((a, b) => a.index - b.index);
    return cache;
  }

  find(key: string): Node | undefined {
    return this.#nodes.get(key);
  }

  /** The children in order; `undefined` unless all are known. */
  childrenOf(node: Node): readonly Node[] | undefined {
    const children = this.#children.get(keyOf(node)) ?? [];
    if (children.length !== node.childCount) return undefined;
    return children.map((each) => each.node);
  }

  [Symbol.dispose](): void {
    cached -= this.#nodes.size;
    this.#nodes.clear();
    this.#children.clear();
  }

  #add([reference, , parent, index, childCount, interfaces, name, role, description, bits]: Item) {
    const states = [bits[0] ?? 0, bits[1] ?? 0] as StateBits;
    const address = addressOf(reference);
    // browsers keep the page that was left, in place of the new one, which is then asked for: Firefox as
    // defunct, Chromium as no child any more
    const isLeft = hasState(states, "defunct") || index < 0;
    if (isLeft || !address || this.#nodes.has(keyOf(address))) return;
    if (cached >= MAX_CACHED) return;
    cached++;
    const node = {
      ...address,
      name: boundText(name, MAX_NAME),
      description: boundText(description, MAX_TEXT),
      interfaces: knownInterfaces(interfaces),
      role,
      states,
      childCount,
    };
    this.#nodes.set(keyOf(node), node);
    const key = parent[0] + parent[1];
    this.#children.getOrInsertComputed(key, () => []).push({ node, index });
  }
}
