/** What the keys mean now: the server's keyboard map for the active group, and when another program changed it. */

import type { Xkb } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { KeyboardState } from "./keyboard_state.ts";
import { Keymap, MOD } from "./keymap.ts";
import { getXkbMap, type KeyRow, type ServerMap } from "./xkb_map.ts";
import { sameRow } from "./xkb_set_map.ts";

export class Layout {
  #map!: ServerMap;
  /** Every key as the server has it, with what is lent. */
  #rows = new Map<number, KeyRow>();
  #keymap!: Keymap;
  #state!: KeyboardState;
  #stale = true;
  /** Group and locked modifiers for which `#keymap` was made. */
  #madeFor = { group: -1, locked: -1 };
  /** Keycodes whose symbols are ours and not the layout's. */
  readonly #lent = new Map<number, KeyRow>();
  /** Requests of ours whose notifications tell nothing new. */
  #ownRequests: ReadonlySet<number> = new Set();
  /** The numbers of the requests before the first changes that {@link changedBefore} tells of. */
  #mapChangedAt = 0;
  #groupChangedAt = 0;
  #generation = 0;

  private constructor(private readonly connection: X11Connection, private readonly xkb: Xkb) {}

  static async open(connection: X11Connection, xkb: Xkb): Promise<Layout> {
    const layout = new Layout(connection, xkb);
    layout.#state = await KeyboardState.open(connection, xkb, {
      mapChanged: (request) => layout.#mapChanged(request),
      groupChanged: (request) => layout.#groupChangedAt ||= request,
    });
    await layout.refresh();
    return layout;
  }

  get keymap(): Keymap {
    return this.#keymap;
  }

  get state(): KeyboardState {
    return this.#state;
  }

  /** Whether what is known of the keyboard is still true, as far as the server has told. */
  get fresh(): boolean {
    return !this.#stale && this.#state.current.group === this.#madeFor.group &&
      this.#lockedLevels() === this.#madeFor.locked;
  }

  /** Counts how often the map was read. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether another program changed the layout or the group before the request `sequence` was processed. */
  changedBefore(sequence: number): boolean {
    return [this.#mapChangedAt, this.#groupChangedAt].some((at) => at !== 0 && at < sequence);
  }

  /** Forgets the changes that {@link changedBefore} tells of. */
  forgetChanges(): void {
    this.#mapChangedAt = this.#groupChangedAt = 0;
  }

  /** Reads the map again if it is no longer true. */
  async refresh(): Promise<void> {
    while (this.#stale) {
      this.#stale = false; // before the request: a change after it must not be missed
      const previous = this.#rows;
      this.#map = await getXkbMap(this.connection, this.xkb);
      this.#rows = new Map(this.#map.rows);
      this.#generation++;
      for (const [keycode, row] of this.#lent) {
        if (!sameRow(row, this.rowOf(keycode))) this.#lent.delete(keycode);
      }
      this.#makeKeymap();
      // another device whose keys are the same ones was used
      if (sameMaps(previous, this.#rows)) this.#mapChangedAt = 0;
    }
    if (!this.fresh) this.#makeKeymap();
  }

  markStale(): void {
    this.#stale = true;
  }

  /** A key as the server has it, as far as it has told. */
  rowOf(keycode: number): KeyRow | undefined {
    return this.#rows.get(keycode);
  }

  /** Keycodes that have symbols of ours: those that another program has changed meanwhile are no longer among them. */
  get lent(): ReadonlySet<number> {
    return new Set(this.#lent.keys());
  }

  /** Keycodes that are free to be lent. */
  get free(): readonly number[] {
    return [...this.#rows.values()].filter((row) =>
      row.keysyms.every((keysym) => keysym === 0) && !this.#lent.has(row.keycode) &&
      this.#keymap.modifiersOf(row.keycode) === 0
    ).map(({ keycode }) => keycode);
  }

  /** The notifications of these requests are about our own changes. */
  expect(requests: readonly number[]): void {
    this.#ownRequests = new Set(requests);
  }

  /** Notes what was written: `lent` rows hold symbols of ours, the others are the layout's again. */
  noteWritten(rows: readonly KeyRow[], { lent }: { readonly lent: boolean }): void {
    for (const row of rows) {
      this.#rows.set(row.keycode, row);
      if (lent) this.#lent.set(row.keycode, row);
      else this.#lent.delete(row.keycode);
    }
  }

  #mapChanged(request: number): void {
    if (this.#ownRequests.has(request)) return;
    this.#stale = true;
    this.#mapChangedAt ||= request;
  }

  #makeKeymap(): void {
    const { group } = this.#state.current;
    const locked = this.#lockedLevels();
    this.#keymap = new Keymap(this.#map, { group, locked, spare: this.lent });
    this.#madeFor = { group, locked };
  }

  /** Locked modifiers that count as held; Caps Lock does not: a key is the key, and texts are typed with it off. */
  #lockedLevels(): number {
    return this.#state.current.lockedMods & ~MOD.lock;
  }
}

function sameMaps(
  a: ReadonlyMap<number, KeyRow>,
  b: ReadonlyMap<number, KeyRow>,
): boolean {
  return a.size === b.size && [...a].every(([keycode, row]) => sameRow(row, b.get(keycode)));
}
