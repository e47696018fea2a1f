/** The atoms of selections, and the names of those that programs use as types (ICCCM, chapter 2). */

import type { XError } from "../client.ts";
import type { X11Connection } from "../connection.ts";
import { internAtom, internAtoms } from "../window_queries.ts";

/** Types that every server has under the same number. */
export const ATOM = 4;
export const INTEGER = 19;

const NAMES = [
  "CLIPBOARD",
  "CLIPBOARD_MANAGER",
  "SAVE_TARGETS",
  "TARGETS",
  "MULTIPLE",
  "TIMESTAMP",
  "INCR",
  "ATOM_PAIR",
  "UTF8_STRING",
  "_COMPUTER_CONTROL_SELECTION",
] as const;

export type SelectionAtoms = Readonly<Record<typeof NAMES[number], number>>;

export function internSelectionAtoms(connection: X11Connection): Promise<SelectionAtoms> {
  return internAtoms(connection, NAMES);
}

/** Converts between atoms and their names, and asks for each once. */
export class AtomNames {
  readonly #names = new Map<number, string>();

  constructor(private readonly connection: X11Connection) {}

  /** Without those of which the server knows nothing. */
  async names(atoms: readonly number[]): Promise<string[]> {
    const names = await Promise.all(atoms.map((atom) =>
      this.name(atom).catch((error) => {
        if (isXError(error)) return undefined;
        throw error;
      })
    ));
    return names.filter((name) => name !== undefined);
  }

  async name(atom: number): Promise<string> {
    const known = this.#names.get(atom);
    if (known !== undefined) return known;
    const { client } = this.connection;
    const name = await this.connection.call<string>((done) => client.GetAtomName(atom, done));
    this.#names.set(atom, name);
    return name;
  }

  async atom(name: string): Promise<number> {
    const atom = await internAtom(this.connection, name);
    this.#names.set(atom, name);
    return atom;
  }
}

/** Whether the server has refused a request, for example about a window that has gone. */
export function isXError(error: unknown): boolean {
  return typeof (error as XError | undefined)?.error === "number";
}

/** The words of a property of format 32. */
export function readWords(data: Uint8Array): number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from(
    { length: data.byteLength >> 2 },
    (_, index) => view.getUint32(index * 4, true),
  );
}
