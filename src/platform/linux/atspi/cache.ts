/**
 * The cache of a program: all its objects in one answer. Programs of Qt answer an empty one, old
 * ones answer in other types, and others may leave objects out, which are then asked for one by one.
 */

import { boundText, MAX_NAME, MAX_TEXT } from "../../element_texts.ts";
import { addressOf, type AtspiClient, type Reference } from "./client.ts";
import { keyOf, knownInterfaces, type Node } from "./node.ts";
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
    let items: readonly unknown[];
    try {
      items = (await client.call(address, "Cache.GetItems", {}, { timeoutMs }))[0] as unknown[];
    } catch {
      return cache; // the caller asks for objects one by one and sees whether the program answers
    }
    for (const item of items as readonly Item[]) cache.#add(item);
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

  [Symbol.dispose](): void {
    cached -= this.#nodes.size;
    this.#nodes.clear();
    this.#children.clear();
  }

  #add([reference, , parent, index, childCount, interfaces, name, role, description, bits]: Item) {
    const states = [bits[0] ?? 0, bits[1] ?? 0] as StateBits;
    const address = addressOf(reference);
    // Firefox keeps the page that was left, in place of the new one, which is then asked for
    if (hasState(states, "defunct") || !address || this.#nodes.has(keyOf(address))) return;
    if (cached >= MAX_CACHED) return;
    cached++;
    const node = {
      ...address,
      name: boundText(name, MAX_NAME),
      description: boundText(description, MAX_TEXT),
      interfaces: knownInterfaces(interfaces),
      ...{ role, states, childCount },
    };
    this.#nodes.set(keyOf(node), node);
    const key = parent[0] + parent[1];
    const siblings = this.#children.get(key);
    if (siblings === undefined) this.#children.set(key, [{ node, index }]);
    else siblings.push({ node, index });
  }
}
