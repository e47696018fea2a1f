/**
 * The service's side of a WebSocket (RFC 6455), on a connection whose request has been read. It
 * ends for certain, whatever the client does.
 */

import { createHash } from "node:crypto";
import { joinBytes, writeAll } from "../../core/bytes.ts";
import { RateLimit } from "../../core/locks.ts";

/** A client that is silent for so long is asked; if it says nothing again, it has gone. */
const PING_MS = 20_000;
/** A client has so long to answer when it is closed. */
const CLOSE_MS = 1_000;
/** While more than this waits to be sent, in bytes, no ping is answered. */
const MAX_UNSENT_FOR_PONG = 64 * 1024;
/** 1.3 */
const ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** 7.4.1 */
const CLOSE = { normal: 1000, noText: 1007 } as const;

interface SocketOptions {
  readonly connection: Pick<Deno.TcpConn, "read" | "write">;
  /** What has come after the request. */
  readonly rest: Uint8Array<ArrayBuffer>;
  /** The value of `Sec-WebSocket-Key`. */
  readonly key: string;
  /** Closes the connection, also while something is written to it. */
  readonly cut: () => void;
  readonly pingMs?: number;
}

/** Neither may throw. */
interface SocketEvents {
  onMessage(message: string | Uint8Array): void;
  /** Called once: nothing comes any more, and nothing is sent. */
  onClose(): void;
}

export class ServerSocket {
  readonly #end = Promise.withResolvers<void>();
  /** Resolves when the connection is closed. */
  readonly ended = this.#end.promise;
  readonly #reader: FrameReader;
  readonly #timer: ReturnType<typeof setInterval>;
  #closing: ReturnType<typeof setTimeout> | undefined;
  #events: SocketEvents | undefined;
  #isOpen = true;
  #isSilent = false;
  readonly #queue: Uint8Array<ArrayBuffer>[] = [];
  #unsent = 0;
  #writing: Promise<void> | undefined;

  /** Accepts the request. */
  constructor(private readonly options: SocketOptions) {
    const { connection, rest, key, pingMs = PING_MS } = options;
    this.#reader = new FrameReader(connection, rest);
    this.#timer = setInterval(() => this.#look(), pingMs);
    const accept = createHash("sha1").update(key + ACCEPT_GUID).digest("base64");
    const headers = `connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}`;
    const head = `HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n\r\n`;
    this.#write(new TextEncoder().encode(head));
  }

  /** Begins to read. */
  start(events: SocketEvents): void {
    this.#events = events;
    this.#readAll().finally(() => this.terminate());
  }

  /** How many bytes wait to be sent. */
  get unsent(): number {
    return this.#unsent;
  }

  /** Resolves when they are sent, or the connection is closed. */
  get written(): Promise<void> {
    return this.#writing ?? Promise.resolve();
  }

  /** Does nothing where it is closed. */
  send(message: string | ArrayBuffer): void {
    if (typeof message === "string") this.#send(OPCODES.text, new TextEncoder().encode(message));
    else this.#send(OPCODES.binary, new Uint8Array(message));
  }

  /** Nothing comes or goes from now on; the connection ends when the client agrees, or soon. */
  close(code: number, reason = ""): void {
    if (!this.#isOpen) return;
    for (const { length } of this.#queue.splice(1)) this.#unsent -= length; // one is being written
    this.#send(OPCODES.close, joinBytes([toBytes(code, 2), new TextEncoder().encode(reason)]));
    this.#closing = setTimeout(() => this.terminate(), CLOSE_MS);
    this.#leave();
  }

  /** Closes the connection at once. */
  terminate(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#closing);
    this.#queue.length = 0;
    this.options.cut();
    this.#leave();
    this.#end.resolve();
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#events?.onClose();
  }

  #look(): void {
    if (this.#isSilent) return this.terminate();
    this.#isSilent = true;
    this.#send(OPCODES.ping, new Uint8Array());
  }

  /** Until the client closes it. */
  async #readAll(): Promise<void> {
    try {
      while (this.#receive(await this.#reader.next()));
      await this.written;
    } catch (error) {
      if (!(error instanceof Violation)) return; // the client has gone
      this.close(error.code, error.message);
      await this.#reader.drain(); // unread bytes would reset the connection, and lose the reason
    }
  }

  /** @returns whether more may come @throws Violation for a text that is none */
  #receive({ opcode, payload }: Message): boolean {
    this.#isSilent = false;
    if (opcode === OPCODES.close) {
      this.close(CLOSE.normal);
      return false;
    }
    if (opcode === OPCODES.ping && this.#unsent < MAX_UNSENT_FOR_PONG) {
      this.#send(OPCODES.pong, payload);
    } else if (opcode < OPCODES.close && this.#isOpen) {
      this.#events?.onMessage(opcode === OPCODES.text ? decodeText(payload) : payload);
    }
    return true;
  }

  #send(opcode: number, payload: Uint8Array): void {
    if (this.#isOpen) this.#write(frameOf(opcode, payload));
  }

  #write(bytes: Uint8Array<ArrayBuffer>): void {
    this.#queue.push(bytes);
    this.#unsent += bytes.length;
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    try {
      for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
        await writeAll(this.options.connection, next);
        this.#queue.shift();
        this.#unsent -= next.length;
      }
    } catch {
      this.terminate(); // the client has gone
    }
    this.#writing = undefined;
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Violation(CLOSE.noText, "The text is not in UTF-8");
  }
}

