/** The open menus of a window's menu bar, for systems that do not list popups. */

import type { Budget } from "./budget.ts";
import type { Address, AtspiClient } from "./client.ts";
import type { Toolkit } from "./describe.ts";
import { fetchChildren, fetchNode, fetchStates, type Node } from "./node.ts";
import { hasState, roleNumber } from "./states.ts";

interface MenuOptions {
  readonly client: AtspiClient;
  readonly budget: Budget;
  readonly toolkit: Toolkit;
}

/** How far below its window a menu bar can be. */
const BAR_LEVELS = 3;
/** Menus inside each other; a damaged tree can go round in circles. */
const MENU_LEVELS = 10;
/** Objects of each that are looked at. */
const MAX_INSIDE = 50;
const MENU_BAR = roleNumber("menu-bar");

/** From the outer ones to those inside them. */
export async function listOpenMenus(top: Address, options: MenuOptions): Promise<Address[]> {
  const isBar = ({ role }: Node) => role === MENU_BAR;
  let level = await fetchNodes([top], options);
  for (let depth = 0; depth < BAR_LEVELS && !level.some(isBar); depth++) {
    const inside = await Promise.all(level.map((each) => listShown(each, options)));
    level = await fetchNodes(inside.flat(), options);
  }
  level = level.filter(isBar);
  const open: Address[] = [];
  for (let depth = 0; depth < MENU_LEVELS && level.length > 0; depth++) {
    const inside = await Promise.all(level.map((each) => listShown(each, options)));
    open.push(...level.filter((each, at) => !isBar(each) && inside[at]!.length > 0));
    // GTK 3 selects the menus that are open
    const next = inside.flat().filter(({ isSelected }) => isSelected || !options.toolkit.isGtk3);
    level = await fetchNodes(next, options);
  }
  return open;
}

async function fetchNodes(
  addresses: readonly Address[],
  { client, budget }: MenuOptions,
): Promise<Node[]> {
  return await budget.inBatches(
    addresses,
    MAX_INSIDE,
    (each) => budget.attempt(fetchNode(client, each, budget.remaining())),
  );
}

/** What shows of the objects inside one. */
async function listShown(
  node: Node,
  { client, budget }: MenuOptions,
): Promise<(Address & { readonly isSelected: boolean })[]> {
  const inside = await budget.attempt(fetchChildren(client, node, { max: MAX_INSIDE, budget }));
  return await budget.inBatches(inside ?? [], MAX_INSIDE, async (each) => {
    const states = await budget.attempt(fetchStates(client, each, budget.remaining()));
    if (states === undefined || !hasState(states, "showing")) return undefined;
    return { ...each, isSelected: hasState(states, "selected") };
  });
}
