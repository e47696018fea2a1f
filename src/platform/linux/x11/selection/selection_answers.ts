/** Answers the programs that ask for what this service has put on the clipboard. */

import { Buffer } from "node:buffer";
import { ServiceError } from "../../../../core/errors.ts";
import type { Offered } from "../../clipboard/offered.ts";
import type { XEvent } from "../client.ts";
import type { X11Connection } from "../connection.ts";
import {
  ATOM,
  type AtomNames,
  INTEGER,
  isXError,
  readWords,
  type SelectionAtoms,
} from "./atoms.ts";
import { giveParts } from "./give_selection.ts";

const REPLACE = 0;
const NONE = 0;
/** The packet of the event `SelectionNotify`. */
const SELECTION_NOTIFY = 31;
/** A request for several types names fewer, in words. */
const MAX_MULTIPLE_WORDS = 1_024;

export interface SelectionContent {
  readonly connection: X11Connection;
  readonly atoms: SelectionAtoms;
  readonly names: AtomNames;
  readonly offered: Offered;
  /** Atom -> type, of what is offered. */
  readonly types: ReadonlyMap<number, string>;
  /** Since when this service owns the selection, in the server's time. */
  readonly time: number;
}

/** One conversion that a program asks for, alone or among several. */
interface Request {
  readonly requestor: number;
  readonly target: number;
  readonly property: number;
  /** Tells the program that it is there. */
  readonly notify: () => void;
}

export class SelectionAnswers {
  constructor(private readonly content: SelectionContent) {}

  get offered(): Offered {
    return this.content.offered;
  }

  get time(): number {
    return this.content.time;
  }

  /** The atoms of the types. */
  targets(): Iterable<number> {
    return this.content.types.keys();
  }

  /** Answers a `SelectionRequest`. */
  async answer(event: XEvent): Promise<void> {
    const { connection, atoms } = this.content;
    const property = event.property === NONE ? event.target : event.property; // old clients
    const request = {
      requestor: event.requestor,
      target: event.target,
      property,
      notify: () => notify(connection, event, property),
    };
    try {
      const isGiven = event.target === atoms.MULTIPLE
        ? await this.#giveSeveral(request)
        : this.#give(request);
      if (!isGiven) SelectionAnswers.refuse(connection, event);
    } catch (error) {
      // the server or the program has gone
      if (!(error instanceof ServiceError || isXError(error))) throw error;
    }
  }

  /** Tells a program that it does not get what it asks for. */
  static refuse(connection: X11Connection, event: XEvent): void {
    if (connection.connected) notify(connection, event, NONE);
  }

  /** Whether it can be given; the program then gets it. */
  #give(request: Request): boolean {
    const { connection, atoms, offered, types, time } = this.content;
    const { requestor, property, target } = request;
    const { client } = connection;
    if (target === atoms.TARGETS) {
      const all = [atoms.TARGETS, atoms.MULTIPLE, atoms.TIMESTAMP, ...types.keys()];
      client.ChangeProperty(REPLACE, requestor, property, ATOM, 32, all);
      request.notify();
      return true;
    }
    if (target === atoms.TIMESTAMP) {
      client.ChangeProperty(REPLACE, requestor, property, INTEGER, 32, [time]);
      request.notify();
      return true;
    }
    const name = types.get(target);
    if (name === undefined) return false;
    const type = name === "TEXT" ? atoms.UTF8_STRING : target;
    const transfer = { connection, type, incr: atoms.INCR, ...request };
    offered.give(name, (parts) => giveParts(transfer, parts)).catch(() => {}); // it has gone
    return true;
  }

  /** `MULTIPLE`: the property lists pairs of a target and a property (ICCCM, 2.6.2). */
  async #giveSeveral({ requestor, property, notify }: Request): Promise<boolean> {
    const { connection, atoms } = this.content;
    const { client } = connection;
    const { data, type } = await connection.call<{ data: Uint8Array; type: number }>((done) =>
      client.GetProperty(0, requestor, property, 0, 0, MAX_MULTIPLE_WORDS, done)
    );
    if (type === NONE) return false;
    const words = readWords(data);
    for (let at = 0; at + 1 < words.length; at += 2) {
      const [target, each] = [words[at]!, words[at + 1]!];
      const isGiven = target !== atoms.MULTIPLE && each !== NONE &&
        this.#give({ requestor, target, property: each, notify: () => {} });
      if (!isGiven) words[at + 1] = NONE;
    }
    client.ChangeProperty(REPLACE, requestor, property, atoms.ATOM_PAIR, 32, words);
    notify();
    return true;
  }
}

function notify({ client }: X11Connection, event: XEvent, property: number): void {
  const packet = Buffer.alloc(32);
  packet[0] = SELECTION_NOTIFY;
  packet.writeUInt32LE(event.time >>> 0, 4);
  packet.writeUInt32LE(event.requestor >>> 0, 8);
  packet.writeUInt32LE(event.selection >>> 0, 12);
  packet.writeUInt32LE(event.target >>> 0, 16);
  packet.writeUInt32LE(property >>> 0, 20);
  client.SendEvent(event.requestor, false, 0, packet);
  client.pack_stream.flush();
}
