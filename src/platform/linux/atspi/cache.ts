/**
 * The cache of a program: all its objects in one answer. Programs of Qt answer an empty one, old
 * ones answer in other types, and others may leave objects out, which are then asked for one by one.
 */

import { hasCode, ServiceError } from "../../../core/errors.ts";
import { boundText, MAX_NAME, MAX_TEXT } from "../../element_texts.ts";
import { BusError } from "../bus/types.ts";
import { Budget } from "./budget.ts";
import { addressOf, type AtspiClient, type Reference } from "./client.ts";
import { describe, isEmpty, type Toolkit } from "./describe.ts";
import { resolveElement, type SentElement } from "./element_id.ts";
import type { Asking } from "./jobs.ts";
import { isOptionOfList, listAncestors, locate } from "./locate.ts";
import { fetchDetails, fetchNode, keyOf, knownInterfaces, type Node, shows } from "./node.ts";
import { moved } from "./windows.ts";
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
    // else the caller asks for objects one by one and sees whether the program answers
    const [items] = await client.call(address, "Cache.GetItems", timeoutMs).catch(() => [[]]);
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

// Reads single elements again.

/** How long a program may take, in milliseconds. */
const TIMEOUT_MS = 2_000;
/** Characters of one value: whoever has set it compares it. */
const MAX_CACHED_TEXT = 1_000_000;

/** @throws ServiceError `timed_out`: a program does not answer */
export async function refreshElements(
  ids: readonly string[],
  asking: Asking,
): Promise<(SentElement | undefined)[]> {
  const budget = new Budget(TIMEOUT_MS, asking.checkStop);
  return await Promise.all(ids.map((id) => refreshElement(id, { ...asking, budget })));
}

interface Refreshing extends Asking {
  readonly budget: Budget;
}

/** `undefined` for one that is gone. */
async function refreshElement(
  id: string,
  refreshing: Refreshing,
): Promise<SentElement | undefined> {
  const { client, toolkits, budget } = refreshing;
  try {
    const address = await resolveElement(client, id);
    const timeoutMs = budget.remaining();
    const [node, toolkit, pid] = await Promise.all([
      fetchNode(client, address, timeoutMs),
      toolkits.find(address.bus, timeoutMs),
      client.findProcess(address.bus),
    ]);
    const showing = shows(node, toolkit.isGtk4 ? "visible" : "showing");
    if (hasState(node.states, "defunct")) return undefined;
    if (!showing && !await isInVisibleWindow(node, toolkit, refreshing)) return undefined;
    const [details, location, isOption] = await Promise.all([
      fetchDetails(node, { client, budget, maxText: MAX_CACHED_TEXT }),
      locate(node, { ...refreshing, toolkit }),
      toolkit.isGtk3 && isOptionOfList(client, node),
    ]);
    if (toolkit.isGtk4 && isEmpty(node, details.extents)) {
      if (!budget.truncated.has("time")) return undefined;
      throw new ServiceError("timed_out", `Process ${pid} does not respond`);
    }
    const bounds = details.extents && location && moved(details.extents, location.shift);
    return describe(node, details, {
      id,
      depth: 0,
      children: 0,
      pid,
      clip: undefined,
      showing,
      bounds,
      popup: location?.within?.popup.id,
      toolkit,
      isOption,
    });
  } catch (error) {
    if (error instanceof BusError || hasCode(error, "conflict")) return undefined;
    throw error;
  }
}

/** Whether it is scrolled away, as opposed to a part of a dialog that has closed. */
async function isInVisibleWindow(
  node: Node,
  { isGtk4 }: Toolkit,
  { client, budget }: Refreshing,
): Promise<boolean> {
  if (isGtk4 || !hasState(node.states, "visible")) return false;
  const top = (await listAncestors(client, node)).at(-1);
  return top !== undefined && shows(await fetchNode(client, top, budget.remaining()), "showing");
}
