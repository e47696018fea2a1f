/**
 * The current meaning of the keys: the server's keyboard map for the active group, and changes by
 * other programs.
 */

import type { XEvent, Xkb, XkbState } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { Keymap, MOD, type Stroke } from "./keymap.ts";
import { getXkbMap, type KeyRow, sameRow, type ServerMap } from "./xkb_map.ts";

export class Layout {
  #map!: ServerMap;
  /** Every key as it is on the server, including the remapped ones. */
  #rows = new Map<number, KeyRow>();
  #keymap!: Keymap;
  #state!: KeyboardState;
  #stale = true;
  /** The group and the locked modifiers for which `#keymap` was built. */
  #madeFor = { group: -1, locked: -1 };
  /** Keycodes that hold our symbols instead of the layout's. */
  readonly #remapped = new Map<number, KeyRow>();
  /** Our own requests, whose notifications are ignored. */
  #ownRequests: ReadonlySet<number> = new Set();
  /**
   * For {@link changedBefore}: the number of our last request that preceded the first change of
   * each kind; 0: none.
   */
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

  /** Whether the known map is still current, according to the events received so far. */
  get fresh(): boolean {
    return !this.#stale && this.#state.current.group === this.#madeFor.group &&
      this.#lockedLevels() === this.#madeFor.locked;
  }

