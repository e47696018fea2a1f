/**
 * A connection to a message bus of D-Bus, over a socket that passes descriptors. Calls have a time
 * limit, and nothing here blocks.
 */

import { inTime, unlessAborted } from "../../../core/deadline.ts";
import { hasCode, ServiceError } from "../../../core/errors.ts";
import { isTraced, log, trace } from "../../../core/log.ts";
import { shortOrMark } from "../../../core/texts.ts";
import { closeFile, MessageSocket } from "../sockets/message_socket.ts";
import {
  type Incoming,
  IncomingMessages,
  loadWireFormat,
  MESSAGE_TYPE,
  NO_REPLY_EXPECTED,
  type Outgoing,
  type Received,
  type WireFormat,
} from "./wire_format.ts";
import {
  type BusCall,
  BusError,
  type BusReply,
  type BusSignal,
  type CallMatch,
  type CallOptions,
  DAEMON,
  type MessageBus,
  parseBusAddress,
  type SignalMatch,
  TOO_LONG,
  WRONG_NAME,
  WRONG_TYPES,
} from "./types.ts";

export interface BusOptions {
  /** What errors call it. Default: the session bus. */
  readonly name?: string;
  /** How long a call may take. */
  readonly timeoutMs?: number;
  /** The code of a call that takes longer: by default `timed_out`, which few operations declare. */
  readonly lateCode?: "timed_out" | "unavailable";
  /** The longest message that is taken; a longer one is passed over. Default: 16 MiB. */
  readonly maxMessageBytes?: number;
  /** Connects to a socket of the address, in place of this process. */
  readonly connect?: (path: string) => MessageSocket | Promise<MessageSocket>;
}

const TIMEOUT_MS = 5_000;
/** The calls that may wait for their answers at once. */
const MAX_PENDING = 10_000;
/** Characters of what an error says. */
const MAX_ERROR_TEXT = 1_000;

/**
 * Connects to the first socket of an address that answers.
 * @throws ServiceError `unavailable`
 */
export async function openBus(address: string, options: BusOptions = {}): Promise<MessageBus> {
  const { connect = (path) => MessageSocket.connect(path) } = options;
  const paths = parseBusAddress(address);
  if (paths.length === 0) throw unavailable("its address does not name a local socket", options);
  const format = await loadWireFormat();
  const failures: unknown[] = [];
  for (const path of paths) {
    try {
      return await openOne(await connect(path), format, options);
    } catch (error) {
      failures.push(error);
    }
  }
  const last = failures.at(-1);
  if (last instanceof ServiceError) throw last;
  throw unavailable((last as Error).message, { ...options, cause: last });
}

async function openOne(
  socket: MessageSocket,
  format: WireFormat,
  options: BusOptions,
): Promise<MessageBus> {
  const { timeoutMs = TIMEOUT_MS } = options;
  try {
    const late = () => unavailable(`it did not respond within ${timeoutMs} ms`, options);
    await inTime(authenticate(socket, Deno.uid()!), timeoutMs, late);
    const bus = new BusConnection(socket, format, { ...options, timeoutMs });
    const { body: [name] } = await bus.call({ ...DAEMON, member: "Hello" }).catch((error) => {
      throw hasCode(error, "timed_out") ? late() : error;
    });
    bus.name = name as string;
    return bus;
  } catch (error) {
    socket[Symbol.dispose]();
    throw error;
  }
}

interface Pending {
  readonly destination: string;
  readonly maxBytes: number;
  readonly types: string | undefined;
  resolve(reply: BusReply): void;
  reject(error: Error): void;
}

class BusConnection implements MessageBus {
  name = "";
  readonly #closing = Promise.withResolvers<Error>();
  readonly closed = this.#closing.promise;
  #end: Error | undefined;
  #serial = 0;
  readonly #pending = new Map<number, Pending>();
  readonly #subscriptions = new Set<Subscription>();
  /** By what they receive; see {@link keyOf}. */
  readonly #receivers = new Map<string, Receiver>();

