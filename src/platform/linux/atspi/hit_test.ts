/** Which element a program shows at a point, and which lies inside which. */

import type { Point } from "../../../core/geometry.ts";
import { listAncestors, unlessSilent } from "./ancestors.ts";
import type { Asking } from "./asking.ts";
import { Budget } from "./budget.ts";
import { type Address, addressOf, type AtspiClient, type Reference } from "./client.ts";
import { elementId, resolveElement } from "./element_id.ts";
import { keyOf } from "./node.ts";
import { locate } from "./locate.ts";

/** Answers that lead to each other without an end. */
const MAX_STEPS = 200;
const TIMEOUT_MS = 1_000;
const LIMITS = { timeoutMs: TIMEOUT_MS };
const SCREEN = 0;

/** @param near any element of the window */
export async function findElementAt(
  { x, y }: Point,
  near: string,
  asking: Asking,
): Promise<string | undefined> {
  const { client, toolkits, checkStop } = asking;
  const address = await resolveElement(client, near);
  const budget = new Budget(TIMEOUT_MS, checkStop);
  const toolkit = await toolkits.find(address.bus, TIMEOUT_MS);
  const [ancestors, location] = await Promise.all([
    listAncestors(client, address),
    locate(address, { ...asking, budget, toolkit }),
  ]);
  if (location === undefined) return undefined;
  const { shift, within } = location;
  let found = within?.filledBy ?? ancestors.at(-1); // windows tell of what is below their popups
  const seen = new Set<string>();
  while (
    found !== undefined && !seen.has(keyOf(found)) && seen.size < MAX_STEPS && !budget.isOver()
  ) {
    seen.add(keyOf(found));
    const call = { signature: "iiu", body: [x - shift.x, y - shift.y, SCREEN] };
    const answer = await unlessSilent(
      client.call(found, "Component.GetAccessibleAtPoint", call, LIMITS),
    );
    const next = answer && addressOf(answer[0] as Reference);
    if (next === undefined) break; // programs answer nothing for an element without children
    found = next;
  }
  return found && seen.size > 1 ? elementId(client.guid, found) : undefined;
}

/** Whether `inner` is `outer` or lies inside it. */
export async function containsElement(
  outer: string,
  inner: string,
  { client, toolkits }: Asking,
): Promise<boolean> {
  const wanted = await resolveElement(client, outer);
  const path = await listAncestors(client, await resolveElement(client, inner));
  if (path.some((each) => keyOf(each) === keyOf(wanted))) return true;
  const { isLibreOffice } = await toolkits.find(wanted.bus, TIMEOUT_MS);
  return isLibreOffice && await hasSamePlace(client, wanted, path);
}

/** LibreOffice names a cell anew whenever it is asked for: its place among its siblings stays. */
async function hasSamePlace(
  client: AtspiClient,
  wanted: Address,
  path: readonly Address[],
): Promise<boolean> {
  const [, parent] = await listAncestors(client, wanted);
  const at = parent ? path.findIndex((each) => keyOf(each) === keyOf(parent)) : -1;
  if (at < 1) return false;
  const indexes = await Promise.all([wanted, path[at - 1]!].map(async (each) => {
    const asked = client.call(each, "Accessible.GetIndexInParent", {}, LIMITS);
    return (await unlessSilent(asked))?.[0];
  }));
  return indexes[0] !== undefined && indexes[0] === indexes[1];
}
