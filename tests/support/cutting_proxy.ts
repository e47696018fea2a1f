/**
 * Stands between a driver and a real server, hands on what both say, and cuts the connection at one message of the
 * driver: the first, the second and so on, whichever of its connections that is on.
 */

import { joinBytes, writeAll } from "../../src/core/bytes.ts";

/**
 * `before`: the message is not handed on, and the connection ends; `after`: it is, and the connection ends before
 * anything is answered; `half`: it is, and the connection ends in the middle of what is answered next; `silent`: it
 * is, and nothing is answered any more.
 */
export type Cut = "before" | "after" | "half" | "silent";

export interface CutPlan {
  /** The message, counted from 1. */
  readonly nth: number;
  readonly cut: Cut;
}

/**
 * The size of the first message of what a client sends, in bytes; `undefined` while its header is incomplete.
 * @param index how many messages this connection has sent before
 */
export type MessageSize = (bytes: Uint8Array, index: number) => number | undefined;

export interface CuttingProxyOptions {
  /** Where the driver connects. */
  readonly listener: Deno.Listener<Deno.Conn>;
  /** Connects to the server. */
  readonly connect: () => Promise<ServerConnection>;
  readonly messageSize: MessageSize;
  /**
   * Whether the server answers each message, and does not notice that the other side ends: then its answer
   * tells that it has processed what came before.
   */
  readonly answersAll?: boolean;
}

type ServerConnection = Deno.TcpConn | Deno.UnixConn;

export class CuttingProxy implements AsyncDisposable {
  readonly #pairs = new Set<Pair>();
  readonly #accepting: Promise<void>;
  #plan: CutPlan | undefined;
  #count = 0;
  #accepted = 0;

  constructor(readonly options: CuttingProxyOptions) {
    this.#accepting = this.#accept();
  }

  /** How many connections there were. */
  get accepted(): number {
    return this.#accepted;
  }

  /** From now on messages count. */
  arm(plan: CutPlan): void {
    this.#plan = plan;
    this.#count = 0;
  }

  /** From now on nothing is cut; gives whether the message came. */
  disarm(): boolean {
    const { nth = Infinity } = this.#plan ?? {};
    this.#plan = undefined;
    return this.#count >= nth;
  }

