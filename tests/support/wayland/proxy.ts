/**
 * A compositor between a program and the real one, which hands on what both say, but for what a test
 * wants changed: globals that are not announced, descriptors that never arrive, silence, nonsense,
 * a connection that ends, also at one message: the first, the second and so on.
 */

import { pause } from "../../../src/core/deadline.ts";
import {
  MessageReader,
  type WireMessage,
} from "../../../src/platform/linux/wayland/wire/encoding.ts";
import { closeFile, MessageSocket } from "../../../src/platform/linux/sockets/message_socket.ts";
import { UnreadBytesReader } from "../../../src/platform/linux/wayland/unread_bytes.ts";
import type { Cut, CutPlan } from "../cutting_proxy.ts";
import { listenAt, type ListeningSocket } from "./listening_socket.ts";

/** Of `wl_display` and `wl_registry`. */
const DISPLAY = 1;
const GET_REGISTRY = 1;
const GLOBAL = 0;
/** The longest that a compositor takes to read what it was sent; one that is not reported has read it. */
const READ_MS = 1_000;

export interface ProxyOptions {
  /** Interfaces that are not announced. */
  readonly hidden?: readonly string[];
}

/** How an event reaches the program. */
export type Change = "drop" | "without its descriptor" | Uint8Array<ArrayBuffer>;

export class WaylandProxy implements Disposable {
  readonly #connections = new Set<ProxiedConnection>();
  readonly #listening: ListeningSocket;
  readonly #unread: UnreadBytesReader;
  #plan: CutPlan | undefined;
  #count = 0;
  #accepted = 0;
  /** Whether nothing of what the compositor says is handed on. */
  isMute = false;
  /** Decides about each event; without an answer it is handed on. */
  change: (event: WireMessage) => Change | undefined = () => undefined;

  constructor(path: string, private readonly target: string, readonly options: ProxyOptions = {}) {
    this.#listening = listenAt(path, (socket) => this.#accept(socket));
    this.#unread = new UnreadBytesReader(target);
  }

  get path(): string {
    return this.#listening.path;
  }

  /** How many connections there are now. */
  get connections(): number {
    return this.#connections.size;
  }

  /** How many connections there were. */
  get accepted(): number {
    return this.#accepted;
  }

  /**
   * From now on messages count, on whichever connection: those of programs, or with `half` those of the
   * compositor, of which the last one then ends in its middle.
   */
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