  constructor(
    private readonly socket: MessageSocket,
    private readonly format: WireFormat,
    private readonly options: BusOptions & { readonly timeoutMs: number },
  ) {
    this.#readOn();
  }

  get connected(): boolean {
    return this.#end === undefined;
  }

  get released(): Promise<void> {
    return this.socket.released;
  }

  async call(call: BusCall, options: CallOptions = {}) {
    const { timeoutMs = this.options.timeoutMs, signal, maxBytes = Infinity, types } = options;
    const { lateCode = "timed_out" } = this.options;
    if (this.#pending.size >= MAX_PENDING) {
      throw unavailable("too many calls are waiting for a reply", this.options);
    }
    const { destination } = call;
    if (!isBusName(destination)) {
      throw new BusError(WRONG_NAME, "there cannot be such a name on a bus", { destination });
    }
    const { promise, resolve, reject } = Promise.withResolvers<BusReply>();
    promise.catch(() => {}); // it can fail after the wait has ended
    const serial = this.#write(call, 0);
    this.#pending.set(serial, { destination, maxBytes, types, resolve, reject });
    const late = () => new ServiceError(lateCode, lateMessage(call, timeoutMs));
    try {
      return await inTime(unlessAborted(promise, signal), timeoutMs, late);
    } finally {
      this.#pending.delete(serial); // the files of a later answer are closed
    }
  }

  send(call: BusCall): void {
    this.#write(call, NO_REPLY_EXPECTED);
  }

  async on(match: SignalMatch, listener: Listener): Promise<Disposable> {
    const rule = { ...DAEMON, signature: "s", body: [matchRule(match)] };
    const subscription = { match, listener };
    this.#subscriptions.add(subscription);
    try {
      await this.call({ ...rule, member: "AddMatch" });
    } catch (error) {
      this.#subscriptions.delete(subscription);
      throw error;
    }
    return {
      [Symbol.dispose]: () => {
        this.#subscriptions.delete(subscription);
        if (this.connected) this.send({ ...rule, member: "RemoveMatch" });
      },
    };
  }

  receive(match: CallMatch, receiver: Receiver): Disposable {
    const key = keyOf(match);
    this.#receivers.set(key, receiver);
    return { [Symbol.dispose]: () => void this.#receivers.delete(key) };
  }

  [Symbol.dispose](): void {
    this.#close(unavailable("this side has closed the connection", this.options));
  }

  #write(call: BusCall, flags: number): number {
    if (this.#end !== undefined) throw this.#end;
    const { signature = "", body = [], files = [], ...fields } = call;
    const serial = this.#nextSerial();
    const message = { ...fields, signature, body, type: MESSAGE_TYPE.call, flags, serial };
    const bytes = this.format.encode({ ...message, fileCount: files.length });
    if (isTraced("dbus")) {
      const { destination, path, interface: name, member } = call;
      trace("dbus", "to", `${name}.${member}`, { serial, destination, path, bytes: bytes.length });
    }
    this.#transmit(bytes, files);
    return serial;
  }

  /** The socket keeps the order; a failure ends the connection. */
  #transmit(bytes: Uint8Array<ArrayBuffer>, files: readonly number[]): void {
    try {
      const sent = this.socket.send(bytes, files);
      if (sent instanceof Promise) sent.catch((error) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
      throw this.#end;
    }
  }

  #nextSerial(): number {
    this.#serial = this.#serial % 0xffff_ffff + 1;
    return this.#serial;
  }

  async #readOn(): Promise<void> {
    const messages = new IncomingMessages(this.format, this.options.maxMessageBytes);
    try {
      while (this.connected) {
        const { bytes, files } = await this.socket.receive();
        for (const received of messages.add(bytes, files)) this.#take(received);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      messages.takeRemaining().forEach(closeFile);
    }
  }

