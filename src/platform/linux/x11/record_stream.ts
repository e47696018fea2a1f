/** A connection to an X server that records: it carries nothing else. */

import { Buffer } from "node:buffer";
import { writeAll } from "../../../core/bytes.ts";
import type { X11Connection } from "./connection.ts";
import { type Cookie, findCookie } from "./cookie.ts";
import { localSocketPath } from "./local_stream.ts";

const FIRST_BYTES = 64 * 1024;

interface RecordOptions {
  /** The opcode of the extension. */
  readonly opcode: number;
  /** The window whose grabs are reported as probes. */
  readonly probeWindow: number;
  readonly use: (recorded: Recorded) => void;
}

export class RecordStream implements AsyncDisposable {
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #context = 0;
  #isClosed = false;
  /** The bits of a resource id that its client chooses. */
  clientMask = 0;

  private constructor(
    private readonly socket: Deno.Conn,
    private readonly options: RecordOptions,
  ) {
    for (const { promise } of [this.#started, this.#ended]) promise.catch(() => {});
  }

  /** `undefined` for a server that has no socket on this computer, or refuses the connection. */
  static async open(name: string, options: RecordOptions): Promise<RecordStream | undefined> {
    const path = localSocketPath(name);
    const { auth } = await findCookie(name);
    if (path === undefined || auth === undefined) return undefined;
    const stream = new RecordStream(await Deno.connect({ transport: "unix", path }), options);
    try {
      if (await stream.#begin(setupRequest(auth))) return stream;
    } catch { /* the server closed the connection */ }
    await stream[Symbol.asyncDispose]();
    return undefined;
  }

  /** Resolves when everything that happens from now on is recorded. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves after {@link stop}, when everything up to then has been read. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Ends the recording by a request on the connection that has sent the input. */
  stop({ client, connected }: X11Connection): void {
    if (!connected) return;
    client.seq_num++;
    client.pack_stream.put(Buffer.from(stopRecording(this.options.opcode, this.#context)));
    client.pack_stream.submit();
    client.pack_stream.flush();
  }

  [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isClosed) this.socket.close();
    this.#isClosed = true;
    return Promise.resolve();
  }

  /** Whether the server has accepted the connection; its answers are then read until it closes. */
  async #begin(setup: Uint8Array<ArrayBuffer>): Promise<boolean> {
    await writeAll(this.socket, setup);
    let base: number | undefined | "more";
    while ((base = readSetup(this.#bytes.subarray(0, this.#length))) === "more") {
      if (!await this.#read()) return false;
    }
    if (base === undefined) return false;
    this.#context = base;
    this.clientMask = readClientMask(this.#bytes);
    this.#length = 0;
    await writeAll(this.socket, startRecording(this.options.opcode, base));
    this.#follow();
    return true;
  }

  async #follow(): Promise<void> {
    try {
      while (await this.#read()) this.#use();
      throw new Error("the X server has closed the connection");
    } catch (error) {
      this.#started.reject(error);
      this.#ended.reject(error);
    }
  }

  #use(): void {
    const used = readRecorded(this.#bytes.subarray(0, this.#length), {
      probeWindow: this.options.probeWindow,
      use: (recorded) => {
        if (recorded === "started") this.#started.resolve();
        else if (recorded === "ended") this.#ended.resolve();
        else if (recorded === "refused") this.#started.reject(new Error("it was refused"));
        else this.options.use(recorded);
      },
    });
    this.#bytes.copyWithin(0, used, this.#length);
    this.#length -= used;
  }

  /** Whether there was more. */
  async #read(): Promise<boolean> {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    const count = await this.socket.read(this.#bytes.subarray(this.#length));
    this.#length += count ?? 0;
    return count !== null;
  }
}

// Encodes the setup of a connection, and decodes its answer (X Window System Protocol, appendix B).

const SETUP_WORKED = 1;
const SETUP_HEADER_BYTES = 8;

/** The setup request of a little-endian connection. */
export function setupRequest({ name, data }: Cookie): Uint8Array<ArrayBuffer> {
  const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, "\0");
  const head = String.fromCharCode(0x6c, 0, 11, 0, 0, 0, ...[name.length, 0, data.length, 0], 0, 0);
  return Uint8Array.from(head + padded(name) + padded(data), (byte) => byte.charCodeAt(0));
}

/**
 * The first resource id of the connection; `undefined` when it was refused, "more" while bytes are
 * missing.
 */
export function readSetup(bytes: Uint8Array): number | undefined | "more" {
  if (bytes.length < SETUP_HEADER_BYTES) return "more";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] !== SETUP_WORKED) return undefined;
  const length = SETUP_HEADER_BYTES + 4 * view.getUint16(6, true);
  return bytes.length < length ? "more" : view.getUint32(12, true);
}

/** The bits of a resource id that its client chooses, in a setup that {@link readSetup} accepts. */
function readClientMask(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(16, true);
}

// Encodes and decodes what is needed of the RECORD extension, version 1.13: it reports the input
// that the server generates, and each client to which it hands an event of the core protocol. It
// does not report the events of XInput 2, which most toolkits use.

const CREATE_CONTEXT = 1;
const ENABLE_CONTEXT = 5;
const DISABLE_CONTEXT = 6;
const ALL_CLIENTS = 3;
const PACKET_BYTES = 32;
/** Events from KeyPress to MotionNotify. */
const INPUT = { first: 2, last: 6 } as const;
const MOTION = 6;
/** Requests from GrabPointer to AllowEvents. */
const GRABS = { first: 26, last: 35 } as const;
const GRAB_POINTER = 26;
const GRAB_KEYBOARD = 31;
const ALLOW_EVENTS = 35;
/** Modes of AllowEvents that hand an event on to the window for which it was. */
const REPLAYS = [2, 5];
const REPLY = 1;
const GENERIC_EVENT = 35;
const SENT_BY_CLIENT = 0x80;
/** What a reply of an enabled context contains. */
const CATEGORIES = { fromServer: 0, fromClient: 1, start: 4, end: 5 } as const;

export interface InputEvent {
  /** 2 KeyPress, 3 KeyRelease, 4 ButtonPress, 5 ButtonRelease, 6 MotionNotify. */
  readonly type: number;
  /** Keycode or button. */
  readonly detail: number;
  /** The server's time, in milliseconds. */
  readonly time: number;
  /** The window for which it was reported. */
  readonly window: number;
  /** The first resource id of the client that got it; `undefined` for input as it is generated. */
  readonly client: number | undefined;
}

/**
 * `probe`: the window was named in a request for a grab. `replay`: a client that had an event first
 * hands it on.
 */
export type Recorded = InputEvent | "probe" | "replay" | "started" | "ended" | "refused";

/** Creates a context that records the input, its recipients and grabs, and enables it. */
function startRecording(opcode: number, context: number): Uint8Array<ArrayBuffer> {
  const create = request(opcode, CREATE_CONTEXT, 48);
  create.setUint32(4, context, true);
  create.setUint32(12, 1, true); // one client specification
  create.setUint32(16, 1, true); // one range
  create.setUint32(20, ALL_CLIENTS, true);
  // the range: core requests, core replies, requests and replies of extensions (6 bytes each),
  // delivered events, device events, errors, clients that start or end
  const range = 24;
  for (const [at, { first, last }] of [[0, GRABS], [16, INPUT], [18, INPUT]] as const) {
    create.setUint8(range + at, first);
    create.setUint8(range + at + 1, last);
  }
  const enable = contextRequest(opcode, ENABLE_CONTEXT, context);
  return Uint8Array.of(...bytesOf(create), ...enable);
}

/** Comes from another connection: the recording one is not read while it records. */
function stopRecording(opcode: number, context: number): Uint8Array<ArrayBuffer> {
  return contextRequest(opcode, DISABLE_CONTEXT, context);
}

interface RecordedUse {
  /** The window whose grabs are probes. */
  readonly probeWindow: number;
  readonly use: (recorded: Recorded) => void;
}

/** Reads the whole packets at the start of `bytes`, and returns how many bytes they have. */
export function readRecorded(bytes: Uint8Array, how: RecordedUse): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + PACKET_BYTES <= bytes.length) {
    const type = bytes[at]! & ~SENT_BY_CLIENT;
    const isLong = type === REPLY || type === GENERIC_EVENT;
    const end = at + PACKET_BYTES + (isLong ? 4 * view.getUint32(at + 4, true) : 0);
    if (end > bytes.length) break;
    if (type === 0) how.use("refused");
    if (type === REPLY) readReply(new DataView(view.buffer, view.byteOffset + at, end - at), how);
    at = end;
  }
  return at;
}

