/** The elements around an element. */

import { ServiceError } from "../../../core/errors.ts";
import { BusError } from "../bus/bus_error.ts";
import { isLate } from "./budget.ts";
import { type Address, addressOf, type AtspiClient, type Reference } from "./client.ts";
import { roleNumber } from "./roles.ts";

/** Elements inside each other; a damaged tree can go round in circles. */
const MAX_DEPTH = 200;
const LIMITS = { timeoutMs: 1_000 };
/** How long a program may take for all of them, in milliseconds. */
const ALL_MS = 3_000;
const APPLICATION = roleNumber("application");
const MENU_ITEM = roleNumber("menu-item");
const COMBO_BOX = roleNumber("combo-box");

/**
 * The element itself, then its ancestors up to that of its window.
 * @throws ServiceError `timed_out`: its program takes too long
 */
export async function listAncestors(client: AtspiClient, address: Address): Promise<Address[]> {
  const all: Address[] = [];
  const end = performance.now() + ALL_MS;
  let current: Address | undefined = address;
  while (current !== undefined && all.length < MAX_DEPTH) {
    const known: Address = current;
    if (performance.now() > end) {
      throw new ServiceError("timed_out", "A program has not told in time where its element is");
    }
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

/** Whether it is an option of a list that opens, which GTK 3 makes of a menu. */
export async function isOptionOfList(
  client: AtspiClient,
  { role, ...address }: Address & { readonly role: number },
): Promise<boolean> {
  if (role !== MENU_ITEM) return false;
  const around = (await listAncestors(client, address)).slice(1);
  const roles = around.map((each) =>
    unlessSilent(client.call(each, "Accessible.GetRole", {}, LIMITS))
  );
  return (await Promise.all(roles)).some((answer) => answer?.[0] === COMBO_BOX);
}

/** The answer; `undefined` where the program does not give one. */
export async function unlessSilent<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof BusError || isLate(error)) return undefined;
    throw error;
  }
}
