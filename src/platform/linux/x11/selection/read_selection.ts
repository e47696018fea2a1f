/** Asks the owner of a selection for one type, and takes it at once or in pieces (ICCCM, 2.4 and 2.7.2). */

import { within } from "../../../../core/deadline.ts";
import { ServiceError, throwUnless } from "../../../../core/errors.ts";
import type { Parts } from "../../../types/mod.ts";
import { tooLarge, type TypeReading, unresponsiveOwner } from "../../clipboard/typed_clipboard.ts";
import {
  ANY_TYPE,
  CURRENT_TIME,
  EVENT_MASK,
  isXError,
  NEW_VALUE,
  NONE,
  type RequestAnswer,
  type XEvent,
} from "../client.ts";
import type { X11Connection } from "../connection.ts";
import { createHiddenWindow, internAtom, readWords } from "../window_queries.ts";

/** In units of four bytes: what a reply carries at most, so that none keeps the thread busy. */
const PIECE_WORDS = 64 * 1024;

interface Property {
  /** `None` where there is no such property. */
  readonly type: number;
  readonly parts: Parts;
  readonly size: number;
}

/** An id of a destroyed window is free after so many others: late answers for it have come then. */
const QUARANTINED_IDS = 1_000;

/** One conversion, into a property of a window of this service. */
interface Conversion extends TypeReading {
  readonly window: number;
  readonly property: number;
  readonly events: EventQueue;
}

/** Reads the clipboard by one connection; resource ids are few, so that windows are used again. */
export class SelectionReader {
  /** Windows that no conversion uses. */
  readonly #unused: number[] = [];
  /** Ids of those that were destroyed, because answers were still to come; the first is the oldest. */
  readonly #destroyed: number[] = [];

  constructor(
    private readonly connection: X11Connection,
    private readonly atoms: SelectionAtoms,
  ) {}

  /**
   * `undefined` where the owner refuses, or there is none.
   * @throws ServiceError `timed_out`, `too_large`, `unavailable`; the signal's reason
   */
  async read(target: number, reading: TypeReading): Promise<Property | undefined> {
    const { connection, atoms: { CLIPBOARD, _COMPUTER_CONTROL_SELECTION: property } } = this;
    const { client } = connection;
    const window = this.#unused.pop() ?? this.#createWindow();
    using events = new EventQueue(
      connection,
      (event) => isNotice(event, window) || isNewValue(event, window, property),
    );
    try {
      client.ConvertSelection(window, CLIPBOARD, target, property, CURRENT_TIME);
      client.pack_stream.flush();
      const conversion = { ...reading, window, property, events };
      const notice = await nextNotice(conversion, target);
      const read = notice.property === NONE ? undefined : await this.#takeAll(conversion);
      this.#unused.push(window);
      return read;
    } catch (error) {
      // this notifies a program that is still sending that nobody takes it
      if (connection.connected) client.DestroyWindow(window);
      this.#destroyed.push(window);
      throw error;
    }
  }

  #createWindow(): number {
    const isFree = this.#destroyed.length > QUARANTINED_IDS;
    const id = isFree ? this.#destroyed.shift() : undefined;
    return createHiddenWindow(this.connection, { eventMask: EVENT_MASK.propertyChange }, id);
  }

  async #takeAll(conversion: Conversion): Promise<Property> {
    const { maxBytes, events } = conversion;
    const first = await this.#take(conversion, maxBytes, () => events.clear());
    if (first.type !== this.atoms.INCR) return first;
    const [least = 0] = first.parts.flatMap(readWords); // of what will come
    if (least > maxBytes) throw tooLarge(maxBytes);
    return await this.#readPieces(conversion);
  }

  async #readPieces(conversion: Conversion): Promise<Property> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let [type, size] = [NONE, 0];
    while (true) {
      await conversion.events.next(conversion);
      const piece = await this.#take(conversion, conversion.maxBytes - size);
      if (piece.type === NONE) continue; // it has been read together with the one before
      if (piece.size === 0) return { type, parts, size };
      type = piece.type;
      size += piece.size;
      parts.push(...piece.parts);
    }
  }

  /** Reads a property and deletes it, which notifies the owner that it has been taken. */
  async #take(
    { window, property, maxBytes }: Conversion,
    room: number,
    atFirst?: () => void,
  ): Promise<Property> {
    const { connection } = this;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let [size, begun] = [0, atFirst];
    while (true) {
      const asked = [1, window, property, ANY_TYPE, size >> 2, PIECE_WORDS] as const;
      const { type, data, bytesAfter } = await connection.call<RequestAnswer<"GetProperty">>(
        (done) =>
          connection.client.GetProperty(...asked, (error, result) => {
            begun?.(); // in the order of the events: what comes later belongs to the next piece
            begun = undefined;
            return done(error, result);
          }),
      );
      size += data.length;
      if (data.length > 0) parts.push(data);
      if (size + bytesAfter > room) throw tooLarge(maxBytes);
      if (bytesAfter === 0) return { type, parts, size };
    }
  }
}

