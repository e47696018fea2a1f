/** Names of elements: the run of the bus, the program on it, and the path of the object. */

import { ServiceError } from "../../../core/errors.ts";
import type { ElementId } from "../../types/mod.ts";
import { BusError } from "../bus/bus_error.ts";
import { type Address, addressOf, type AtspiClient, type Reference } from "./client.ts";

/** @param guid of the bus: another one gives its names to other programs */
export function elementId(guid: string, { bus, path, cell }: Named): ElementId {
  const id = guid + bus + path;
  return cell === undefined ? id : `${guid}${bus}${cell.table}#${cell.row},${cell.column}`;
}

interface Named extends Address {
  readonly cell?: CellPlace;
}

/** A cell by its place: LibreOffice gives it another path whenever it is asked for. */
export interface CellPlace {
  /** The path of its table. */
  readonly table: string;
  readonly row: number;
  readonly column: number;
}

const CELL = /^(.*)#(\d+),(\d+)$/;

/** @throws ServiceError `conflict`: it belongs to a bus that has ended, or is a cell that is gone */
export async function resolveElement(client: AtspiClient, id: ElementId): Promise<Address> {
  const [, run, bus, path] = /^([0-9a-f]*)(:[^/]+)(\/.*)$/.exec(id) ?? [];
  if (run !== client.guid || bus === undefined || path === undefined) {
    throw gone("its accessibility bus has ended");
  }
  const [, table, row, column] = CELL.exec(path) ?? [];
  if (table === undefined) return { bus, path };
  const call = { signature: "ii", body: [Number(row), Number(column)] };
  const asked = client.call({ bus, path: table }, "Table.GetAccessibleAt", call, LIMITS);
  const answer = await asked.catch((error) => {
    throw error instanceof BusError ? gone("its table is closed") : error;
  });
  const cell = addressOf(answer[0] as Reference);
  if (cell === undefined) throw gone("its table has become smaller");
  return cell;
}

const LIMITS = { timeoutMs: 1_000 };

function gone(why: string): ServiceError {
  return new ServiceError("conflict", `The element is gone: ${why}`);
}
