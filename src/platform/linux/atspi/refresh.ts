/** Reads single elements again. */

import { ServiceError } from "../../../core/errors.ts";
import { BusError } from "../bus/bus_error.ts";
import { isOptionOfList, listAncestors } from "./ancestors.ts";
import type { Asking } from "./asking.ts";
import { Budget } from "./budget.ts";
import { describe, isEmpty } from "./describe.ts";
import { fetchDetails } from "./details.ts";
import { resolveElement } from "./element_id.ts";
import { locate } from "./locate.ts";
import { fetchNode, type Node, shows } from "./node.ts";
import type { SentElement } from "./sent_element.ts";
import { moved } from "./shift.ts";
import { hasState } from "./states.ts";
import type { Toolkit } from "./toolkit.ts";

/** How long a program may take, in milliseconds. */
const TIMEOUT_MS = 2_000;
/** Characters of one value: whoever has set it compares it. */
const MAX_TEXT = 1_000_000;

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
    if (!showing && !await isInShownWindow(node, toolkit, refreshing)) return undefined;
    const [details, location, isOption] = await Promise.all([
      fetchDetails(node, { client, budget, maxText: MAX_TEXT }),
      locate(node, { ...refreshing, toolkit }),
      toolkit.isGtk3 && isOptionOfList(client, node),
    ]);
    if (toolkit.isGtk4 && isEmpty(node, details.extents)) {
      if (!budget.truncated.has("time")) return undefined;
      throw new ServiceError("timed_out", `Process ${pid} does not answer`);
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
    if (error instanceof BusError) return undefined;
    if (error instanceof ServiceError && error.code === "conflict") return undefined;
    throw error;
  }
}

/** Whether it is scrolled away, as opposed to a part of a dialog that has closed. */
async function isInShownWindow(
  node: Node,
  { isGtk4 }: Toolkit,
  { client, budget }: Refreshing,
): Promise<boolean> {
  if (isGtk4 || !hasState(node.states, "visible")) return false;
  const top = (await listAncestors(client, node)).at(-1);
  return top !== undefined && shows(await fetchNode(client, top, budget.remaining()), "showing");
}