async function nextNotice(conversion: Conversion, target: number): Promise<XEvent> {
  while (true) {
    const event = await conversion.events.next(conversion);
    if (event.name === "SelectionNotify" && event.target === target) return event;
  }
}

export function isNotice(event: XEvent, window: number): boolean {
  return event.name === "SelectionNotify" && event.requestor === window;
}

export function isNewValue(event: XEvent, window: number, property: number): boolean {
  return event.name === "PropertyNotify" && event.wid === window && event.atom === property &&
    event.state === NEW_VALUE;
}

// The events of one window, in their order, for somebody who waits for each of them.

export class EventQueue implements Disposable {
  #events: XEvent[] = [];
  #wake = Promise.withResolvers<void>();
  readonly #listening = new DisposableStack();

  constructor(
    private readonly connection: X11Connection,
    concerns: (event: XEvent) => boolean,
  ) {
    this.#listening.use(connection.onEvent((event) => {
      if (!concerns(event)) return;
      this.#events.push(event);
      this.#wake.resolve();
    }));
    this.#listening.use(connection.onLoss(() => this.#wake.resolve()));
  }

  /** Forgets the events that have arrived. */
  clear(): void {
    this.#events = [];
  }

  /**
   * Resolves with the next event.
   * @throws ServiceError `timed_out`; `unavailable`: the server has gone; the signal's reason
   */
  async next({ idleMs, signal }: Omit<TypeReading, "maxBytes">): Promise<XEvent> {
    while (this.#events.length === 0) {
      signal?.throwIfAborted();
      if (!this.connection.connected) {
        throw new ServiceError("unavailable", "The X server went away; try again");
      }
      this.#wake = Promise.withResolvers();
      const isInTime = await within(this.#wake.promise, idleMs, signal);
      signal?.throwIfAborted();
      if (!isInTime) throw unresponsiveOwner(idleMs);
    }
    return this.#events.shift()!;
  }

  [Symbol.dispose](): void {
    this.#listening.dispose();
  }
}

// The atoms of selections, and the names of those that programs use as types (ICCCM, chapter 2).

export const SELECTION_ATOMS = [
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

export type SelectionAtoms = Readonly<Record<typeof SELECTION_ATOMS[number], number>>;

/** Converts between atoms and their names, and asks for each once. */
export class AtomNames {
  readonly #names = new Map<number, string>();

  constructor(private readonly connection: X11Connection) {}

  /** Without those of which the server knows nothing. */
  async names(atoms: readonly number[]): Promise<string[]> {
    const names = await Promise.all(
      atoms.map((atom) => this.name(atom).catch(throwUnless(isXError))),
    );
    return names.filter((name) => name !== undefined);
  }

  async name(atom: number): Promise<string> {
    const known = this.#names.get(atom);
    if (known !== undefined) return known;
    const name = await this.connection.request("GetAtomName", atom);
    this.#names.set(atom, name);
    return name;
  }

  async atom(name: string): Promise<number> {
    const atom = await internAtom(this.connection, name);
    this.#names.set(atom, name);
    return atom;
  }
}
