/**
 * The cells of a large table that show. A sheet of LibreOffice says that it has 2^31 children, and
 * hangs when it is asked for them all.
 */

import type { Region } from "../../../core/geometry.ts";
import type { Budget } from "./budget.ts";
import { type Address, addressOf, type AtspiClient, type Reference } from "./client.ts";
import type { CellPlace } from "./element_id.ts";
import { fetchExtents } from "./details.ts";
import { fetchAlike, fetchNode, type Node, offers } from "./node.ts";

export interface CellOptions {
  readonly client: AtspiClient;
  readonly budget: Budget;
  /** Most cells. */
  readonly max: number;
}

const SCREEN = 0;
/** Cells that are asked for at once. */
const AT_ONCE = 300;
/** So far inside the edge there is a cell and no line. */
const INSET = 3;

/** Row by row; nothing for what is no table, or where the program does not say which cells show. */
export async function listShownCells(table: Node, options: CellOptions): Promise<Node[]> {
  const { client, budget } = options;
  const found = await listCells(table, options);
  const first = found[0] && await fetchNode(client, found[0].address, budget.remaining());
  if (first === undefined) return [];
  const nodes: Node[] = [];
  for (let at = 0; at < found.length && !budget.isOver(); at += AT_ONCE) {
    const some = found.slice(at, at + AT_ONCE);
    const fetched = await Promise.all(some.map(async ({ address, cell }) => {
      const like = { like: first, timeoutMs: budget.remaining() };
      const node = await budget.attempt(fetchAlike(client, address, like));
      return node && budget.takeText(node.name) ? { ...node, cell } : undefined;
    }));
    nodes.push(...fetched.filter((each) => each !== undefined));
  }
  return nodes;
}

interface FoundCell {
  readonly address: Address;
  readonly cell: CellPlace;
}

async function listCells(table: Node, options: CellOptions): Promise<FoundCell[]> {
  const { client, budget, max } = options;
  const extents = offers(table, "Table") ? await fetchExtents(table, options) : undefined;
  if (extents === undefined) return [];
  const [first, last] = await Promise.all(
    corners(extents).map((point) => findCell(table, point, options)),
  );
  if (first === undefined || last === undefined) return [];
  const cells: CellPlace[] = [];
  for (let row = first.row; row <= last.row && cells.length < max; row++) {
    for (let column = first.column; column <= last.column && cells.length < max; column++) {
      cells.push({ table: table.path, row, column });
    }
  }
  const taken = cells.slice(0, budget.takeObjects(cells.length));
  const found = await Promise.all(taken.map(async (cell) => {
    const call = { signature: "ii", body: [cell.row, cell.column] };
    const limits = { timeoutMs: budget.remaining() };
    const asked = client.call(table, "Table.GetAccessibleAt", call, limits);
    const address = addressOf((await budget.attempt(asked) ?? [NONE])[0] as Reference);
    return address && { address, cell };
  }));
  return found.filter((each) => each !== undefined);
}

const NONE: Reference = ["", ""];

function corners({ x, y, width, height }: Region): readonly [number, number][] {
  return [[x + INSET, y + INSET], [x + width - INSET, y + height - INSET]];
}

async function findCell(
  table: Node,
  [x, y]: readonly [number, number],
  { client, budget }: CellOptions,
): Promise<Omit<CellPlace, "table"> | undefined> {
  const limits = { timeoutMs: budget.remaining() };
  const point = { signature: "iiu", body: [x, y, SCREEN] };
  const at = client.call(table, "Component.GetAccessibleAtPoint", point, limits);
  const cell = addressOf((await at)[0] as Reference);
  if (cell === undefined) return undefined;
  const [index] = await client.call(cell, "Accessible.GetIndexInParent", {}, limits);
  const ask = async (method: "Table.GetRowAtIndex" | "Table.GetColumnAtIndex") => {
    const call = { signature: "i", body: [index] };
    return Number((await client.call(table, method, call, limits))[0]);
  };
  const [row, column] = await Promise.all([
    ask("Table.GetRowAtIndex"),
    ask("Table.GetColumnAtIndex"),
  ]);
  return { row, column };
}
