/** Collects the objects of windows: from the cache of their program, and by asking for what it lacks. */

import type { Budget } from "./budget.ts";
import type { NodeCache } from "./cache.ts";
import { listShownCells } from "./cells.ts";
import type { Address, AtspiClient } from "./client.ts";
import {
  countChildren,
  fetchChildren,
  fetchNode,
  fetchStates,
  keyOf,
  type Node,
  type SeenBy,
  shows,
} from "./node.ts";
import { hasState } from "./states.ts";

export interface Collected {
  readonly node: Node;
  /** Whether its program says that it is on the screen. */
  readonly showing: boolean;
  readonly children: Collected[];
}

export interface CollectOptions {
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
/** Children of a table of which nothing tells which ones show: only as many are asked. */
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
    const next: Growing[] = [];
    for (let at = 0; at < level.length && !budget.isOver(); at += AT_ONCE) {
      const grown = level.slice(at, at + AT_ONCE).map((each) =>
        grow(each, { ...options, depth, seen })
      );
      next.push(...(await Promise.all(grown)).flat());
    }
    level = next;
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
    const cells = await budget.attempt(listShownCells(node, { client, budget, max: maxNodes }));
    if (cells && cells.length > 0) return cells;
    const counted = countChildren(client, node, { timeoutMs: budget.remaining() });
    if ((await budget.attempt(counted) ?? 0) > MAX_LISTED) { // else a list of GTK 3
      budget.truncated.add("elements");
      return [];
    }
  }
  const limits = { max: maxNodes, budget };
  const addresses = await budget.attempt(fetchChildren(client, node, limits)) ?? [];
  const nodes: Node[] = [];
  for (let at = 0; at < addresses.length && !budget.isOver(); at += AT_ONCE) {
    const some = addresses.slice(at, at + AT_ONCE);
    const fetched = await Promise.all(some.map((each) => knownOrFetched(each, options)));
    nodes.push(...fetched.filter((each) => each !== undefined));
  }
  return nodes;
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
