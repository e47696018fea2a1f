/**
 * One persistent connection to an X server: requests as promises, shared confirmations, and an
 * error for every pending request when the server goes away.
 */

import { Buffer } from "node:buffer";
import { ServiceError, throwUnless } from "../../../core/errors.ts";
import type { Region } from "../../../core/geometry.ts";
import { addMember } from "../../../core/shared_run.ts";
import {
  type Callback,
  EVENT_MASK,
  parseDisplayName,
  type RequestAnswer,
  type RequestArguments,
  type XClient,
  type XEvent,
  type XScreen,
  type XSetup,
  type XTest,
} from "./client.ts";
import { type Cookie, setUpConnection } from "./setup.ts";

/** A server that leaves a request unanswered for this long is treated as gone. */
const ANSWER_TIMEOUT_MS = 10_000;
const WATCH_MS = 1_000;

const AT_ONCE = { isPatient: false };

interface Pending {
  readonly since: number;
  reject(error: Error): void;
}

/** Learns which window has the keyboard focus at the next confirmation. */
interface FocusListener {
  isWaiting(): boolean;
  learn(focus: number): void;
}

/** With `isIdle` the server has processed everything that was sent. */
type LossListener = (how: { readonly isIdle: boolean }) => void;

export class X11Connection implements Disposable {
  readonly client: XClient;
  readonly screen: XScreen;
  /** The current size of the root window; it follows RANDR. */
  size: { readonly width: number; readonly height: number };
  /**
   * The window that had the keyboard focus at the last confirmation that asked for it; 0 and 1 are no windows (None,
   * PointerRoot).
   */
  focus = 0;
  #connected = true;
  readonly #pending = new Set<Pending>();
  readonly #listeners = new Set<(event: XEvent) => void>();
  readonly #atLoss = new Set<LossListener>();
  readonly #atConfirmation = new Set<FocusListener>();
  readonly #watch: ReturnType<typeof setInterval>;
  /** The number of the last request that has been answered. */
  #answered = 0;
  #confirmation: Promise<void> | undefined;
  #confirming: Promise<void> | undefined;
  /** The last question that was sent without waiting, and its number. */
  #patient: { readonly seqNum: number; readonly answer: Promise<unknown> } | undefined;

