/**
 * A compositor between a program and the real one, which hands on what both say, but for what a test
 * wants changed: globals that are not announced, descriptors that never arrive, silence, nonsense,
 * a connection that ends.
 */

import { closeFile } from "../../../src/platform/linux/sockets/library.ts";
import {
  MessageReader,
  type WireMessage,
} from "../../../src/platform/linux/wayland/wire/encoding.ts";
import { MessageSocket } from "../../../src/platform/linux/sockets/message_socket.ts";
import { listenAt, type ListeningSocket } from "./listening_socket.ts";

/** Of `wl_display` and `wl_registry`. */
const DISPLAY = 1;
const GET_REGISTRY = 1;
const GLOBAL = 0;

export interface ProxyOptions {
  /** Interfaces that are not announced. */
  readonly hidden?: readonly string[];
}

/** How an event reaches the program. */
export type Change = "drop" | "without its descriptor" | Uint8Array<ArrayBuffer>;

export class WaylandProxy implements Disposable {
  readonly #connections = new Set<ProxiedConnection>();
  readonly #listening: ListeningSocket;
  /** Whether nothing of what the compositor says is handed on. */
  isMute = false;
  /** Decides about each event; without an answer it is handed on. */
  change: (event: WireMessage) => Change | undefined = () => undefined;

  constructor(path: string, private readonly target: string, readonly options: ProxyOptions = {}) {
    this.#listening = listenAt(path, (socket) => this.#accept(socket));
  }

  get path(): string {
    return this.#listening.path;
  }

  /** How many connections there are now. */
  get connections(): number {
    return this.#connections.size;
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

class ProxiedConnection implements Disposable {
  readonly ended: Promise<unknown>;
  readonly #requests = new MessageReader();
  readonly #events = new MessageReader();
  readonly #registries = new Set<number>();

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
      this.#requests.push(bytes.slice(), []);
      for (let next = this.#requests.next(); next; next = this.#requests.next()) {
        if (next.object === DISPLAY && next.opcode === GET_REGISTRY) {
          this.#registries.add(words(next)[0]!);
        }
      }
      return { bytes, drops: 0 };
    });
  }

  #handEventsOn(): Promise<void> {
    return this.#handOn(this.compositor, this.program, (bytes) => {
      const kept: Uint8Array[] = [];
      let drops = 0;
      this.#events.push(bytes, []);
      for (let next = this.#events.next(); next; next = this.#events.next()) {
        const change = this.#isHidden(next) ? "drop" : this.proxy.change(next);
        if (change === "without its descriptor") drops++;
        if (change === "drop") continue;
        kept.push(change instanceof Uint8Array ? change : encode(next));
      }
      return this.proxy.isMute ? { bytes: new Uint8Array(0), drops } : { bytes: join(kept), drops };
    });
  }

  async #handOn(
    from: MessageSocket,
    to: MessageSocket,
    change: (bytes: Uint8Array<ArrayBuffer>) => { bytes: Uint8Array<ArrayBuffer>; drops: number },
  ): Promise<void> {
    let waiting: number[] = [];
    try {
      while (true) {
        const { bytes, files } = await from.receive();
        waiting.push(...files);
        const kept = change(bytes);
        waiting.splice(0, kept.drops).forEach(closeFile);
        if (kept.bytes.length === 0) continue; // the descriptors belong to what comes next
        const sent = to.send(kept.bytes, waiting);
        waiting.forEach(closeFile);
        waiting = [];
        await sent;
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
