/**
 * A property of the root window that lists the spare keycodes in use and their owner, so that those of a
 * crashed run are given back. Four words each: the owner's window, the keycode, its two symbols.
 */

import type { XClient } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import type { Remap } from "./spare_keys.ts";

const PROPERTY = "_COMPUTER_CONTROL_KEYCODES";
const CARDINAL = 6;
const REPLACE = 0;
const MAX_WORDS = 4096;
const INPUT_ONLY = 2;

interface Entry {
  readonly owner: number;
  readonly keycode: number;
  readonly symbols: readonly [number, number];
}

export class KeycodeRecord {
  private constructor(
    private readonly connection: X11Connection,
    private readonly property: number,
    /** A window that lives as long as the connection: with the property on it the sign that this run is alive. */
    private readonly owner: number,
  ) {}

  static async open(connection: X11Connection): Promise<KeycodeRecord> {
    const { client, root } = connection;
    const property = await connection.call<number>((done) =>
      client.InternAtom(false, PROPERTY, done)
    );
    const owner = client.AllocID();
    client.CreateWindow(owner, root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {});
    client.ChangeProperty(REPLACE, owner, property, CARDINAL, 32, [owner]);
    return new KeycodeRecord(connection, property, owner);
  }

  /** Notes what this run has mapped now; nothing when `remaps` is empty. */
  async write(remaps: readonly Remap[]): Promise<void> {
    await this.#locked(async (client) => {
      const others = (await this.#read()).filter((entry) => entry.owner !== this.owner);
      this.#replace(client, [...others, ...remaps.flatMap((remap) => this.#entries(remap))]);
    });
  }

  /** Unmaps the keycodes of runs that have ended without doing so; to be called before the first {@link write}. */
  async reclaim(symbolsOf: (keycode: number) => readonly number[]): Promise<boolean> {
    let reclaimed = false;
    await this.#locked(async (client) => {
      const alive: Entry[] = [];
      for (const entry of await this.#read()) {
        if (await this.#isAlive(entry.owner)) alive.push(entry);
        else if (sameSymbols(symbolsOf(entry.keycode), entry.symbols)) {
          client.ChangeKeyboardMapping(entry.keycode, 2, [0, 0]);
          reclaimed = true;
        }
      }
      this.#replace(client, alive);
    });
    return reclaimed;
  }

  async #locked(body: (client: XClient) => Promise<void>): Promise<void> {
    const { client } = this.connection;
    client.GrabServer(); // read, change, write: no other run in between
    try {
      await body(client);
    } finally {
      if (this.connection.connected) client.UngrabServer();
    }
  }

  async #read(): Promise<Entry[]> {
    const { client, root } = this.connection;
    const { type, data } = await this.connection.call<{ type: number; data: Uint8Array }>(
      (done) => client.GetProperty(0, root, this.property, CARDINAL, 0, MAX_WORDS, done as never),
    );
    if (type !== CARDINAL) return [];
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const entries: Entry[] = [];
    for (let at = 0; at + 16 <= data.byteLength; at += 16) {
      const [owner, keycode, plain, shifted] = [0, 4, 8, 12].map((offset) =>
        view.getUint32(at + offset, true)
      ) as [number, number, number, number];
      entries.push({ owner, keycode, symbols: [plain, shifted] });
    }
    return entries;
  }

  #replace(client: XClient, entries: readonly Entry[]): void {
    const words = entries.flatMap(({ owner, keycode, symbols }) => [owner, keycode, ...symbols]);
    client.ChangeProperty(REPLACE, this.connection.root, this.property, CARDINAL, 32, words);
  }

  #entries({ first, keysyms }: Remap): Entry[] {
    return Array.from({ length: keysyms.length / 2 }, (_, i) => ({
      owner: this.owner,
      keycode: first + i,
      symbols: [keysyms[2 * i]!, keysyms[2 * i + 1]!] as const,
    }));
  }

  /** The number of a window is given again to others: it must be marked, and it must not be our own new one. */
  async #isAlive(window: number): Promise<boolean> {
    if (window === this.owner) return false;
    const { client } = this.connection;
    try {
      const { type } = await this.connection.call<{ type: number }>((done) =>
        client.GetProperty(0, window, this.property, CARDINAL, 0, 1, done as never)
      );
      return type === CARDINAL;
    } catch (error) {
      if (!this.connection.connected) throw error;
      return false;
    }
  }
}

function sameSymbols(found: readonly number[], recorded: readonly [number, number]): boolean {
  const [plain = 0, shifted = plain] = found;
  return plain === recorded[0] && (shifted === recorded[1] || found.length === 1);
}
