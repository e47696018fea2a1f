/** Collects the objects of windows: from the cache of their program, and by asking for what it lacks. */

import type { Address, AtspiClient } from "./client.ts";
import type { NodeCache } from "./cache.ts";
import { fetchChildren, fetchNode, keyOf, type Node, shows, type Toolkit } from "./node.ts";
import { hasState } from "./states.ts";
import type { Budget } from "./budget.ts";

export interface Collected {
  readonly node: Node;
  readonly children: Collected[];
}

export interface CollectOptions {
  readonly client: AtspiClient;
  readonly cache: NodeCache;
  readonly toolkit: Toolkit;
  /** Also what does not show. */
  readonly hidden: boolean;
  readonly maxDepth: number;
  /** Most objects that are looked at. */
  readonly maxNodes: number;
  readonly budget: Budget;
}

/** Objects that are asked for at once: a program answers them one after the other. */
const AT_ONCE = 300;

/** Level by level, so that the upper ones are complete when something ends it. */
export async function collect(roots: readonly Node[], options: CollectOptions) {
  const { maxDepth, maxNodes, budget } = options;
  const tops = roots.map((node): Collected => ({ node, children: [] }));
  const seen = new Set(roots.map(keyOf));
  let level = tops;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) {
      if (level.some(({ node }) => node.childCount > 0)) budget.truncated.add("depth");
      break;
    }
    const next: Collected[] = [];
    for (let at = 0; at < level.length && !budget.isOver(); at += AT_ONCE) {
      const parents = level.slice(at, at + AT_ONCE);
      await Promise.all(parents.map(async (parent) => {
        for (const node of await listChildren(parent.node, options)) {
          const key = keyOf(node);
          if (seen.has(key) || !options.hidden && !shows(node, options.toolkit)) continue;
          if (seen.size >= maxNodes) {
            budget.truncated.add("elements");
            return;
          }
          seen.add(key);
          const child: Collected = { node, children: [] };
          parent.children.push(child);
          next.push(child);
        }
      }));
    }
    level = next;
  }
  return tops;
}

async function listChildren(node: Node, options: CollectOptions): Promise<readonly Node[]> {
  const { client, cache, budget, maxNodes } = options;
  const known = cache.childrenOf(node);
  if (known !== undefined) return known;
  if (hasState(node.states, "managesDescendants")) return []; // cells, which are asked for by place
  const timeoutMs = budget.remaining();
  const addresses = await budget.attempt(fetchChildren(client, node, { max: maxNodes, timeoutMs }));
  const nodes: Node[] = [];
  for (let at = 0; at < (addresses?.length ?? 0) && !budget.isOver(); at += AT_ONCE) {
    const some = addresses!.slice(at, at + AT_ONCE);
    const fetched = await Promise.all(some.map((each) => knownOrFetched(each, options)));
    nodes.push(...fetched.filter((each) => each !== undefined));
  }
  return nodes;
}

async function knownOrFetched(
  address: Address,
  { client, cache, budget }: CollectOptions,
): Promise<Node | undefined> {
  const known = cache.find(keyOf(address));
  return known ?? await budget.attempt(fetchNode(client, address, budget.remaining()));
}
