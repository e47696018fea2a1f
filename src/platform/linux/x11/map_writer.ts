/**
 * Writes scratch keycodes into the server's keyboard map, all in one request, so that programs are
 * notified once per text (a window manager reads all its shortcuts again each time). Such a request
 * also covers the keys in between. The map is therefore read in the same packet, and a change that
 * another program made just then is written back.
 */

import { PREDEFINED, REPLACE, type Xkb } from "./client.ts";
import { listKeyboards, requireExtension, type X11Connection, type XInput } from "./connection.ts";
import type { Layout } from "./layout.ts";
import type { Remap } from "./scratch_keys.ts";
import { createHiddenWindow, internAtom, readWords } from "./window_queries.ts";
import { getKeyRows, type KeycodeRange, type KeyRow, sameRow, setKeyRows } from "./xkb_map.ts";

const MAPPING_KEYBOARD = 1;
/** The destination `InputFocus` of SendEvent. */
const INPUT_FOCUS = 1;

export class MapWriter {
  /**
   * The devices that have the same keys as the core keyboard. `undefined` when devices differ: then
   * only single keycodes are written.
   */
  #alike: readonly number[] | undefined;
  /** The generation of the layout for which `#alike` was determined. */
  #knownFor = -1;
  /** Whether this server accepts a range of keys in the form in which it reported them. */
  #takesRanges = true;

  private constructor(
    private readonly connection: X11Connection,
    private readonly xkb: Xkb,
    private readonly layout: Layout,
    private readonly xinput: XInput | undefined,
  ) {}

  static async open(connection: X11Connection, xkb: Xkb, layout: Layout): Promise<MapWriter> {
    const xinput = await requireExtension<XInput>(connection, "xinput");
    return new MapWriter(connection, xkb, layout, xinput);
  }

