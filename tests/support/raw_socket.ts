/** A client of a WebSocket that sends what it likes, frame by frame, and reads only when it is told to. */

import { joinBytes, writeAll } from "../../src/core/bytes.ts";

/** The key of the example in RFC 6455, 1.3. */
export const SAMPLE_KEY = "dGhlIHNhbXBsZSBub25jZQ==";
export const SAMPLE_ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

interface FrameOptions {
  /** By default a text. */
  readonly opcode?: number;
  readonly isFinal?: boolean;
  readonly isMasked?: boolean;
  readonly reserved?: number;
}

const MASK = Uint8Array.of(0x11, 0x22, 0x33, 0x44);

/** One frame, as a client sends it unless the options say otherwise. */
export function frame(payload: string | Uint8Array = "", options: FrameOptions = {}): Uint8Array {
  const { opcode = 1, isFinal = true, isMasked = true, reserved = 0 } = options;
  const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const [short = 0, ...more] = sizeOf(bytes.length);
  const head = [(isFinal ? 0x80 : 0) | reserved | opcode, (isMasked ? 0x80 : 0) | short, ...more];
  if (!isMasked) return joinBytes([Uint8Array.from(head), bytes]);
  return joinBytes([Uint8Array.from(head), MASK, bytes.map((byte, at) => byte ^ MASK[at & 3]!)]);
}

function sizeOf(length: number): number[] {
  if (length < 126) return [length];
  if (length < 65_536) return [126, length >> 8, length & 0xff];
  return [127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((bits) => length >> bits & 0xff)];
}

interface Received {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

export class RawSocket implements Disposable {
  constructor(readonly connection: Deno.TcpConn) {}

  async send(...frames: readonly Uint8Array[]): Promise<void> {
    await writeAll(this.connection, joinBytes(frames));
  }

  /** The answer to the request, with its headers. */
  async head(): Promise<string> {
    let text = "";
    while (!text.endsWith("\r\n\r\n")) {
      const bytes = await this.#take(1);
      if (bytes === undefined) return text;
      text += String.fromCharCode(bytes[0]!);
    }
    return text;
  }

  /** The next frame of the service; `undefined` at the end. */
  async next(): Promise<Received | undefined> {
    const head = await this.#take(2);
    if (head === undefined) return undefined;
    const short = head[1]!;
    const size = short < 126 ? head.subarray(1) : await this.#take(short === 126 ? 2 : 8);
    const length = size?.reduce((all, byte) => all * 256 + byte, 0);
    const payload = length === undefined ? undefined : await this.#take(length);
    return payload && { opcode: head[0]! & 0x0f, payload };
  }

  /** The code of the close frame; `undefined` where the connection ends without one. */
  async closeCode(): Promise<number | undefined> {
    for (let next = await this.next(); next !== undefined; next = await this.next()) {
      if (next.opcode === 8) return next.payload[0]! << 8 | next.payload[1]!;
    }
    return undefined;
  }

  /** Resolves when the service has closed the connection. */
  async ended(): Promise<void> {
    while (await this.next() !== undefined);
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }

  /** `undefined` where the connection ends before. */
  async #take(count: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(count);
    for (let done = 0; done < count;) {
      const size = await this.connection.read(bytes.subarray(done)).catch(() => null);
      if (size === null) return undefined;
      done += size;
    }
    return bytes;
  }
}