  /** Ends all connections, when the server has processed what they have sent; new ones are accepted. */
  async hangUp(): Promise<void> {
    await Promise.all([...this.#pairs].map((pair) => pair.cut()));
  }

  /** What becomes of the next message; `undefined`: it is handed on. */
  next(): Cut | undefined {
    if (this.#plan === undefined) return undefined;
    return ++this.#count === this.#plan.nth ? this.#plan.cut : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.options.listener.close();
    await this.#accepting;
    for (const pair of this.#pairs) pair.close();
    await Promise.all([...this.#pairs].map(({ ended }) => ended));
  }

  async #accept(): Promise<void> {
    for await (const client of this.options.listener) {
      this.#accepted++;
      const server = await this.options.connect().catch(() => undefined);
      if (server === undefined) {
        client.close(); // the server has gone
        continue;
      }
      const pair = new Pair(client, server, this);
      this.#pairs.add(pair);
      pair.ended.then(() => this.#pairs.delete(pair));
    }
  }
}

/** One connection of the driver, and the one to the server that stands for it. */
class Pair {
  readonly ended: Promise<void>;
  readonly #toDriver: Promise<void>;
  /** Resolves when something is answered that is not handed on, or when it has ended. */
  readonly #answer = Promise.withResolvers<void>();
  #sent = 0;
  /** Of the server: what it says is not handed on, or half of it. */
  #isMute = false;
  #isHalved = false;
  /** Of the driver: what it says is not handed on. */
  #isCut = false;

  constructor(
    private readonly client: Deno.Conn,
    private readonly server: ServerConnection,
    private readonly proxy: CuttingProxy,
  ) {
    this.#toDriver = this.#handAnswersOn();
    const toServer = this.#handMessagesOn();
    this.ended = Promise.all([this.#toDriver, toServer]).then(() => this.close());
  }

  /** The driver sees the end when the server has processed what came before, and seen the end of it. */
  async cut(): Promise<void> {
    this.#isCut = true;
    if (this.proxy.options.answersAll) {
      if (this.#isMute && !this.#isHalved) await this.#answer.promise;
    } else {
      await this.server.closeWrite().catch(() => {}); // it has ended already
      await this.#toDriver;
    }
    this.close();
  }

  close(): void {
    for (const connection of [this.client, this.server]) {
      try {
        connection.close();
      } catch {
        // it is closed already
      }
    }
  }

  async #handMessagesOn(): Promise<void> {
    let rest = new Uint8Array(0);
    for await (const bytes of chunks(this.client)) {
      if (this.#isCut) continue;
      rest = joinBytes([rest, bytes]);
      const { size, cut } = this.#pass(rest);
      const passed = rest.subarray(0, size);
      rest = rest.slice(size);
      await writeAll(this.server, passed).catch(() => {}); // it has ended
      if (cut === "before" || cut === "after") void this.cut();
    }
    if (this.#isCut) return;
    if (this.proxy.options.answersAll) this.close();
    else await this.server.closeWrite().catch(() => {});
  }

  /** How many bytes are handed on, and what becomes of the connection then. */
  #pass(bytes: Uint8Array): { readonly size: number; readonly cut?: Cut } {
    let at = 0;
    while (at < bytes.length) {
      const size = this.proxy.options.messageSize(bytes.subarray(at), this.#sent);
      if (size === undefined || at + size > bytes.length) break;
      this.#sent++;
      const cut = this.proxy.next();
      if (cut === "before") return { size: at, cut };
      at += size;
      if (cut === "half") this.#isHalved = true;
      else if (cut !== undefined) this.#isMute = true;
      if (cut === "after") return { size: at, cut };
    }
    return { size: at };
  }

  async #handAnswersOn(): Promise<void> {
    for await (const bytes of chunks(this.server)) {
      const isLast = this.#isHalved && !this.#isMute;
      const passed = isLast ? bytes.subarray(0, bytes.length >> 1) : bytes;
      if (this.#isMute) this.#answer.resolve();
      if (!this.#isMute) await writeAll(this.client, passed).catch(() => {}); // it has left
      if (!isLast) continue;
      this.#isMute = true;
      void this.cut();
    }
    this.#answer.resolve();
    // the server has left; where it is mute, it is the driver that leaves
    if (!this.#isMute) this.close();
  }
}

async function* chunks(connection: Deno.Conn): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (let count; (count = await connection.read(buffer)) !== null;) {
      yield buffer.slice(0, count);
    }
  } catch {
    // it was closed
  }
}

// Where the messages of each protocol end.

/** X: the connection setup, then requests, also those of BIG-REQUESTS (X protocol, chapter 8 and "Request Format"). */
export const xMessageSize: MessageSize = (bytes, index) => {
  const view = viewOf(bytes);
  const padded = (length: number) => (length + 3) & ~3;
  if (index === 0) {
    if (bytes.length < 12) return undefined;
    return 12 + padded(view.getUint16(6, true)) + padded(view.getUint16(8, true));
  }
  if (bytes.length < 4) return undefined;
  const words = view.getUint16(2, true);
  if (words > 0) return 4 * words;
  return bytes.length < 8 ? undefined : 4 * view.getUint32(4, true);
};

/** D-Bus: the lines of the authentication, then messages (D-Bus specification, "Message Format"). */
export const busMessageSize: MessageSize = (bytes) => {
  if (bytes[0] !== LITTLE_ENDIAN) {
    const end = bytes.indexOf(LINE_FEED);
    return end < 0 ? undefined : end + 1;
  }
  if (bytes.length < 16) return undefined;
  const view = viewOf(bytes);
  const fields = (view.getUint32(12, true) + 7) & ~7;
  return 16 + fields + view.getUint32(4, true);
};

/** "l", with which no line of the authentication begins. */
const LITTLE_ENDIAN = 0x6c;
const LINE_FEED = 0x0a;

/** sway-ipc(7), "MESSAGE FORMAT". */
export const swayMessageSize: MessageSize = (bytes) =>
  bytes.length < 14 ? undefined : 14 + viewOf(bytes).getUint32(6, true);

/** HTTP without bodies, and the frames of a WebSocket that follow (RFC 6455, section 5.2). */
export const webSocketMessageSize: MessageSize = (bytes) => {
  if (bytes[0] === FIRST_OF_GET) {
    const end = new TextDecoder("latin1").decode(bytes).indexOf("\r\n\r\n");
    return end < 0 ? undefined : end + 4;
  }
  if (bytes.length < 2) return undefined;
  const view = viewOf(bytes);
  const short = bytes[1]! & 0x7f;
  const mask = (bytes[1]! & 0x80) === 0 ? 0 : 4;
  if (short < 126) return 2 + mask + short;
  if (short === 126) return bytes.length < 4 ? undefined : 4 + mask + view.getUint16(2);
  return bytes.length < 10 ? undefined : 10 + mask + Number(view.getBigUint64(2));
};

/** "G", which is the first byte of no frame. */
const FIRST_OF_GET = 0x47;

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