  /**
   * Writes rows that are sorted by keycode.
   * @returns `false` when another program changed the map meanwhile: then nothing of the write
   *   remains.
   */
  async write(rows: readonly KeyRow[], how: { readonly remapped: boolean }): Promise<boolean> {
    if (rows.length === 0) return true;
    await this.#compareDevices();
    if (!this.layout.fresh) return false;
    const device = this.xkb.UseCoreKbd;
    const range = keycodeRange(rows);
    const before = this.#rowsIn(range);
    const devices = [device, ...this.#alike ?? []];
    const found = devices.map((each) => this.#read(each, range));
    const remappedBefore = rows.filter(({ keycode }) => this.layout.remapped.has(keycode));
    const restored = remappedBefore.map(({ keycode }) => this.layout.keyRow(keycode)!);
    this.layout.noteWritten(rows, how);
    this.layout.expect(this.#send(rows, range));
    const [answers, written] = await Promise.all([Promise.all(found), this.#read(device, range)]);
    if (answers.some((answer) => answer !== undefined && !sameRows(answer, before))) {
      this.#putBack(devices, answers, rows);
      this.layout.noteWritten(restored, { remapped: true }); // those that still exist
      return false;
    }
    if (holds(written, rows)) return true;
    this.#takesRanges = false;
    this.#knownFor = -1;
    this.layout.markStale();
    return false;
  }

  /** @returns the sequence numbers of the requests. */
  #send(rows: readonly KeyRow[], range: KeycodeRange): number[] {
    const parts = this.#alike === undefined ? splitIntoRuns(rows) : [this.#rowsIn(range)];
    const device = this.xkb.UseCoreKbd;
    return parts.map((part) => setKeyRows(this.connection, this.xkb, { device, rows: part }));
  }

  /**
   * Chromium notices new keyboards but not changed symbols; this core event makes it read the map
   * again. It is sent only to the program that has the focus, in order with the keys.
   */
  notifyFocused(): void {
    const { client, setup: { min_keycode: firstKeyCode, max_keycode } } = this.connection;
    const changed = { firstKeyCode, count: max_keycode - firstKeyCode + 1 };
    const event = { name: "MappingNotify", request: MAPPING_KEYBOARD, ...changed };
    client.SendEvent(INPUT_FOCUS, false, 0, event);
  }

  /**
   * Compares the attached keyboards with the core keyboard: a write to the core keyboard is applied
   * to them as well, and one with a different layout must keep it.
   */
  async #compareDevices(): Promise<void> {
    if (this.#knownFor === this.layout.generation) return;
    const { generation } = this.layout;
    this.#alike = undefined;
    if (this.xinput !== undefined && this.#takesRanges) {
      const { min_keycode: first, max_keycode: last } = this.connection.setup;
      const range = { first, count: last - first + 1 };
      const devices = (await listKeyboards(this.connection, this.xinput)).map(({ id }) => id);
      const answers = await Promise.all(devices.map((id) => this.#read(id, range)));
      const own = this.#rowsIn(range);
      if (answers.every((answer) => answer === undefined || sameRows(answer, own))) {
        this.#alike = devices;
      }
    }
    this.#knownFor = generation;
  }

  /** Reads the rows of a device; `undefined` when the device has disappeared. */
  #read(device: number, range: KeycodeRange): Promise<readonly KeyRow[] | undefined> {
    return this.connection.unlessGone(getKeyRows(this.connection, this.xkb, { device, range }));
  }

  /**
   * Restores the earlier rows of every device; if only single keycodes were written, just those.
   */
  #putBack(
    devices: readonly number[],
    answers: readonly (readonly KeyRow[] | undefined)[],
    written: readonly KeyRow[],
  ): void {
    const keycodes = new Set(written.map(({ keycode }) => keycode));
    answers.forEach((answer, index) => {
      const rows = this.#alike ? answer : answer?.filter(({ keycode }) => keycodes.has(keycode));
      for (const run of splitIntoRuns(rows ?? [])) {
        setKeyRows(this.connection, this.xkb, { device: devices[index]!, rows: run });
      }
    });
    this.layout.markStale();
  }

  #rowsIn({ first, count }: KeycodeRange): KeyRow[] {
    return Array.from({ length: count }, (_, i) => this.layout.keyRow(first + i)!);
  }
}

function keycodeRange(rows: readonly KeyRow[]): KeycodeRange {
  const first = rows[0]!.keycode;
  return { first, count: rows.at(-1)!.keycode - first + 1 };
}

/** Groups rows with consecutive keycodes. */
function splitIntoRuns(rows: readonly KeyRow[]): KeyRow[][] {
  const runs: KeyRow[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last !== undefined && last.at(-1)!.keycode === row.keycode - 1) last.push(row);
    else runs.push([row]);
  }
  return runs;
}

function holds(found: readonly KeyRow[] | undefined, rows: readonly KeyRow[]): boolean {
  const byKeycode = new Map(found?.map((row) => [row.keycode, row]));
  return rows.every((row) => sameRow(row, byKeycode.get(row.keycode)));
}

function sameRows(a: readonly KeyRow[], b: readonly KeyRow[]): boolean {
  return a.length === b.length && a.every((row, i) => sameRow(row, b[i]));
}

// Records the scratch keycodes that this run has remapped in a property of the root window, so that
// the next run restores them if this one is killed. Each run has its own property, named after a
// window that exists as long as its connection. There is no read-modify-write, so no lock is needed.

const PROPERTY = "_COMPUTER_CONTROL_KEYCODES";
/** In four-byte words: each keycode takes one for itself and one for each of its two symbols. */
const MAX_WORDS = 768;
const WORDS = 3;
const TAKE = { take: true };

export class KeycodeRecord {
  private constructor(
    private readonly connection: X11Connection,
    /** The property of the window: it shows that its run is alive. */
    private readonly alive: number,
    /** The property of the root window: the keycodes that this run has remapped. */
    private readonly own: number,
  ) {}

  static async open(connection: X11Connection): Promise<KeycodeRecord> {
    const { client } = connection;
    const owner = client.AllocID();
    const [alive, own] = await Promise.all([
      internAtom(connection, PROPERTY),
      // window ids are reused, which limits the number of atoms that the server must keep
      internAtom(connection, `${PROPERTY}_${owner.toString(16)}`),
    ]);
    createHiddenWindow(connection, {}, owner);
    client.ChangeProperty(REPLACE, owner, alive, PREDEFINED.CARDINAL, 32, [1]);
    return new KeycodeRecord(connection, alive, own);
  }

  /** Records the keycodes that are remapped now. */
  write(remaps: readonly Remap[]): void {
    const { client, root } = this.connection;
    if (remaps.length === 0) return client.DeleteProperty(root, this.own);
    const words = remaps.flatMap(({ keycode, symbols }) => [keycode, ...symbols]);
    client.ChangeProperty(REPLACE, root, this.own, PREDEFINED.CARDINAL, 32, words);
  }

  /**
   * Takes over the records of runs that ended without returning their keycodes; call it before the
   * first {@link write}. Until that they are in the record of this run, which may be cut off, too.
   */
  async takeOver(): Promise<Remap[]> {
    const atoms = await this.connection.request("ListProperties", this.connection.root);
    const areLeft = await Promise.all(atoms.map(async (atom) => {
      const name = await this.connection.request("GetAtomName", atom);
      return await this.#isLeft(atom, name);
    }));
    const left = atoms.filter((_, index) => areLeft[index]);
    if (left.length === 0) return [];
    const found = await Promise.all(left.map((atom) => this.#read(atom)));
    this.write(found.flat());
    const taken = await Promise.all(
      left.map((atom, index) => atom === this.own ? found[index]! : this.#read(atom, TAKE)),
    );
    this.write(taken.flat());
    return taken.flat();
  }

  /**
   * Whether the run of a record has ended. Window ids are reused: a record under the id of our own
   * new window is also left over.
   */
  async #isLeft(atom: number, name: string): Promise<boolean> {
    const owner = name.match(/^_COMPUTER_CONTROL_KEYCODES_([0-9a-f]{1,8})$/)?.[1];
    if (owner === undefined) return false;
    if (atom === this.own) return true;
    const asked = this.#property(parseInt(owner, 16), this.alive);
    return (await this.connection.unlessGone(asked))?.type !== PREDEFINED.CARDINAL;
  }

  /** Reads, with `take` deletes in the same request, so that only one of several new runs gets the record. */
  async #read(atom: number, how: { readonly take?: boolean } = {}): Promise<Remap[]> {
    const { type, data } = await this.#property(this.connection.root, atom, how);
    if (type !== PREDEFINED.CARDINAL) return [];
    const words = readWords(data);
    return Array.from({ length: Math.floor(words.length / WORDS) }, (_, i) => {
      const [keycode, plain, shifted] = words.slice(WORDS * i) as [number, number, number];
      return { keycode, symbols: [plain, shifted] as const };
    });
  }

  #property(window: number, atom: number, { take = false } = {}) {
    const asked = [window, atom, PREDEFINED.CARDINAL, 0, MAX_WORDS] as const;
    return this.connection.request("GetProperty", take ? 1 : 0, ...asked);
  }
}