  /** The number of times that the map was read. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Whether another program changed the layout or the group before the request `sequence` was
   * processed.
   */
  changedBefore(sequence: number): boolean {
    return [this.#mapChangedAt, this.#groupChangedAt].some((at) => at !== 0 && at < sequence);
  }

  /** Resets the changes that {@link changedBefore} reports. */
  forgetChanges(): void {
    this.#mapChangedAt = this.#groupChangedAt = 0;
  }

  /** Reads the map again if it is out of date. */
  async refresh(): Promise<void> {
    while (this.#stale) {
      this.#stale = false; // set before the request, so that a later change is not missed
      const previous = this.#rows;
      this.#map = await getXkbMap(this.connection, this.xkb);
      this.#rows = new Map(this.#map.rows);
      this.#generation++;
      for (const [keycode, row] of this.#remapped) {
        if (!sameRow(row, this.keyRow(keycode))) this.#remapped.delete(keycode);
      }
      this.#makeKeymap();
      // only another device with the same keys was used
      if (sameMaps(previous, this.#rows)) this.#mapChangedAt = 0;
    }
    if (!this.fresh) this.#makeKeymap();
  }

  markStale(): void {
    this.#stale = true;
  }

  /** A key as it is on the server, according to what was read and written so far. */
  keyRow(keycode: number): KeyRow | undefined {
    return this.#rows.get(keycode);
  }

  /** Keycodes that hold our symbols, without those that another program has changed since. */
  get remapped(): ReadonlySet<number> {
    return new Set(this.#remapped.keys());
  }

  get free(): readonly number[] {
    return [...this.#rows.values()].filter((row) =>
      row.keysyms.every((keysym) => keysym === 0) && !this.#remapped.has(row.keycode) &&
      this.#keymap.realModifiers(row.keycode) === 0
    ).map(({ keycode }) => keycode);
  }

  /** Marks the notifications of these requests as caused by our own changes. */
  expect(requests: readonly number[]): void {
    this.#ownRequests = new Set(requests);
  }

  /**
   * Records the written rows: with `remapped` they hold our symbols, otherwise they belong to the
   * layout again.
   */
  noteWritten(rows: readonly KeyRow[], { remapped }: { readonly remapped: boolean }): void {
    for (const row of rows) {
      this.#rows.set(row.keycode, row);
      if (remapped) this.#remapped.set(row.keycode, row);
      else this.#remapped.delete(row.keycode);
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
    this.#keymap = new Keymap(this.#map, { group, locked, scratch: this.remapped });
    this.#madeFor = { group, locked };
  }

  /**
   * The locked modifiers that count as held. Caps Lock does not: single keys ignore it, and texts
   * are typed with it off.
   */
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

// Tracks the keyboard state (modifiers, group) and changes of the keyboard map through XKB events.

/** XkbNewKeyboardNotify and XkbMapNotify. */
const MAP_EVENTS: ReadonlySet<number> = new Set([0, 1]);
/** The state changes to report: base, latched and locked modifiers, effective group. */
const STATE_DETAILS = 0x02 | 0x04 | 0x08 | 0x10;
const ALL = 0xffff;
/** XkbAllStateEventsMask: the server refuses other bits. */
const ALL_STATE_DETAILS = 0x3fff;

/** Receives changes, each with the number of our last request that the server had processed. */
interface KeyboardListener {
  /** Key symbols were changed, or the keyboard was replaced. */
  mapChanged(request: number): void;
  /** Another group became active. */
  groupChanged(request: number): void;
}

export class KeyboardState {
  #state: XkbState = { baseMods: 0, lockedMods: 0, latchedMods: 0, group: 0 };

  private constructor(
    private readonly connection: X11Connection,
    private readonly xkb: Xkb,
    private readonly listener: KeyboardListener,
  ) {}

  static async open(
    connection: X11Connection,
    xkb: Xkb,
    listener: KeyboardListener,
  ): Promise<KeyboardState> {
    const keyboard = new KeyboardState(connection, xkb, listener);
    const { NewKeyboardNotify, MapNotify, StateNotify } = xkb.EventType;
    const always = NewKeyboardNotify! | MapNotify!;
    xkb.SelectEvents(xkb.UseCoreKbd, always | StateNotify!, 0, always, ALL, ALL, {
      stateNotify: [ALL_STATE_DETAILS, STATE_DETAILS],
    });
    connection.onEvent((event) => keyboard.#handle(event));
    await keyboard.refresh();
    return keyboard;
  }

  /** The state according to the events received so far. */
  get current(): XkbState {
    return this.#state;
  }

  /** Queries the server; all its earlier events have been handled when this resolves. */
  async refresh(): Promise<XkbState> {
    const { baseMods, lockedMods, latchedMods, group } = await this.connection.call<XkbState>(
      (done) => this.xkb.GetState(this.xkb.UseCoreKbd, done),
    );
    return this.#state = { baseMods, lockedMods, latchedMods, group };
  }

  /** Locks or unlocks the modifiers of `mask` and ends latches (sticky keys). */
  lock(mask: number, on: boolean): void {
    const { UseCoreKbd } = this.xkb;
    this.xkb.LatchLockState(UseCoreKbd, mask, on ? mask : 0, false, 0, 0xff, 0, false, 0);
  }

  #handle(event: XEvent): void {
    if (event.name === "XkbStateNotify") {
      const { baseMods, lockedMods, latchedMods, group } = event;
      if (group !== this.#state.group) this.listener.groupChanged(event.seq);
      this.#state = { baseMods, lockedMods, latchedMods, group };
    } else if (event.name === "XkbEvent" && MAP_EVENTS.has(event.xkbType)) {
      this.listener.mapChanged(event.seq);
    }
  }
}

// Where a Latin letter is when no layout has it.

/**
 * The rows of the US layout by the keycode of their first key, which is the same on every PC
 * keyboard.
 */
const US_ROWS: readonly (readonly [first: number, characters: string])[] = [
  [10, "1234567890-="],
  [24, "qwertyuiop[]"],
  [38, "asdfghjkl;'`"],
  [51, "\\zxcvbnm,./"],
];

export function usStroke(keysym: number): Stroke | undefined {
  const character = String.fromCharCode(keysym);
  for (const [first, characters] of US_ROWS) {
    const index = characters.indexOf(character);
    if (index >= 0) return { keycode: first + index, mods: 0 };
  }
  return undefined;
}
