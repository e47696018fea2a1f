/** Which element a program shows at a point, and which lies inside which. */

import type { Point } from "../../../core/geometry.ts";
import { BusError } from "../bus/bus_error.ts";
import { isLate } from "./budget.ts";
import { type Address, addressOf, type AtspiClient, type Reference } from "./client.ts";
import { elementId, parseElementId } from "./element_id.ts";
import { keyOf } from "./node.ts";
import { roleNumber } from "./roles.ts";

/** Elements inside each other; a damaged tree can go round in circles. */
const MAX_DEPTH = 200;
const LIMITS = { timeoutMs: 1_000 };
const SCREEN = 0;
const APPLICATION = roleNumber("application");

/** @param near any element of the window */
export async function findElementAt(
  client: AtspiClient,
  { x, y }: Point,
  near: string,
): Promise<string | undefined> {
  const ancestors = await listAncestors(client, parseElementId(client.guid, near));
  let found = ancestors.at(-1);
  const seen = new Set<string>();
  while (found !== undefined && !seen.has(keyOf(found)) && seen.size < MAX_DEPTH) {
    seen.add(keyOf(found));
    const call = { signature: "iiu", body: [x, y, SCREEN] };
    const answer = await unlessSilent(
      client.call(found, "Component.GetAccessibleAtPoint", call, LIMITS),
    );
    const next = answer && addressOf(answer[0] as Reference);
    if (next === undefined) break; // programs answer nothing for an element without children
    found = next;
  }
  return found && seen.size > 1 ? elementId(client.guid, found) : undefined;
}

export async function containsElement(
  client: AtspiClient,
  outer: string,
  inner: string,
): Promise<boolean> {
  const wanted = keyOf(parseElementId(client.guid, outer));
  const all = await listAncestors(client, parseElementId(client.guid, inner));
  return all.some((each) => keyOf(each) === wanted);
}

/** The element itself, then its ancestors up to that of its window. */
export async function listAncestors(
  client: AtspiClient,
  address: Address,
): Promise<Address[]> {
  const all: Address[] = [];
  let current: Address | undefined = address;
  while (current !== undefined && all.length < MAX_DEPTH) {
    const known: Address = current;
    const [role, parent] = await Promise.all([
      unlessSilent(client.call(known, "Accessible.GetRole", {}, LIMITS)),
      unlessSilent(client.get(known, "Accessible.Parent", LIMITS)),
    ]);
    if (role === undefined || role[0] === APPLICATION) break;
    all.push(known);
    current = parent === undefined ? undefined : addressOf(parent as Reference);
  }
  return all;
}

async function unlessSilent<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof BusError || isLate(error)) return undefined;
    throw error;
  }
}