  /** Descriptors that nobody takes are closed. */
  #take(received: Received): void {
    const { message, files, isTooLong } = received;
    if (isTraced("dbus")) traceReceived(message);
    const isTaken = message.type !== MESSAGE_TYPE.signal && message.type !== MESSAGE_TYPE.call &&
      this.#answer(received);
    if (!isTaken) files.forEach(closeFile);
    if (isTooLong) return;
    if (message.type === MESSAGE_TYPE.signal) this.#notify(signalOf(message));
    if (message.type === MESSAGE_TYPE.call) this.#receiveCall(message);
  }

  /** Whether somebody still waits for this answer, and now has its descriptors. */
  #answer({ message, files, isTooLong }: Received): boolean {
    const { type, replySerial = 0, errorName = "", size, types } = message;
    const pending = this.#pending.get(replySerial);
    if (pending === undefined) return false;
    this.#pending.delete(replySerial);
    const refuse = (name: string, text: string) => {
      pending.reject(new BusError(name, text, pending));
      return false;
    };
    if (isTooLong || size > pending.maxBytes) return refuse(TOO_LONG, "the reply is too long");
    if (type !== MESSAGE_TYPE.reply) {
      const text = types === "s" ? String(message.readBody()[0]) : "";
      return refuse(errorName, shortOrMark(text, MAX_ERROR_TEXT));
    }
    if (pending.types !== undefined && types !== pending.types) {
      return refuse(WRONG_TYPES, "the types of the reply are not those of the method");
    }
    pending.resolve({ body: message.readBody(), files });
    return true;
  }

  /** A listener that fails concerns neither the others nor the connection. */
  #notify(signal: BusSignal): void {
    for (const { match, listener } of [...this.#subscriptions]) {
      runListener(() => matches(match, signal) && listener(signal));
    }
  }

  #receiveCall(message: Incoming): void {
    const answer = runReceiver(this.#receivers.get(keyOf(message)), message);
    if (answer === undefined) return;
    this.#transmit(this.format.encode({ ...answer, serial: this.#nextSerial() }), []);
  }

  #fail(error: unknown): void {
    this.#close(unavailable((error as Error).message, { ...this.options, cause: error }));
  }

  #close(why: ServiceError): void {
    if (this.#end !== undefined) return;
    this.#end = why;
    this.socket[Symbol.dispose]();
    for (const pending of this.#pending.values()) pending.reject(why);
    this.#pending.clear();
    this.#closing.resolve(why);
  }
}

function traceReceived(
  { type, serial, replySerial, interface: name, member, size }: Incoming,
): void {
  const what = type === MESSAGE_TYPE.reply ? "reply" : `${name ?? "error"}.${member ?? ""}`;
  trace("dbus", "from", what, { serial, reply_to: replySerial, bytes: size });
}

function signalOf(message: Incoming) {
  const { sender = "", path = "", interface: name = "", member = "" } = message;
  let body: readonly unknown[] | undefined;
  return {
    sender,
    path,
    interface: name,
    member,
    get body() {
      return body ??= message.readBody(); // many listeners only count signals
    },
  };
}

/** Names the method, but no value: it can be typed text. */
function lateMessage({ destination, member }: BusCall, timeoutMs: number): string {
  return `"${destination}" did not respond to ${member} within ${timeoutMs} ms`;
}

const UNIQUE_NAME = /^:[\w-]+(\.[\w-]+)+$/;
const WELL_KNOWN_NAME = /^[A-Za-z_-][\w-]*(\.[A-Za-z_-][\w-]*)+$/;
const MAX_NAME = 255;

/** Programs give names of others: for a message to what is none, a bus closes the connection. */
function isBusName(name: string): boolean {
  return name.length <= MAX_NAME && (UNIQUE_NAME.test(name) || WELL_KNOWN_NAME.test(name));
}

function unavailable(
  reason: string,
  { name = "session bus", cause }: Pick<BusOptions, "name"> & { readonly cause?: unknown },
): ServiceError {
  return new ServiceError("unavailable", `Cannot use the ${name}: ${reason}`, { cause });
}