  private constructor(readonly name: string, readonly setup: XSetup) {
    this.client = setup.client;
    sweepOnlyForVoidRequests(this.client as XClient & Sweeping);
    readIntoSharedMemory(this.client.pack_stream as XClient["pack_stream"] & Reading);
    this.screen = setup.screen[parseDisplayName(name).screenNum] ?? setup.screen[0]!;
    this.size = { width: this.screen.pixel_width, height: this.screen.pixel_height };
    this.client.on("end", () => this.#lose());
    this.client.stream.on("close", () => this.#lose()); // a reset connection emits no "end"
    this.client.on("event", (event: XEvent) => this.#dispatch(event));
    this.client.ChangeWindowAttributes(this.screen.root, {
      eventMask: EVENT_MASK.structureNotify,
    });
    this.#watch = setInterval(() => this.#checkAnswers(), WATCH_MS);
    Deno.unrefTimer(this.#watch as unknown as number);
  }

  /** @param auth instead of the user's own cookie for it @throws XOpenError */
  static async open(name: string, auth?: Cookie): Promise<X11Connection> {
    return new X11Connection(name, await setUpConnection(name, auth));
  }

  /** Opens a connection for `make`, and closes it if `make` fails. @throws XOpenError */
  static async openFor<T>(
    name: string,
    make: (connection: X11Connection) => Promise<T>,
  ): Promise<T> {
    using opening = new DisposableStack();
    const made = await make(opening.use(await X11Connection.open(name)));
    opening.move();
    return made;
  }

  /** `false` once the server has gone or hangs; a lost connection never comes back. */
  get connected(): boolean {
    return this.#connected;
  }

  get root(): number {
    return this.screen.root;
  }

  /**
   * Sends a request that has a reply: immediately, or with `isPatient` in the same packet as the
   * next request.
   * @throws ServiceError `unavailable` when the server goes away in the meantime; XError that the
   *   server reports.
   */
  call<T>(
    send: (callback: Callback<T>) => void,
    { isPatient }: { readonly isPatient: boolean } = AT_ONCE,
  ): Promise<T> {
    if (!this.#connected) return Promise.reject(this.#gone());
    const before = this.client.seq_num;
    let seqNum = before;
    const answer = new Promise<T>((resolve, reject) => {
      const pending = { since: performance.now(), reject };
      this.#pending.add(pending);
      const settle = (error: unknown, result?: T) => {
        this.#pending.delete(pending);
        this.#answered = seqNum;
        if (error) reject(error);
        else resolve(result as T);
        return true;
      };
      const { seq_num, pack_stream } = this.client;
      const { packets } = pack_stream.stats;
      try {
        send(settle);
        if (!isPatient) pack_stream.flush();
      } catch (error) {
        settle(error);
        this.#takeBack(seq_num, pack_stream.stats.packets === packets);
      }
    });
    seqNum = this.client.seq_num;
    if (isPatient && seqNum !== before) this.#patient = { seqNum, answer };
    return answer;
  }

  /** Sends a core request that has a reply, as {@link call} does. */
  request<Name extends keyof XClient>(
    name: Name,
    ...args: RequestArguments<Name>
  ): Promise<RequestAnswer<Name>> {
    return this.#request(name, args, AT_ONCE);
  }

  /** As {@link request}, in the same packet as the next one. */
  requestPatiently<Name extends keyof XClient>(
    name: Name,
    ...args: RequestArguments<Name>
  ): Promise<RequestAnswer<Name>> {
    return this.#request(name, args, { isPatient: true });
  }

  /** The answer; `undefined` when the server refuses it, because a window has gone meanwhile. */
  async unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
    return await asked.catch(throwUnless(() => this.#connected));
  }

  /**
   * Resolves when the server has processed everything that was sent so far. Calls during a round
   * trip share the next one. Directly after a patient question, its answer is the confirmation.
   */
  confirm(): Promise<void> {
    if (this.#confirmation) return this.#confirmation;
    const previous = this.#confirming;
    // starts after the pending microtasks, so that requests that arrive together share the trip
    return this.#confirmation = (previous ?? Promise.resolve()).then(() => this.#roundTrip());
  }

  onEvent(listener: (event: XEvent) => void): Disposable {
    return addMember(this.#listeners, listener);
  }

  /** `listener` learns the focus at each confirmation for which it waits. */
  onConfirm(listener: FocusListener): void {
    this.#atConfirmation.add(listener);
  }

  /** Calls `listener` once when the server has gone or the connection is closed. */
  onLoss(listener: LossListener): Disposable {
    return addMember(this.#atLoss, listener);
  }

  [Symbol.dispose](): void {
    if (!this.#connected) return;
    this.client.terminate();
    this.#lose();
  }

  #request<Name extends keyof XClient>(
    name: Name,
    args: readonly unknown[],
    how: { readonly isPatient: boolean },
  ): Promise<RequestAnswer<Name>> {
    const { client } = this;
    const send = client[name] as unknown as () => void;
    return this.call((done) => void Reflect.apply(send, client, [...args, done]), how);
  }

  /**
   * Cleans up after an exception while a request was being written. The package has possibly
   * counted the request already: with a wrong count every later reply would be matched to the wrong
   * request.
   */
  #takeBack(seqNum: number, isUnsent: boolean): void {
    const { client } = this;
    if (client.seq_num === seqNum) return;
    if (!isUnsent) return this.#abandon(); // it is unknown how much of it the server will count
    for (const key of Object.keys(client.replies)) {
      if (Number(key) > seqNum) delete client.replies[Number(key)];
    }
    client.seq_num = seqNum;
  }

  #roundTrip(): Promise<void> {
    this.#confirmation = undefined;
    const patient = this.#takePatient();
    const trip: Promise<void> = (patient ?? this.request("GetInputFocus")).then((answer) => {
      if (patient === undefined) this.#learnFocus(answer as RequestAnswer<"GetInputFocus">);
      if (this.#confirming === trip) this.#confirming = undefined;
    });
    return this.#confirming = trip;
  }

  /** The answer to a question that was sent last confirms too, unless the focus is wanted. */
  #takePatient(): Promise<unknown> | undefined {
    const patient = this.#patient;
    if (patient === undefined) return undefined;
    this.#patient = undefined;
    const { seq_num, pack_stream } = this.client;
    if (patient.seqNum !== seq_num) return undefined;
    for (const listener of this.#atConfirmation) if (listener.isWaiting()) return undefined;
    pack_stream.flush();
    return patient.answer;
  }

  #learnFocus({ focus }: RequestAnswer<"GetInputFocus">): void {
    this.focus = focus;
    for (const listener of this.#atConfirmation) if (listener.isWaiting()) listener.learn(focus);
  }

  #dispatch(event: XEvent): void {
    // wid1 is the window; wid is the window whose events were selected, which for the root includes
    // its children
    if (event.name === "ConfigureNotify" && event.wid1 === this.root) {
      this.size = { width: event.width, height: event.height };
    }
    for (const listener of this.#listeners) listener(event);
  }

  #checkAnswers(): void {
    const [oldest] = this.#pending;
    if (oldest && performance.now() - oldest.since > ANSWER_TIMEOUT_MS) this.#abandon();
  }

  #abandon(): void {
    this.client.stream.destroy();
    this.#lose();
  }

  #lose(): void {
    if (!this.#connected) return;
    this.#connected = false;
    clearInterval(this.#watch);
    for (const pending of this.#pending) pending.reject(this.#gone());
    this.#pending.clear();
    const isIdle = this.client.seq_num === this.#answered;
    for (const listener of this.#atLoss) listener({ isIdle });
  }

  #gone(): ServiceError {
    return new ServiceError("unavailable", `The X server at "${this.name}" went away; try again`);
  }
}

// Spares the x11 package an allocation of its own for each part of an answer.

/** Parts of the package's buffer that its documentation leaves out. */
interface Reading {
  readonly _readQueue: unknown[];
  _pumpReads(): void;
  /** Calls back with the next `length` bytes that the server sends. */
  get(length: number, callback: (data: Buffer) => void): void;
}

/**
 * The package allocates zeros for each header and each answer, and then overwrites all of them.
 * Here small ones share memory.
 */
function readIntoSharedMemory(stream: Reading): void {
  stream.get = (length, callback) => {
    stream._readQueue.push({ length, callback, received: 0, data: Buffer.allocUnsafe(length) });
    stream._pumpReads();
  };
}

// Spares the x11 package a search that grows with the square of the requests that wait.

/** Parts of the package's client that its documentation leaves out. */
interface Sweeping {
  /** The number of the last request without an answer that has a callback. */
  readonly _last_void_seq: number;
  /** Calls back for such requests up to a number, which the server has passed without an error. */
  _sweepVoid(until: number): void;
}

/**
 * At every answer the package goes through all requests that wait for one, in search of those that
 * never get one. Here it searches only while there is such a request.
 */
function sweepOnlyForVoidRequests(client: Sweeping): void {
  const sweep = client._sweepVoid;
  let swept = 0;
  client._sweepVoid = (until) => {
    if (client._last_void_seq <= swept) return;
    sweep.call(client, until);
    swept = until;
  };
}

// The X extensions that are needed to read the screen and about windows, with types for the parts that are used.

/** MIT-SHM: pictures through memory that is shared with the server. */
export interface Shm {
  Attach(segment: number, shmid: number, readOnly: boolean, callback: Callback<void>): void;
  Detach(segment: number): void;
  GetImage(
    drawable: number,
    x: number,
    y: number,
    width: number,
    height: number,
    planes: number,
    format: number,
    segment: number,
    offset: number,
    callback: Callback<{ size: number }>,
  ): void;
}

/** XFIXES, version 5. */
export interface Fixes {
  CreateRegion(region: number, rectangles: readonly Region[]): void;
  FetchRegion(region: number, callback: Callback<{ rectangles: readonly Region[] }>): void;
  GetCursorImage(callback: Callback<XCursorImage>): void;
}

export interface XCursorImage extends Region {
  readonly xhot: number;
  readonly yhot: number;
  readonly cursorSerial: number;
  /** ARGB32, least significant byte first, premultiplied. */
  readonly cursorImage: Uint8Array;
}

/** DAMAGE, version 1.1. */
export interface Damage {
  readonly ReportLevel: { readonly NonEmpty: number };
  Create(damage: number, drawable: number, level: number): void;
  /** Moves the damaged area into the region `parts` and rearms the event. */
  Subtract(damage: number, repair: number, parts: number): void;
}

/** X-Resource, version 1.2. */
export interface Resources {
  readonly ClientIdMask: { readonly LocalClientPID: number };
  QueryVersion(major: number, minor: number, callback: Callback<readonly number[]>): void;
  QueryClientIds(
    specs: readonly { readonly client: number; readonly mask: number }[],
    callback: Callback<ClientIds>,
  ): void;
}

export type ClientIds = readonly { readonly value: readonly number[] }[];

/** The X Input Extension, version 1. */
export interface XInput {
  readonly majorOpcode: number;
  readonly InputClass: { readonly Key: number };
  ListInputDevices(callback: Callback<readonly InputDevice[]>): void;
}

interface InputDevice {
  readonly id: number;
  readonly use: number;
  readonly name: string;
}

/** The `use` of a keyboard that is attached to the core keyboard. */
const EXTENSION_KEYBOARD = 3;

/** The keyboards that are attached to the core keyboard. */
export async function listKeyboards(
  connection: X11Connection,
  xinput: XInput,
): Promise<readonly InputDevice[]> {
  const devices = await connection.call<readonly InputDevice[]>((done) =>
    xinput.ListInputDevices(done)
  );
  return devices.filter(({ use }) => use === EXTENSION_KEYBOARD);
}

/** Returns the extension, or `undefined` when the server lacks it. */
export async function requireExtension<T>(
  connection: X11Connection,
  name: string,
): Promise<T | undefined> {
  return await connection.unlessGone(
    connection.call<T>((done) => connection.client.require(name, done as never)),
  );
}

/** Exempts this connection from server grabs (by a menu, a screenshot tool). */
export async function ignoreGrabs(connection: X11Connection): Promise<void> {
  const xtest = await requireExtension<XTest>(connection, "xtest");
  xtest?.GrabControl(true);
}

// Requests that the X11 package does not implement, of extensions that it knows: they are written
// byte by byte.

/** With its opcodes and its length; all else is 0. */
export function requestPacket(
  { majorOpcode }: { readonly majorOpcode: number },
  minorOpcode: number,
  bytes: number,
): Buffer {
  const packet = Buffer.alloc(bytes);
  packet[0] = majorOpcode;
  packet[1] = minorOpcode;
  packet.writeUInt16LE(packet.length / 4, 2);
  return packet;
}

/** Sends a request that has no reply; returns its sequence number. */
export function sendPacket(client: XClient, packet: Buffer): number {
  client.seq_num++;
  client.pack_stream.put(packet);
  client.pack_stream.submit();
  return client.seq_num;
}

/** Sends a request that has a reply, which `parse` gets from its byte 8 on. */
export function callPacket<T>(
  connection: X11Connection,
  packet: Buffer,
  parse: (body: Buffer) => T,
): Promise<T> {
  const { client } = connection;
  return connection.call((done) => {
    client.seq_num++;
    client.replies[client.seq_num] = [parse, done];
    client.pack_stream.put(packet);
    client.pack_stream.submit(true);
  });
}
