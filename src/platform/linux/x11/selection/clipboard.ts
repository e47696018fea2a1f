/**
 * The clipboard of an X display: the selection CLIPBOARD. Its content stays with the program that
 * has put it there, which answers every program that asks for it (ICCCM, chapter 2).
 */

import { Buffer } from "node:buffer";
import { Blocks } from "../../../../core/bytes.ts";
import { within } from "../../../../core/deadline.ts";
import { isServiceError, ServiceError, throwUnless } from "../../../../core/errors.ts";
import type { Parts } from "../../../types/mod.ts";
import {
  type ClipboardOffer,
  MAX_TYPES,
  Offered,
  readOffered,
  type TypedBytes,
  type TypedClipboard,
  type TypedContent,
  type TypeReading,
} from "../../clipboard/typed_clipboard.ts";
import {
  ANY_TYPE,
  APPEND,
  CURRENT_TIME,
  EVENT_MASK,
  isXError,
  NONE,
  PREDEFINED,
  REPLACE,
  type XEvent,
} from "../client.ts";
import { X11Connection } from "../connection.ts";
import { describeOpenFailure } from "../setup.ts";
import { createHiddenWindow, internAtoms, readWords } from "../window_queries.ts";
import {
  AtomNames,
  EventQueue,
  isNewValue,
  isNotice,
  SELECTION_ATOMS,
  type SelectionAtoms,
  SelectionReader,
} from "./read_selection.ts";

/** More than any list of types has. */
const MAX_TYPES_BYTES = 64 * 1024;
/** How long a server takes to report its time. */
const TIME_MS = 5_000;
/** How long a clipboard manager may take to save the content. */
const SAVE_TIMEOUT_MS = 3_000;

export class X11Clipboard implements TypedClipboard {
  readonly isKeptByDesktop = false;
  readonly #names: AtomNames;
  /** Never mapped: it owns the selection. */
  readonly #window: number;
  readonly #reader: SelectionReader;
  #answers: SelectionAnswers | undefined;
  /** What is about to be there: a program can ask for it before the server has confirmed that. */
  #coming: SelectionAnswers | undefined;

