/** Reads single elements again. */

import { Budget } from "./budget.ts";
import type { AtspiClient } from "./client.ts";
import { describe } from "./describe.ts";
import { fetchDetails } from "./details.ts";
import { parseElementId } from "./element_id.ts";
import { listAncestors } from "./hit_test.ts";
import { fetchNode, type Node, shows, type Toolkit } from "./node.ts";
import { fetchToolkit } from "./programs.ts";
import type { SentElement } from "./sent_element.ts";
import { hasState } from "./states.ts";
import { BusError } from "../bus/bus_error.ts";
import { ServiceError } from "../../../core/errors.ts";

/** How long a program may take, in milliseconds. */
const TIMEOUT_MS = 2_000;
/** Characters of one value: whoever has set it compares it. */
const MAX_TEXT = 1_000_000;

export async function refreshElements(
  client: AtspiClient,
  ids: readonly string[],
  checkStop: () => void,
): Promise<(SentElement | undefined)[]> {
  const budget = new Budget(TIMEOUT_MS, checkStop);
  return await Promise.all(ids.map((id) => refreshElement(client, id, budget)));
}

async function refreshElement(
  client: AtspiClient,
  id: string,
  budget: Budget,
): Promise<SentElement | undefined> {
  try {
    const address = parseElementId(client.guid, id);
    const root = { ...address, path: "/org/a11y/atspi/accessible/root", pid: undefined };
    const timeoutMs = budget.remaining();
    const [node, toolkit, pid] = await Promise.all([
      fetchNode(client, address, timeoutMs),
      fetchToolkit(client, root, timeoutMs),
      client.findProcess(address.bus),
    ]);
    const showing = shows(node, toolkit);
    if (hasState(node.states, "defunct")) return undefined;
    if (!showing && !await isScrolledAway(client, node, toolkit, timeoutMs)) return undefined;
    const details = await fetchDetails(node, { client, budget, maxText: MAX_TEXT });
    return describe(node, details, {
      id,
      depth: 0,
      pid,
      clip: undefined,
      showing,
      bounds: details.extents,
    });
  } catch (error) {
    if (error instanceof BusError) return undefined;
    if (error instanceof ServiceError && error.code === "conflict") return undefined;
    throw error;
  }
}

/** Whether it would show where its window shows it, as opposed to a part of a dialog that has closed. */
async function isScrolledAway(
  client: AtspiClient,
  node: Node,
  toolkit: Toolkit,
  timeoutMs: number,
): Promise<boolean> {
  if (!hasState(node.states, "visible")) return false;
  const top = (await listAncestors(client, node)).at(-1);
  return top !== undefined && shows(await fetchNode(client, top, timeoutMs), toolkit);
}