function readReply(reply: DataView, how: RecordedUse): void {
  const category = reply.getUint8(1);
  const client = reply.getUint32(12, true) || undefined; // none for input as it is generated
  const data = new DataView(reply.buffer, reply.byteOffset + PACKET_BYTES);
  const length = reply.byteLength - PACKET_BYTES;
  if (category === CATEGORIES.start) how.use("started");
  else if (category === CATEGORIES.end) how.use("ended");
  else if (category === CATEGORIES.fromServer) readEvents(data, length, { client, use: how.use });
  else if (category === CATEGORIES.fromClient) readRequests(data, length, how);
}

function readEvents(
  data: DataView,
  length: number,
  { client, use }: Pick<RecordedUse, "use"> & { readonly client: number | undefined },
): void {
  for (let at = 0; at + PACKET_BYTES <= length; at += PACKET_BYTES) {
    const type = data.getUint8(at);
    if (type < INPUT.first || type > INPUT.last) continue; // sent by a program
    const detail = type === MOTION ? 0 : data.getUint8(at + 1);
    const [time, window] = [data.getUint32(at + 4, true), data.getUint32(at + 12, true)];
    use({ type, detail, time, window, client });
  }
}

function readRequests(data: DataView, length: number, { probeWindow, use }: RecordedUse): void {
  for (let at = 0; at + 8 <= length;) {
    const opcode = data.getUint8(at);
    const isGrab = opcode === GRAB_POINTER || opcode === GRAB_KEYBOARD;
    if (isGrab && data.getUint32(at + 4, true) === probeWindow) use("probe");
    if (opcode === ALLOW_EVENTS && REPLAYS.includes(data.getUint8(at + 1))) use("replay");
    at += Math.max(1, data.getUint16(at + 2, true)) * 4;
  }
}

function contextRequest(opcode: number, minor: number, context: number): Uint8Array<ArrayBuffer> {
  const view = request(opcode, minor, 8);
  view.setUint32(4, context, true);
  return bytesOf(view);
}

function request(opcode: number, minor: number, length: number): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(length));
  view.setUint8(0, opcode);
  view.setUint8(1, minor);
  view.setUint16(2, length / 4, true);
  return view;
}

function bytesOf({ buffer }: DataView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}
