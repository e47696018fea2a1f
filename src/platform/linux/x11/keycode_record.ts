/**
 * Records the spare keycodes that this run has lent in a property of the root window, so that the
 * next run returns them if this one is killed. Each run has its own property, named after a window
 * that exists as long as its connection. There is no read-modify-write, so no lock is needed.
 */

import type { X11Connection } from "./connection.ts";
import { internAtom } from "./window_queries.ts";
import type { Remap } from "./spare_keys.ts";

const PROPERTY = "_COMPUTER_CONTROL_KEYCODES";
const CARDINAL = 6;
const REPLACE = 0;
/** In four-byte words: each keycode takes one for itself and one for each of its two symbols. */
const MAX_WORDS = 768;
const WORDS = 3;
const INPUT_ONLY = 2;

export class KeycodeRecord {
  private constructor(
    private readonly connection: X11Connection,
    /** The property of the window: it shows that its run is alive. */
    private readonly alive: number,
    /** The property of the root window: the keycodes that this run has lent. */
    private readonly own: number,
  ) {}

  static async open(connection: X11Connection): Promise<KeycodeRecord> {
    const { client, root } = connection;
    const owner = client.AllocID();
    const [alive, own] = await Promise.all([
      internAtom(connection, PROPERTY),
      internAtom(connection, recordName(owner)),
    ]);
    client.CreateWindow(owner, root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {});
    return new KeycodeRecord(connection, alive, own).#marked(owner);
  }

  /** Records the keycodes that are lent now. */
  write(remaps: readonly Remap[]): void {
    const { client, root } = this.connection;
    if (remaps.length === 0) return client.DeleteProperty(root, this.own);
    const words = remaps.flatMap(({ keycode, symbols }) => [keycode, ...symbols]);
    client.ChangeProperty(REPLACE, root, this.own, CARDINAL, 32, words);
  }

  /**
   * Takes over the records of runs that ended without returning their keycodes; call it before the
   * first {@link write}.
   */
  async takeOver(): Promise<Remap[]> {
    const { client, root } = this.connection;
    const atoms = await this.connection.call<number[]>((done) => client.ListProperties(root, done));
    const left = await Promise.all(atoms.map(async (atom) => {
      const name = await this.connection.call<string>((done) => client.GetAtomName(atom, done));
      return await this.#isLeft(atom, name) ? await this.#take(atom) : [];
    }));
    return left.flat();
  }

  #marked(owner: number): this {
    this.connection.client.ChangeProperty(REPLACE, owner, this.alive, CARDINAL, 32, [1]);
    return this;
  }

  /**
   * Whether the run of a record has ended. Window ids are reused: a record under the id of our own
   * new window is also left over.
   */
  async #isLeft(atom: number, name: string): Promise<boolean> {
    const owner = parseOwner(name);
    if (owner === undefined) return false;
    return atom === this.own || !await this.#isAlive(owner);
  }

  async #isAlive(window: number): Promise<boolean> {
    try {
      const { type } = await this.#property(window, this.alive);
      return type === CARDINAL;
    } catch (error) {
      if (!this.connection.connected) throw error;
      return false;
    }
  }

  /** Reads and deletes in one request, so that only one of several new runs gets the record. */
  async #take(atom: number): Promise<Remap[]> {
    const { type, data } = await this.#property(this.connection.root, atom, { take: true });
    if (type !== CARDINAL) return [];
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const words = Array.from(
      { length: data.byteLength / 4 },
      (_, i) => view.getUint32(4 * i, true),
    );
    return Array.from({ length: Math.floor(words.length / WORDS) }, (_, i) => {
      const [keycode, plain, shifted] = words.slice(WORDS * i) as [number, number, number];
      return { keycode, symbols: [plain, shifted] as const };
    });
  }

  #property(
    window: number,
    atom: number,
    { take = false } = {},
  ): Promise<{ type: number; data: Uint8Array }> {
    const { client } = this.connection;
    return this.connection.call((done) =>
      client.GetProperty(take ? 1 : 0, window, atom, CARDINAL, 0, MAX_WORDS, done as never)
    );
  }
}

/** Window ids are reused, which limits the number of atoms that the server must keep. */
function recordName(owner: number): string {
  return `${PROPERTY}_${owner.toString(16)}`;
}

function parseOwner(name: string): number | undefined {
  const owner = name.match(/^_COMPUTER_CONTROL_KEYCODES_([0-9a-f]{1,8})$/)?.[1];
  return owner === undefined ? undefined : parseInt(owner, 16);
}
