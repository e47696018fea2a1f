/**
 * The clipboard of an X display: the selection CLIPBOARD. Its content stays with the program that
 * has put it there, which answers every program that asks for it (ICCCM, chapter 2).
 */

import { within } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
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
import { APPEND, CURRENT_TIME, EVENT_MASK, NONE, PREDEFINED, REPLACE } from "../client.ts";
import type { XEvent } from "../client.ts";
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
import { SelectionAnswers } from "./selection_answers.ts";

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
