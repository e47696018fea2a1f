/** Names of elements: the run of the bus, the program on it, and the path of the object. */

import { ServiceError } from "../../../core/errors.ts";
import type { Element, ElementAbility, ElementId, ElementState } from "../../types/mod.ts";
import { BusError } from "../bus/types.ts";
import { type Address, addressOf, type AtspiClient, type Reference } from "./client.ts";

/** @param guid of the bus: another one gives its names to other programs */
export function elementId(
  guid: string,
  { bus, path, cell }: Address & { readonly cell?: CellPosition },
): ElementId {
  const id = guid + bus + path;
  return cell === undefined ? id : `${guid}${bus}${cell.table}#${cell.row},${cell.column}`;
}

/** A cell by its position: LibreOffice gives it another path whenever it is asked for. */
export interface CellPosition {
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
  const position = [Number(row), Number(column)];
  const asked = client.call({ bus, path: table }, "Table.GetAccessibleAt", TIMEOUT_MS, ...position);
  const answer = await asked.catch((error) => {
    throw error instanceof BusError ? gone("its table is closed") : error;
  });
  const cell = addressOf(answer[0] as Reference);
  if (cell === undefined) throw gone("its table has become smaller");
  return cell;
}

const TIMEOUT_MS = 1_000;

function gone(why: string): ServiceError {
  return new ServiceError("conflict", `The element is gone: ${why}`);
}

// Elements on their way from the thread that reads them: flat, in slices, because one message with
// thousands of nested objects would hold up the thread that answers requests.

/** One element; its children follow it with a greater depth. */
export interface SentElement extends Omit<Element, "states" | "abilities" | "children"> {
  readonly depth: number;
  /** Names with commas between them: few lists differ, and each becomes one set. */
  readonly states: string;
  readonly abilities: string;
}

/** Elements per message. */
export const SLICE = 250;
/** Characters per message, of all texts together. */
export const SLICE_TEXT = 256 * 1024;

export function textLength({ name, description = "", value = "" }: SentElement): number {
  return name.length + description.length + value.length;
}

type Growing = Omit<Element, "children"> & { readonly children: Growing[] };

/** Puts the elements together again, slice by slice. */
export class ElementAssembly {
  readonly roots: Growing[] = [];
  /** By the names in them. */
  readonly #sets = new Map<string, ReadonlySet<string>>();
  /** The last element of each depth. */
  readonly #path: Growing[] = [];

  add(slice: readonly SentElement[]): void {
    for (const { depth, states, abilities, ...rest } of slice) {
      const element: Growing = {
        ...rest,
        states: this.#setOf(states) as ReadonlySet<ElementState>,
        abilities: this.#setOf(abilities) as ReadonlySet<ElementAbility>,
        children: [],
      };
      this.#path.length = depth;
      (this.#path[depth - 1]?.children ?? this.roots).push(element);
      this.#path.push(element);
    }
  }

  #setOf(names: string): ReadonlySet<string> {
    const make = () => new Set(names === "" ? [] : names.split(","));
    return this.#sets.getOrInsertComputed(names, make);
  }
}
