/**
 * Which spare keycodes this run has lent, as a property of the root window, so that the next run gives them
 * back if this one is killed. Every run has a property of its own, named after a window that lives as long as
 * its connection: nothing is read and changed, so that nothing must be locked.
 */

import type { X11Connection } from "./connection.ts";
import type { Remap } from "./spare_keys.ts";

const PROPERTY = "_COMPUTER_CONTROL_KEYCODES";
const CARDINAL = 6;
const REPLACE = 0;
/** Of four bytes: for each keycode itself and its two symbols. */
const MAX_WORDS = 768;
const WORDS = 3;
const INPUT_ONLY = 2;

export class KeycodeRecord {
  private constructor(
    private readonly connection: X11Connection,
    /** On the window: the sign that its run is alive. */
    private readonly alive: number,
    /** On the root window: what this run has lent. */
    private readonly own: number,
  ) {}

  static async open(connection: X11Connection): Promise<KeycodeRecord> {
    const { client, root } = connection;
    const owner = client.AllocID();
    const intern = (name: string) =>
      connection.call<number>((done) => client.InternAtom(false, name, done));
    const [alive, own] = await Promise.all([intern(PROPERTY), intern(recordName(owner))]);
    client.CreateWindow(owner, root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {});
    return new KeycodeRecord(connection, alive, own).#marked(owner);
  }

  /** Notes what this run has lent now. */
  write(remaps: readonly Remap[]): void {
    const { client, root } = this.connection;
    if (remaps.length === 0) return client.DeleteProperty(root, this.own);
    const words = remaps.flatMap(({ keycode, symbols }) => [keycode, ...symbols]);
    client.ChangeProperty(REPLACE, root, this.own, CARDINAL, 32, words);
  }

  /** Takes over what runs have left that have ended without giving it back; to be called before the first {@link write}. */
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

  /** The number of a window is given again to others: what bears that of our own new one is left over. */
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

  /** Reads and deletes at once, so that only one of several new runs gets it. */
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

/** The numbers of windows are given again, so that the server need not keep ever more names. */
function recordName(owner: number): string {
  return `${PROPERTY}_${owner.toString(16)}`;
}

function parseOwner(name: string): number | undefined {
  const owner = name.match(/^_COMPUTER_CONTROL_KEYCODES_([0-9a-f]{1,8})$/)?.[1];
  return owner === undefined ? undefined : parseInt(owner, 16);
}