  /** What becomes of the next message; `undefined`: it is handed on. */
  next(from: "program" | "compositor"): Cut | undefined {
    if (this.#plan === undefined || (this.#plan.cut === "half") !== (from === "compositor")) return;
    return ++this.#count === this.#plan.nth ? this.#plan.cut : undefined;
  }

  /** Resolves when the compositor has read what it was sent. */
  async whileUnread(): Promise<void> {
    const end = performance.now() + READ_MS;
    const isRead = () => this.#unread.read().values().every((bytes) => bytes === 0);
    while (!isRead() && performance.now() < end) await pause(1);
  }

  /** Says something to every program, as if the compositor had. */
  say(bytes: Uint8Array<ArrayBuffer>): void {
    for (const each of this.#connections) each.program.send(bytes);
  }

  /** Ends the connections; new ones are accepted. */
  hangUp(): void {
    for (const each of this.#connections) each[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
    this.hangUp();
  }

  #accept(program: MessageSocket): void {
    this.#accepted++;
    let compositor: MessageSocket;
    try {
      compositor = MessageSocket.connect(this.target);
    } catch {
      return program[Symbol.dispose](); // it has crashed
    }
    const connection = new ProxiedConnection(program, compositor, this);
    this.#connections.add(connection);
    connection.ended.then(() => this.#connections.delete(connection));
  }
}

/** What is handed on of some bytes. */
interface Changed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many descriptors are not. */
  readonly drops: number;
  /** Whether the connection ends then. */
  readonly isLast: boolean;
}

class ProxiedConnection implements Disposable {
  readonly ended: Promise<unknown>;
  readonly #requests = new MessageReader();
  readonly #events = new MessageReader();
  readonly #registries = new Set<number>();
  /** Of the program: what it says is not handed on. */
  #isCut = false;
  /** Of the compositor: the same. */
  #isMute = false;

  constructor(
    readonly program: MessageSocket,
    private readonly compositor: MessageSocket,
    private readonly proxy: WaylandProxy,
  ) {
    this.ended = Promise.all([this.#handRequestsOn(), this.#handEventsOn()]);
  }

  [Symbol.dispose](): void {
    this.program[Symbol.dispose]();
    this.compositor[Symbol.dispose]();
  }

  #handRequestsOn(): Promise<void> {
    return this.#handOn(this.program, this.compositor, (bytes) => {
      const kept: Uint8Array[] = [];
      this.#requests.push(bytes.slice(), []);
      for (let next = this.#requests.next(); next && !this.#isCut; next = this.#requests.next()) {
        if (next.object === DISPLAY && next.opcode === GET_REGISTRY) {
          this.#registries.add(words(next)[0]!);
        }
        const cut = this.proxy.next("program");
        if (cut !== "before") kept.push(encode(next));
        if (cut !== undefined) this.#isMute = true;
        this.#isCut = cut === "before" || cut === "after";
      }
      return { bytes: join(kept), drops: 0, isLast: this.#isCut };
    });
  }

  #handEventsOn(): Promise<void> {
    return this.#handOn(this.compositor, this.program, (bytes) => {
      const kept: Uint8Array[] = [];
      let drops = 0;
      let isLast = false;
      this.#events.push(bytes, []);
      for (let next = this.#events.next(); next && !isLast; next = this.#events.next()) {
        const change = this.#isHidden(next) ? "drop" : this.proxy.change(next);
        if (change === "without its descriptor") drops++;
        if (change === "drop") continue;
        const encoded = change instanceof Uint8Array ? change : encode(next);
        isLast = !this.#isMute && this.proxy.next("compositor") !== undefined;
        kept.push(isLast ? encoded.subarray(0, encoded.length >> 1) : encoded);
      }
      const isMute = this.#isMute || this.proxy.isMute;
      return { bytes: isMute ? new Uint8Array(0) : join(kept), drops, isLast };
    });
  }

  async #handOn(
    from: MessageSocket,
    to: MessageSocket,
    change: (bytes: Uint8Array<ArrayBuffer>) => Changed,
  ): Promise<void> {
    let waiting: number[] = [];
    try {
      while (true) {
        const { bytes, files } = await from.receive();
        waiting.push(...files);
        const kept = change(bytes);
        waiting.splice(0, kept.drops).forEach(closeFile);
        if (kept.bytes.length > 0) {
          const sent = to.send(kept.bytes, waiting);
          waiting.forEach(closeFile);
          waiting = [];
          await sent;
        } // otherwise the descriptors belong to what comes next
        if (!kept.isLast) continue;
        if (to === this.compositor) await this.proxy.whileUnread();
        throw new Error("It ends here");
      }
    } catch {
      waiting.forEach(closeFile);
      this[Symbol.dispose](); // one of them has left
    }
  }

  #isHidden(event: WireMessage): boolean {
    if (!this.#registries.has(event.object) || event.opcode !== GLOBAL) return false;
    const length = words(event)[1]!;
    const name = new TextDecoder().decode(event.body.subarray(8, 8 + length - 1));
    return this.proxy.options.hidden?.includes(name) ?? false;
  }
}

/** The whole message, as it came. */
export function encode({ object, opcode, body }: WireMessage): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8 + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, object, true);
  view.setUint32(4, bytes.length * 0x10000 + opcode, true);
  bytes.set(body, 8);
  return bytes;
}

function words({ body }: WireMessage): Uint32Array {
  return new Uint32Array(body.slice(0, 8).buffer);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