// The start of a connection to a bus: who we are, and that descriptors may pass.
// https://dbus.freedesktop.org/doc/dbus-specification.html#auth-protocol

/** Longer lines are no answers of a bus. */
const MAX_LINE_BYTES = 4096;

/**
 * Resolves when the bus takes messages.
 * @throws Error when it refuses this user or cannot pass descriptors.
 */
async function authenticate(socket: MessageSocket, uid: number): Promise<void> {
  const id = [...String(uid)].map((digit) => digit.charCodeAt(0).toString(16)).join("");
  await exchange(socket, `\0AUTH EXTERNAL ${id}\r\n`, "OK");
  await exchange(socket, "NEGOTIATE_UNIX_FD\r\n", "AGREE_UNIX_FD");
  await socket.send(new TextEncoder().encode("BEGIN\r\n"));
}

/** A bus says nothing unasked before `BEGIN`, so nothing follows its line. */
async function exchange(socket: MessageSocket, line: string, expected: string): Promise<void> {
  await socket.send(new TextEncoder().encode(line));
  let reply = "";
  while (!reply.endsWith("\r\n")) {
    const { bytes } = await socket.receive();
    reply += new TextDecoder().decode(bytes);
    if (reply.length > MAX_LINE_BYTES) throw new Error("it is not a bus");
  }
  if (!reply.startsWith(expected)) throw new Error(`it answers ${JSON.stringify(reply.trim())}`);
}

// Calls and signals to this side of a bus: who receives which, and what is answered.

type Receiver = (body: readonly unknown[]) => void;

/** The answer, without which the caller would wait; none if it does not wait. */
function runReceiver(
  receiver: Receiver | undefined,
  { sender = "", serial: replySerial, flags, readBody }: Incoming,
): Omit<Outgoing, "serial"> | undefined {
  const failed = receiver !== undefined && !runListener(() => receiver(readBody()));
  if (flags & NO_REPLY_EXPECTED) return undefined;
  const answer = { flags: NO_REPLY_EXPECTED, replySerial, destination: sender };
  if (failed) return { ...answer, ...errorFields("Failed", "This program has failed") };
  if (receiver !== undefined) return { ...answer, type: MESSAGE_TYPE.reply, body: [] };
  return { ...answer, ...errorFields("UnknownMethod", "This program offers no such method") };
}

function errorFields(name: string, text: string) {
  const errorName = `org.freedesktop.DBus.Error.${name}`;
  return { type: MESSAGE_TYPE.error, errorName, signature: "s", body: [text] };
}

function keyOf({ path, interface: name, member }: Partial<CallMatch>): string {
  return [path, name, member].join(" ");
}

type Listener = (signal: BusSignal) => void;

interface Subscription {
  readonly match: SignalMatch;
  readonly listener: Listener;
}

/** Returns whether it did not fail; a failure is a bug of ours. */
function runListener(listener: () => unknown): boolean {
  try {
    listener();
    return true;
  } catch (error) {
    log.error("a listener of a bus failed", { error: (error as Error)?.stack ?? String(error) });
    return false;
  }
}

/** The match as a rule of the bus. */
function matchRule(match: SignalMatch): string {
  const pairs = Object.entries(match).map(([key, value]) => `${key}='${value}'`);
  return ["type='signal'", ...pairs].join(",");
}

/**
 * Whether the bus sent it for this subscription and not for another one. A signal carries the unique
 * name of its sender, so the bus alone decides about well-known names.
 */
function matches(match: SignalMatch, signal: BusSignal): boolean {
  const { sender, arg0, ...rest } = match;
  if (sender?.startsWith(":") && sender !== signal.sender) return false;
  if (arg0 !== undefined && signal.body[0] !== arg0) return false;
  return Object.entries(rest).every(([key, value]) => signal[key as keyof typeof rest] === value);
}
