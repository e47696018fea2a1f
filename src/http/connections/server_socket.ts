/**
 * The service's side of a WebSocket (RFC 6455), on a connection whose request has been read. It
 * ends for certain, whatever the client does.
 */

import { createHash } from "node:crypto";
import { joinBytes, writeAll } from "../../core/bytes.ts";
import { frameOf, FrameReader, type Message, OPCODES, toBytes, Violation } from "./frames.ts";

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
