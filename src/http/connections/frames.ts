/** The frames of a WebSocket (RFC 6455, 5), as a service reads and writes them; no extensions. */

import { joinBytes } from "../../core/bytes.ts";
import { RateLimit } from "../../core/rate_limit.ts";

/** Of a message, in however many frames it comes. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** A frame counts once, and once more for each KiB: long messages take as much time as many. */
const FRAMES_PER_SECOND = 500;
const FRAMES_AT_ONCE = 1_000;
const BUFFER_BYTES = 16 * 1024;

export const OPCODES = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const [FINAL, RESERVED, MASKED, MAX_CONTROL_BYTES] = [0x80, 0x70, 0x80, 125];

/** A whole message, or a control frame. */
export interface Message {
  readonly opcode: number;
  readonly payload: Uint8Array<ArrayBuffer>;
}

interface Begun {
  readonly opcode: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  length: number;
}

/** What no client may send, with the code (7.4.1) that tells it so. */
export class Violation extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
  }
}

/** Reads what a client sends, of which it holds no more than one message. */
export class FrameReader {
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
export function frameOf(opcode: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = payload;
  const size = length < 126
    ? [length]
    : length < 65_536
    ? [126, ...toBytes(length, 2)]
    : [127, ...toBytes(length, 8)];
  return joinBytes([Uint8Array.of(FINAL | opcode, ...size), payload]);
}

/** A number in so many bytes, the highest first. */
export function toBytes(value: number, bytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: bytes }, (_, at) => value / 256 ** (bytes - 1 - at) % 256);
}

export function toNumber(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
