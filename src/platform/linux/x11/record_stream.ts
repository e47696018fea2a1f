/** Follows who gets the input: by a connection that only records it (extension RECORD), and by asking. */

import { ServiceError } from "../../../core/errors.ts";
import type { Callback, XClient, XTest } from "./client.ts";
import type { X11Connection } from "./connection.ts";
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
  /** Resolves when everything that happens from now on is recorded. */
  readonly started = this.#started.promise;
  readonly #ended = Promise.withResolvers<void>();
  /** Resolves after the context is disabled, when everything up to then has been read. */
  readonly ended = this.#ended.promise;

  /** @param clientMask the bits of a resource id that its client chooses */
  private constructor(
    private readonly client: XClient,
    readonly clientMask: number,
    private readonly options: RecordOptions,
  ) {
    for (const promise of [this.started, this.ended]) promise.catch(() => {});
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

// Asks the server, right after a press, whether a client has it: the client that gets the press of
// a button holds the pointer until the release (an "implicit grab"), whichever protocol it uses.
// Asking is a request for a grab by a window that is never mapped, which the server refuses for
// either reason without any effect.

const ASYNCHRONOUS = 1;
const ALREADY_GRABBED = 1;
const RELATIVE = 1;
/** A window manager that gets a press first has this long to hand it on, in milliseconds. */
const HAND_ON_MS = 60;
/** Presses that are asked about: the others of one operation fare alike. */
const MAX_PROBES = 3;

/** What the server says about one press. */
export interface ProbeAnswer {
  readonly kind: "button" | "key";
  /** Whether another client holds the pointer, or the keyboard. */
  readonly isHeld: boolean;
  /** The child of the root under the cursor, and the window with the keyboard focus. */
  readonly frame: number;
  readonly focus: number;
}

export class PressProbe {
  readonly answers: Promise<ProbeAnswer>[] = [];

  /** @param window never mapped: the server is queried by it */
  constructor(
    private readonly connection: X11Connection,
    private readonly xtest: XTest,
    private readonly window: number,
  ) {}

  /** Sent between the press and the release; the server itself waits in between. */
  afterButton(): void {
    if (this.answers.length >= MAX_PROBES) return;
    // a motion by nothing, for its delay
    this.xtest.FakeInput(this.xtest.MotionNotify, RELATIVE, HAND_ON_MS, 0, 0, 0);
    this.#ask("button");
  }

  afterKey(): void {
    if (this.answers.length < MAX_PROBES) this.#ask("key");
  }

  #ask(kind: ProbeAnswer["kind"]): void {
    const answer = this.probe(kind, "requestPatiently");
    answer.catch(() => {}); // reported to those who wait for it
    this.answers.push(answer);
  }

  /** Asks now, or in the same packet as the next request. */
  async probe(
    kind: ProbeAnswer["kind"],
    send: "request" | "requestPatiently" = "request",
  ): Promise<ProbeAnswer> {
    const { connection, window } = this;
    const modes = [ASYNCHRONOUS, ASYNCHRONOUS] as const;
    const [status, { child }, { focus }] = await Promise.all([
      kind === "button"
        ? connection[send]("GrabPointer", window, 0, 0, ...modes, 0, 0, 0)
        : connection[send]("GrabKeyboard", window, 0, 0, ...modes),
      connection[send]("QueryPointer", connection.root),
      connection[send]("GetInputFocus"),
    ]);
    return { kind, isHeld: status === ALREADY_GRABBED, frame: child, focus };
  }
}

// Counts the input that the server generates, and what of it was handed to clients.

/** The client that got an event, and the window for which. */
export interface HandedTo {
  readonly client: number;
  readonly window: number;
}

/** What had become of a press when the server was asked about it. */
export interface ProbedPress {
  /** The last client that got it as an event of the core protocol. */
  readonly handedTo: HandedTo | undefined;
  /** Whether that client has handed it on, before or after the server was asked. */
  handedOn: "no" | "before" | "after";
}

const KINDS = {
  2: "key press",
  3: "key release",
  4: "button press",
  5: "button release",
  6: "motion",
} as const;
type Kind = typeof KINDS[keyof typeof KINDS];
const STRONGEST_FIRST = [
  "button press",
  "key press",
  "button release",
  "key release",
  "motion",
] as const;

export class InputTally {
  readonly probed: ProbedPress[] = [];
  #press: Omit<ProbedPress, "handedOn"> & { handedOn: boolean } | undefined;
  readonly #counts = new Map<Kind, Count>();

  add(recorded: Recorded): void {
    if (recorded === "probe") this.#probe();
    else if (recorded === "replay") this.#handOn();
    else this.#count(recorded);
  }

  /** The kind of event that says most, how many there were, and who got the last one. */
  get result(): { readonly kind: Kind; readonly count: Count } | undefined {
    const kind = STRONGEST_FIRST.find((each) => (this.#counts.get(each)?.sent ?? 0) > 0);
    return kind && { kind, count: this.#counts.get(kind)! };
  }

  #count({ client, window, type, detail, time }: InputEvent): void {
    const kind = KINDS[type as keyof typeof KINDS];
    const key = `${detail} ${time}`;
    const count = this.#counts.getOrInsertComputed(kind, () => new Count());
    const isPress = kind === "button press" || kind === "key press";
    if (client !== undefined) {
      count.handOver(key, { client, window });
      if (isPress) this.#press = { handedTo: { client, window }, handedOn: false };
    } else if (kind === "motion") {
      this.#counts.set(kind, new Count().generate(key)); // the way does not matter
    } else {
      count.generate(key);
      if (isPress) this.#press = { handedTo: undefined, handedOn: false };
    }
  }

  #probe(): void {
    const { handedTo, handedOn } = this.#press ?? { handedTo: undefined, handedOn: false };
    this.probed.push({ handedTo, handedOn: handedOn ? "before" : "no" });
  }

  #handOn(): void {
    if (this.#press) this.#press.handedOn = true;
    const last = this.probed.at(-1);
    if (last?.handedOn === "no") last.handedOn = "after";
  }
}

/**
 * Events of one kind. A window manager can get an event first and hand it on: the last recipient
 * counts.
 */
class Count {
  sent = 0;
  last: HandedTo | undefined;
  readonly #waiting = new Set<string>();
  #newest = "";

  /** How many events no client got as events of the core protocol. */
  get lost(): number {
    return this.#waiting.size;
  }

  generate(key: string): this {
    this.last = undefined;
    this.#newest = key;
    this.#waiting.add(key);
    this.sent++;
    return this;
  }

  handOver(key: string, to: HandedTo): void {
    this.#waiting.delete(key);
    if (key === this.#newest) this.last = to;
  }
}