// The frames of a WebSocket (RFC 6455, 5), as a service reads and writes them; no extensions.

/** Of a message, in however many frames it comes. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** A frame counts once, and once more for each KiB: long messages take as much time as many. */
const FRAMES_PER_SECOND = 500;
const FRAMES_AT_ONCE = 1_000;
const BUFFER_BYTES = 16 * 1024;

const OPCODES = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const [FINAL, RESERVED, MASKED, MAX_CONTROL_BYTES] = [0x80, 0x70, 0x80, 125];

/** A whole message, or a control frame. */
interface Message {
  readonly opcode: number;
  readonly payload: Uint8Array<ArrayBuffer>;
}

interface Begun {
  readonly opcode: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  length: number;
}

/** What no client may send, with the code (7.4.1) that tells it so. */
class Violation extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
  }
}

/** Reads what a client sends, of which it holds no more than one message. */
class FrameReader {
  readonly #limit = new RateLimit(FRAMES_PER_SECOND, FRAMES_AT_ONCE);
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  /** A message of which more is to come. */
  #begun: Begun | undefined;

  /** @param rest what has been read already */
  constructor(
    private readonly connection: Pick<Deno.TcpConn, "read">,
    private rest: Uint8Array<ArrayBuffer>,
  ) {}

  /** @throws Violation; an error when the connection has ended */
  async next(): Promise<Message> {
    while (true) {
      const { opcode, payload, isFinal } = await this.#readFrame();
      if (opcode >= OPCODES.close || isFinal && this.#begun === undefined) {
        return { opcode, payload };
      }
      const begun = this.#begun ??= { opcode, bytes: new Uint8Array(MAX_MESSAGE_BYTES), length: 0 };
      begun.bytes.set(payload, begun.length);
      begun.length += payload.length;
      if (!isFinal) continue;
      this.#begun = undefined;
      return { opcode: begun.opcode, payload: begun.bytes.subarray(0, begun.length) };
    }
  }

  /** Reads on until the connection ends, and drops it all. */
  async drain(): Promise<void> {
    while (await this.connection.read(this.#buffer).catch(() => null) !== null);
  }

  async #readFrame(): Promise<Message & { readonly isFinal: boolean }> {
    const [first = 0, second = 0] = await this.#take(2);
    const [opcode, short, isFinal] = [first & 0x0f, second & ~MASKED, (first & FINAL) !== 0];
    const isControl = opcode >= OPCODES.close;
    const isExpected = isControl
      ? isFinal && opcode <= OPCODES.pong && short <= MAX_CONTROL_BYTES
      : opcode <= OPCODES.binary && (opcode === OPCODES.more) === (this.#begun !== undefined);
    if (!isExpected || (first & RESERVED) !== 0 || (second & MASKED) === 0) {
      throw new Violation(1002, "This is no frame of a client");
    }
    const length = short < 126 ? short : toNumber(await this.#take(short === 126 ? 2 : 8));
    if (!isControl && length + (this.#begun?.length ?? 0) > MAX_MESSAGE_BYTES) {
      throw new Violation(1009, `A message has at most ${MAX_MESSAGE_BYTES} bytes`);
    }
    if (!this.#limit.take(1 + Math.floor(length / 1_024))) {
      throw new Violation(1008, "Too many messages");
    }
    const mask = await this.#take(4);
    const payload = await this.#take(length);
    for (let at = 0; at < length; at++) payload[at] = payload[at]! ^ mask[at & 3]!;
    return { opcode, payload, isFinal };
  }

  /** Exactly so many bytes. */
  async #take(count: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(count);
    for (let done = 0; done < count;) {
      if (this.rest.length === 0) {
        const size = await this.connection.read(this.#buffer);
        if (size === null) throw new Deno.errors.UnexpectedEof("The client has gone");
        this.rest = this.#buffer.subarray(0, size);
      }
      const part = this.rest.subarray(0, count - done);
      bytes.set(part, done);
      done += part.length;
      this.rest = this.rest.subarray(part.length);
    }
    return bytes;
  }
}

/** A message or a control frame as the service sends it, in one frame. */
function frameOf(opcode: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = payload;
  const size = length < 126
    ? [length]
    : length < 65_536
    ? [126, ...toBytes(length, 2)]
    : [127, ...toBytes(length, 8)];
  return joinBytes([Uint8Array.of(FINAL | opcode, ...size), payload]);
}

/** A number in so many bytes, the highest first. */
function toBytes(value: number, bytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: bytes }, (_, at) => value / 256 ** (bytes - 1 - at) % 256);
}

function toNumber(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
