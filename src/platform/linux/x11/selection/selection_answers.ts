/** Answers the programs that ask for what this service has put on the clipboard. */

import { Buffer } from "node:buffer";
import { Blocks } from "../../../../core/bytes.ts";
import { isServiceError, ServiceError, throwUnless } from "../../../../core/errors.ts";
import type { Parts } from "../../../types/mod.ts";
import type { Offered } from "../../clipboard/typed_clipboard.ts";
import { ANY_TYPE, EVENT_MASK, isXError, NONE, PREDEFINED, REPLACE } from "../client.ts";
import type { XEvent } from "../client.ts";
import type { X11Connection } from "../connection.ts";
import { readWords } from "../window_queries.ts";
import { EventQueue, type SelectionAtoms } from "./read_selection.ts";

/** A request for several types names fewer, in words. */
const MAX_MULTIPLE_WORDS = 1_024;

interface SelectionContent {
  readonly connection: X11Connection;
  readonly atoms: SelectionAtoms;
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
  /** Notifies the program that it is there. */
  readonly notify: () => void;
}

export class SelectionAnswers {
  constructor(readonly content: SelectionContent) {}

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

  /** Notifies a program that it does not get what it requests. */
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
      client.ChangeProperty(REPLACE, requestor, property, PREDEFINED.ATOM, 32, all);
      request.notify();
      return true;
    }
    if (target === atoms.TIMESTAMP) {
      client.ChangeProperty(REPLACE, requestor, property, PREDEFINED.INTEGER, 32, [time]);
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
    const asked = [0, requestor, property, ANY_TYPE, 0, MAX_MULTIPLE_WORDS] as const;
    const { data, type } = await connection.request("GetProperty", ...asked);
    if (type === NONE) return false;
    const words = readWords(data);
    for (let at = 0; at + 1 < words.length; at += 2) {
      const [target, each] = [words[at]!, words[at + 1]!];
      const isGiven = target !== atoms.MULTIPLE && each !== NONE &&
        this.#give({ requestor, target, property: each, notify: () => {} });
      if (!isGiven) words[at + 1] = NONE;
    }
    connection.client.ChangeProperty(REPLACE, requestor, property, atoms.ATOM_PAIR, 32, words);
    notify();
    return true;
  }
}

function notify({ client }: X11Connection, event: XEvent, property: number): void {
  const { time, requestor, selection, target } = event;
  const notice = { name: "SelectionNotify", time, requestor, selection, target, property };
  client.SendEvent(requestor, false, 0, notice);
  client.pack_stream.flush();
}

// Gives one type of a selection to a program that has asked for it, at once or in pieces.

const DELETED = 1;
/** Less than what every server takes in one request: 65,535 words. */
const PIECE_BYTES = 255 * 1024;
/** How long a program may take for one piece. */
const PIECE_MS = 5_000;

interface Transfer extends Omit<Request, "target"> {
  readonly connection: X11Connection;
  readonly type: number;
  readonly incr: number;
}

/** Resolves with whether the program has taken all. */
async function giveParts(transfer: Transfer, parts: Parts): Promise<boolean> {
  const { connection, requestor, property, type, notify } = transfer;
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  if (size > PIECE_BYTES) return await giveInPieces(transfer, parts, size);
  const [bytes = Buffer.alloc(0)] = pieces(parts);
  connection.client.ChangeProperty(REPLACE, requestor, property, type, 8, bytes);
  notify();
  await connection.confirm();
  return true;
}

async function giveInPieces(transfer: Transfer, parts: Parts, size: number): Promise<boolean> {
  const { connection, requestor, property, type, incr, notify } = transfer;
  const { client } = connection;
  using events = new EventQueue(connection, (event) => concerns(event, transfer));
  client.ChangeWindowAttributes(requestor, {
    eventMask: EVENT_MASK.propertyChange | EVENT_MASK.structureNotify,
  });
  client.ChangeProperty(REPLACE, requestor, property, incr, 32, [Math.min(size, 2 ** 32 - 1)]);
  notify();
  client.pack_stream.flush();
  for (const piece of pieces(parts)) {
    if (!await isTaken(events)) return false;
    client.ChangeProperty(REPLACE, requestor, property, type, 8, piece);
    client.pack_stream.flush();
  }
  if (!await isTaken(events)) return false;
  client.ChangeProperty(REPLACE, requestor, property, type, 8, []); // the end
  client.pack_stream.flush();
  return await isTaken(events);
}

/** Whether the program has taken what the property had, in time. */
async function isTaken(events: EventQueue): Promise<boolean> {
  const event = await events.next({ idleMs: PIECE_MS }).catch(throwUnless(isServiceError));
  return event?.name === "PropertyNotify";
}

function concerns(event: XEvent, { requestor, property }: Transfer): boolean {
  if (event.name === "DestroyNotify") return event.wid === requestor;
  return event.name === "PropertyNotify" && event.wid === requestor && event.atom === property &&
    event.state === DELETED;
}

/** The bytes in pieces of the size of a request. */
function* pieces(parts: Parts): Generator<Buffer> {
  const blocks = new Blocks(PIECE_BYTES);
  for (const part of parts) yield* blocks.add(part).map((piece) => Buffer.copyBytesFrom(piece));
  yield* blocks.rest().map((piece) => Buffer.copyBytesFrom(piece));
}