  private constructor(
    private readonly connection: X11Connection,
    private readonly atoms: SelectionAtoms,
  ) {
    this.#names = new AtomNames(connection);
    this.#reader = new SelectionReader(connection, atoms);
    this.#window = createHiddenWindow(connection, { eventMask: EVENT_MASK.propertyChange });
    connection.onEvent((event) => this.#follow(event));
  }

  /**
   * On a connection of its own, so that megabytes hold up no input.
   * @throws ServiceError `unavailable`
   */
  static async open(xDisplay: string): Promise<X11Clipboard> {
    try {
      return await X11Connection.openFor(
        xDisplay,
        async (connection) =>
          new X11Clipboard(connection, await internAtoms(connection, SELECTION_ATOMS)),
      );
    } catch (cause) {
      const why = describeOpenFailure(xDisplay, cause);
      throw new ServiceError("unavailable", `Cannot use the clipboard: ${why}`, { cause });
    }
  }

  get connected(): boolean {
    return this.connection.connected;
  }

  async types(reading: Omit<TypeReading, "maxBytes">): Promise<readonly string[]> {
    const own = await this.#readableOwn();
    if (own !== undefined) return [...own.content.keys()];
    const bounded = { ...reading, maxBytes: MAX_TYPES_BYTES };
    const read = await this.#reader.read(this.atoms.TARGETS, bounded);
    if (read === undefined) return [];
    const atoms = new Set(read.parts.flatMap(readWords));
    atoms.delete(NONE);
    return await this.#names.names([...atoms].slice(0, MAX_TYPES)); // each is a request
  }

  async readType(type: string, reading: TypeReading): Promise<TypedBytes | undefined> {
    const own = await this.#readableOwn();
    if (own !== undefined) return readOffered(own, type, reading.maxBytes);
    const read = await this.#reader.read(await this.#names.atom(type), reading);
    if (read === undefined) return undefined;
    const given = read.type === NONE ? type : await this.#names.name(read.type);
    return { type: given, parts: read.parts };
  }

  async offer(content: TypedContent): Promise<ClipboardOffer> {
    const offered = new Offered(content);
    if (content.size === 0) return await this.#clear(offered);
    const { connection, atoms } = this;
    const [time, ...named] = await Promise.all([
      this.#serverTime(),
      ...[...content.keys()].map(async (type) => [await this.#names.atom(type), type] as const),
    ]);
    const types = new Map(named);
    const answers = new SelectionAnswers({ connection, atoms, offered, types, time });
    if (await this.#take(answers)) return offered;
    offered.isReplaced = true;
    throw new ServiceError(
      "conflict",
      "Another program set the clipboard at the same time: try again",
    );
  }

  async close(): Promise<void> {
    try {
      if (this.connected && this.#own !== undefined) await this.#handOver();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error; // otherwise nobody takes it over
    } finally {
      this.connection[Symbol.dispose]();
    }
  }

  /** What this service has put there, while it is still there. */
  get #own(): Offered | undefined {
    const offered = this.#answers?.content.offered;
    return offered?.isReplaced === false ? offered : undefined;
  }

  /** {@link #own}, as of now: another program can just have replaced it. */
  async #readableOwn(): Promise<Offered | undefined> {
    if (this.#own !== undefined) await this.connection.confirm();
    return this.#own;
  }

  /** Takes the selection; resolves with whether this service then has it. */
  async #take(answers: SelectionAnswers): Promise<boolean> {
    const { connection, atoms } = this;
    const { client } = connection;
    this.#coming = answers;
    client.SetSelectionOwner(this.#window, atoms.CLIPBOARD, answers.content.time);
    return await connection.call<boolean>((done) =>
      client.GetSelectionOwner(atoms.CLIPBOARD, (error, owner) => {
        // in the order of the events: a loss that came before concerns what was there before
        if (this.#coming === answers) this.#coming = undefined;
        if (owner === this.#window) this.#hold(answers);
        return done(error, owner === this.#window);
      })
    );
  }

  #hold(answers: SelectionAnswers | undefined): void {
    if (this.#answers !== undefined) this.#answers.content.offered.isReplaced = true;
    this.#answers = answers;
  }

  #follow(event: XEvent): void {
    if (event.name === "SelectionClear" && event.owner === this.#window) this.#hold(undefined);
    if (event.name === "SelectionRequest" && event.owner === this.#window) {
      const answers = this.#coming ?? this.#answers;
      if (answers !== undefined) void answers.answer(event);
      else SelectionAnswers.refuse(this.connection, event);
    }
  }

  async #clear(nothing: Offered): Promise<ClipboardOffer> {
    this.#hold(undefined);
    this.connection.client.SetSelectionOwner(NONE, this.atoms.CLIPBOARD, CURRENT_TIME);
    await this.connection.confirm();
    return nothing;
  }

  /** The server's time, which orders those who take a selection: an empty change of a property has it. */
  async #serverTime(): Promise<number> {
    const { client } = this.connection;
    const property = this.atoms._COMPUTER_CONTROL_SELECTION;
    using events = new EventQueue(
      this.connection,
      (event) => isNewValue(event, this.#window, property),
    );
    client.ChangeProperty(APPEND, this.#window, property, PREDEFINED.CARDINAL, 8, []);
    client.pack_stream.flush();
    return (await events.next({ idleMs: TIME_MS })).time;
  }

  /** Asks the clipboard manager, where one runs, to keep the content (freedesktop's ClipboardManager). */
  async #handOver(): Promise<void> {
    const { connection, atoms } = this;
    const { client } = connection;
    const manager = await connection.request("GetSelectionOwner", atoms.CLIPBOARD_MANAGER);
    if (manager === NONE) return;
    using events = new EventQueue(connection, (event) => isNotice(event, this.#window));
    const property = atoms._COMPUTER_CONTROL_SELECTION;
    const targets = [...this.#answers!.content.types.keys()];
    client.ChangeProperty(REPLACE, this.#window, property, PREDEFINED.ATOM, 32, targets);
    client.ConvertSelection(
      this.#window,
      atoms.CLIPBOARD_MANAGER,
      atoms.SAVE_TARGETS,
      property,
      CURRENT_TIME,
    );
    client.pack_stream.flush();
    await within(events.next({ idleMs: SAVE_TIMEOUT_MS }), SAVE_TIMEOUT_MS);
  }
}

// Answers the programs that ask for what this service has put on the clipboard.

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

class SelectionAnswers {
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
