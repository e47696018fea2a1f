/** A connection to an X server that records input (extension RECORD): it carries nothing else. */

import { ServiceError } from "../../../core/errors.ts";
import type { Callback, XClient } from "./client.ts";
import { localSocketPath } from "./local_stream.ts";
import { setUpConnection } from "./setup.ts";

/**
 * RECORD, version 1.13: reports the input that the server generates, and each client to which it
 * hands an event of the core protocol. It does not report the events of XInput 2, which most toolkits
 * use.
 */
export interface RecordExtension {
  CreateContext(
    context: number,
    elementHeader: number,
    clients: readonly number[],
    ranges: readonly object[],
  ): void;
  /** `onReply` gets each reply; `callback` is called after the last one. */
  EnableContext(
    context: number,
    onReply: (reply: RecordReply) => void,
    callback: Callback<unknown>,
  ): void;
  /** Comes from another connection: the recording one is not read while it records. */
  DisableContext(context: number): void;
}

interface RecordReply {
  readonly category: number;
  /** The first resource id of the client that got or sent it; 0 for input as it is generated. */
  readonly xidBase: number;
  readonly data: Uint8Array;
}

interface RecordOptions {
  /** The window whose grabs are reported as probes. */
  readonly probeWindow: number;
  readonly use: (recorded: Recorded) => void;
}

const ALL_CLIENTS = 3;
const EVENT_BYTES = 32;
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
/** What a reply of an enabled context contains. */
const CATEGORIES = { fromServer: 0, fromClient: 1, start: 4 } as const;

export class RecordStream implements AsyncDisposable {
  /** What another connection disables to end the recording. */
  readonly context: number;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();

  /** @param clientMask the bits of a resource id that its client chooses */
  private constructor(
    private readonly client: XClient,
    readonly clientMask: number,
    private readonly options: RecordOptions,
  ) {
    for (const { promise } of [this.#started, this.#ended]) promise.catch(() => {});
    this.context = client.AllocID();
    const lost = new ServiceError(
      "unavailable",
      "The X server closed the connection that follows the input; try again",
    );
    client.stream.on("close", () => this.#fail(lost));
    const begin: Callback<RecordExtension> = (error, record) =>
      error ? this.#fail(error) : this.#begin(record);
    client.require("record", begin);
    client.pack_stream.flush();
  }

  /** `undefined` for a server that has no socket on this computer, or refuses the connection. */
  static async open(name: string, options: RecordOptions): Promise<RecordStream | undefined> {
    if (localSocketPath(name) === undefined) return undefined;
    const setup = await setUpConnection(name).catch(() => undefined);
    return setup && new RecordStream(setup.client, setup.resource_mask, options);
  }

  /** Resolves when everything that happens from now on is recorded. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves after the context is disabled, when everything up to then has been read. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.client.stream.destroy();
    return Promise.resolve();
  }

  #begin(record: RecordExtension): void {
    const { client, context } = this;
    const ranges = { coreRequests: GRABS, deliveredEvents: INPUT, deviceEvents: INPUT };
    record.CreateContext(context, 0, [ALL_CLIENTS], [ranges]);
    const onReply = (reply: RecordReply) => {
      if (reply.category === CATEGORIES.start) this.#started.resolve();
      readReply(reply, this.options);
    };
    record.EnableContext(context, onReply, (error) => {
      if (error) this.#fail(error);
      this.#ended.resolve();
      return true;
    });
    // the package keeps all replies for the callback, which needs none of them
    Object.assign(client.replies[client.seq_num]!, { 3: { push() {} } });
    client.pack_stream.flush();
  }

  #fail(error: Error): void {
    this.#started.reject(error);
    this.#ended.reject(error);
  }
}

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
export type Recorded = InputEvent | "probe" | "replay";

/** Reads what one reply reports. */
export function readReply({ category, xidBase, data }: RecordReply, options: RecordOptions): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const { fromServer, fromClient } = CATEGORIES;
  if (category === fromServer) readEvents(view, xidBase || undefined, options.use);
  else if (category === fromClient) readRequests(view, options);
}

function readEvents(
  data: DataView,
  client: number | undefined,
  use: RecordOptions["use"],
): void {
  for (let at = 0; at + EVENT_BYTES <= data.byteLength; at += EVENT_BYTES) {
    const type = data.getUint8(at);
    if (type < INPUT.first || type > INPUT.last) continue; // sent by a program
    const detail = type === MOTION ? 0 : data.getUint8(at + 1);
    const [time, window] = [data.getUint32(at + 4, true), data.getUint32(at + 12, true)];
    use({ type, detail, time, window, client });
  }
}

function readRequests(data: DataView, { probeWindow, use }: RecordOptions): void {
  for (let at = 0; at + 8 <= data.byteLength;) {
    const opcode = data.getUint8(at);
    const isGrab = opcode === GRAB_POINTER || opcode === GRAB_KEYBOARD;
    if (isGrab && data.getUint32(at + 4, true) === probeWindow) use("probe");
    if (opcode === ALLOW_EVENTS && REPLAYS.includes(data.getUint8(at + 1))) use("replay");
    at += Math.max(1, data.getUint16(at + 2, true)) * 4;
  }
}
