/**
 * The cache of a program: all its objects in one answer. Programs of Qt answer an empty one, and
 * others may leave objects out, which are then asked for one by one.
 */

import type { AtspiClient, Reference } from "./client.ts";
import { keyOf, type Node } from "./node.ts";
import { hasState, type StateBits } from "./states.ts";

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

export class NodeCache {
  readonly #nodes = new Map<string, Node>();
  readonly #children = new Map<string, { readonly node: Node; readonly index: number }[]>();

  /** An empty cache where the program offers none in time. */
  static async fetch(client: AtspiClient, bus: string, timeoutMs: number): Promise<NodeCache> {
    const cache = new NodeCache();
    const address = { bus, path: "/org/a11y/atspi/cache" };
    let items: readonly unknown[];
    try {
      items = (await client.call(address, "Cache.GetItems", {}, { timeoutMs }))[0] as unknown[];
    } catch {
      return cache; // the caller asks for objects one by one and sees whether the program answers
    }
    for (const item of items) if (isItem(item)) cache.#add(item);
    for (const children of cache.#children.values()) children.sort((a, b) => a.index - b.index);
    return cache;
  }

  get size(): number {
    return this.#nodes.size;
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

  #add([reference, , parent, index, childCount, interfaces, name, role, description, bits]: Item) {
    const states = [bits[0] ?? 0, bits[1] ?? 0] as StateBits;
    // Firefox keeps the page that was left, in place of the new one, which is then asked for
    if (hasState(states, "defunct")) return;
    const [bus, path] = reference;
    const node = { bus, path, name, description, role, states, interfaces, childCount };
    this.#nodes.set(keyOf(node), node);
    const key = parent[0] + parent[1];
    const siblings = this.#children.get(key);
    if (siblings === undefined) this.#children.set(key, [{ node, index }]);
    else siblings.push({ node, index });
  }
}

/** Old programs send lists of children in place of numbers; they are asked one by one. */
function isItem(item: unknown): item is Item {
  return Array.isArray(item) && typeof item[3] === "number";
}
