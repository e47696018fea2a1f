/**
 * Writes spare keycodes into the server's map: all of them in one request, so that programs (a window manager
 * reads all its shortcuts again) are notified once for a whole text. Such a request covers the keys between
 * them, too; the map is read in the same packet, and what another program changed just then is put back.
 */

import { Buffer } from "node:buffer";
import type { Callback, Xkb } from "./client.ts";
import type { X11Connection } from "./connection.ts";
import { requireExtension } from "./extensions.ts";
import type { Layout } from "./layout.ts";
import { getKeyRows, type KeycodeRange, type KeyRow } from "./xkb_map.ts";
import { sameRow, setKeyRows } from "./xkb_set_map.ts";

/** X Input Extension, version 1: `use` of a keyboard that is attached to the core keyboard. */
const EXTENSION_KEYBOARD = 3;

interface XInput {
  ListInputDevices(
    callback: Callback<readonly { readonly id: number; readonly use: number }[]>,
  ): void;
}

const MAPPING_NOTIFY = 34;
const MAPPING_KEYBOARD = 1;
/** The destination `InputFocus` of SendEvent. */
const INPUT_FOCUS = 1;

export class MapWriter {
  /** Devices whose keys are the core keyboard's, or `undefined` where they differ and only single keycodes are written. */
  #alike: readonly number[] | undefined;
  /** The state of the layout for which that was found out. */
  #knownFor = -1;
  /** Whether this server takes a range of keys as it has told them itself. */
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
   * Writes rows, in order of their keycodes.
   * @returns `false` when another program was changing the map: then nothing of it stays.
   */
  async write(rows: readonly KeyRow[], how: { readonly lent: boolean }): Promise<boolean> {
    if (rows.length === 0) return true;
    await this.#compareDevices();
    if (!this.layout.fresh) return false;
    const device = this.xkb.UseCoreKbd;
    const range = keycodeRange(rows);
    const before = this.#rowsIn(range);
    const devices = [device, ...this.#alike ?? []];
    const found = devices.map((each) => this.#read(each, range));
    const lentBefore = rows.filter(({ keycode }) => this.layout.lent.has(keycode));
    const restored = lentBefore.map(({ keycode }) => this.layout.rowOf(keycode)!);
    this.layout.noteWritten(rows, how);
    this.layout.expect(this.#send(rows, range));
    const written = this.#read(device, range);
    const answers = await Promise.all(found);
    if (answers.some((answer) => answer !== undefined && !sameRows(answer, before))) {
      this.#putBack(devices, answers, rows);
      this.layout.noteWritten(restored, { lent: true }); // as far as they are still there
      return false;
    }
    if (holds(await written, rows)) return true;
    this.#takesRanges = false;
    this.#knownFor = -1;
    this.layout.markStale();
    return false;
  }

  /** @returns the numbers of the requests. */
  #send(rows: readonly KeyRow[], range: KeycodeRange): number[] {
    const parts = this.#alike === undefined ? splitIntoRuns(rows) : [this.#rowsIn(range)];
    const device = this.xkb.UseCoreKbd;
    return parts.map((part) => setKeyRows(this.connection, this.xkb, { device, rows: part }));
  }

  /**
   * Chromium follows new keyboards only and not their changed symbols; told by this core event, it reads the map
   * again. It goes to the program that has the focus and to no other, in the order of the keys.
   */
  notifyFocused(): void {
    const { client, setup } = this.connection;
    const event = Buffer.alloc(32);
    event[0] = MAPPING_NOTIFY;
    event[4] = MAPPING_KEYBOARD;
    event[5] = setup.min_keycode;
    event[6] = setup.max_keycode - setup.min_keycode + 1;
    client.SendEvent(INPUT_FOCUS, false, 0, event);
  }

  /** Writing the core keyboard writes the attached ones: one with a layout of its own must keep it. */
  async #compareDevices(): Promise<void> {
    if (this.#knownFor === this.layout.generation) return;
    const { generation } = this.layout;
    this.#alike = undefined;
    if (this.xinput !== undefined && this.#takesRanges) {
      const { min_keycode: first, max_keycode: last } = this.connection.setup;
      const range = { first, count: last - first + 1 };
      const all = await this.connection.call<readonly { id: number; use: number }[]>((done) =>
        this.xinput!.ListInputDevices(done as never)
      );
      const devices = all.filter(({ use }) => use === EXTENSION_KEYBOARD).map(({ id }) => id);
      const answers = await Promise.all(devices.map((id) => this.#read(id, range)));
      const own = this.#rowsIn(range);
      if (answers.every((answer) => answer === undefined || sameRows(answer, own))) {
        this.#alike = devices;
      }
    }
    this.#knownFor = generation;
  }

  /** Nothing of a device that has gone meanwhile. */
  async #read(device: number, range: KeycodeRange): Promise<readonly KeyRow[] | undefined> {
    try {
      return await getKeyRows(this.connection, this.xkb, { device, range });
    } catch (error) {
      if (!this.connection.connected) throw error;
      return undefined;
    }
  }

  /** What every device had before; where single keycodes were written, those. */
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
    return Array.from({ length: count }, (_, i) => this.layout.rowOf(first + i)!);
  }
}

function keycodeRange(rows: readonly KeyRow[]): KeycodeRange {
  const first = rows[0]!.keycode;
  return { first, count: rows.at(-1)!.keycode - first + 1 };
}

/** Rows whose keycodes follow one another. */
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
