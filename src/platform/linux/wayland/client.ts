/** A connection to a Wayland compositor: its globals, the objects made of them, and their events. */

import { inTime } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { addMember } from "../../../core/shared_run.ts";
import type { InterfaceName, WaylandObject } from "./protocols/mod.ts";
import { Connection, type GlobalEntry } from "./wire/connection.ts";
import { MessageSocket, SocketError } from "../sockets/message_socket.ts";

/** A compositor that leaves a request unanswered for this long is treated as gone. */
const ANSWER_TIMEOUT_MS = 10_000;
/** How long a compositor has to answer a new connection. */
const OPEN_TIMEOUT_MS = 5_000;
/**
 * The same for one that may be KWin: it needs up to a second of processor time for each connection,
 * which on a busy computer takes six.
 */
export const KWIN_OPEN_TIMEOUT_MS = 15_000;

interface WaylandClientOptions {
  /** As messages name the compositor: by default the last part of the path. */
  readonly name?: string;
  /** A connection that another process has made; otherwise this one connects. */
  readonly socket?: MessageSocket | undefined;
  readonly openTimeoutMs?: number;
  readonly answerTimeoutMs?: number;
}

export class WaylandClient implements Disposable {
  readonly globals: Globals;
  /** Resolves with the reason when the compositor has gone, or the client was disposed. */
  readonly closed: Promise<ServiceError>;
  readonly #display: WaylandObject<"wl_display">;
  readonly #registry: WaylandObject<"wl_registry">;
  readonly #waiting = new Set<(error: Error) => void>();
  /** The round trip under way whose request was the last one to be sent. */
  #trip: { readonly requests: number; readonly done: Promise<void> } | undefined;

  private constructor(
    readonly name: string,
    /** Of the compositor's socket. */
    readonly path: string,
    private readonly connection: Connection,
    private readonly answerTimeoutMs: number,
  ) {
    this.closed = connection.closed;
    this.closed.then((error) => this.#waiting.forEach((reject) => reject(error)));
    this.#display = connection.create("wl_display", 1);
    this.#display.on("error", (id, code, message) => connection.refuse(id, code, message));
    this.#display.on("delete_id", (id) => connection.forget(id));
    this.#registry = this.#display.send("get_registry");
    this.globals = new Globals(this.#registry);
  }

  /**
   * @param socketPath of the compositor's socket
   * @throws ServiceError `unavailable`: no compositor answers there
   */
  static async open(
    socketPath: string,
    options: WaylandClientOptions = {},
  ): Promise<WaylandClient> {
    const name = options.name ?? socketPath.split("/").at(-1)!;
    const connection = new Connection(options.socket ?? connect(socketPath, name), name);
    const client = new WaylandClient(
      name,
      socketPath,
      connection,
      options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
    );
    try {
      await client.#roundTrip(options.openTimeoutMs ?? OPEN_TIMEOUT_MS);
      return client;
    } catch (error) {
      client[Symbol.dispose]();
      throw error;
    }
  }

  /** `false` once the compositor has gone or hangs; a lost connection never comes back. */
  get connected(): boolean {
    return this.connection.connected;
  }

  /**
   * Delivers the events that the compositor has sent by now: on a busy computer the event loop notices
   * them late. Within a listener it does nothing, because further events come after this one.
   */
  readArrived(): void {
    this.connection.readArrived();
  }

  /**
   * Binds a global.
   * @param version the latest that the caller knows; the object has it, or the compositor's if lower
   * @param global which of several; the first if absent
   * @throws ServiceError `unsupported`: the compositor has no such global
   */
  bind<I extends InterfaceName>(
    interfaceName: I,
    version: number,
    global: GlobalEntry | undefined = this.globals.find(interfaceName),
  ): WaylandObject<I> {
    if (global === undefined) {
      const text = `The Wayland compositor at "${this.name}" has no ${interfaceName}`;
      throw new ServiceError("unsupported", text);
    }
    return this.connection.bind(
      this.#registry,
      { ...global, interface: interfaceName, version: Math.min(version, global.version) },
    );
  }

  /**
   * Resolves when the compositor has processed everything that was sent so far, and all events that
   * it has sent for that were delivered.
   * @throws ServiceError `unavailable`: it has gone, refused a request or does not answer
   */
  roundtrip(): Promise<void> {
    return this.#roundTrip(this.answerTimeoutMs);
  }

  /**
   * Resolves with the result of `work`, which events of the compositor bring.
   * @throws the error of `work`; ServiceError `unavailable` as soon as the compositor has gone
   */
  async untilLost<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    if (!this.connected) this.closed.then(reject);
    using _waiting = addMember(this.#waiting, reject);
    return await Promise.race([promise, work]);
  }

  [Symbol.dispose](): void {
    this.connection.end(new ServiceError("unavailable", `The connection to "${this.name}" ended`));
  }

  #roundTrip(timeoutMs: number): Promise<void> {
    const { connection } = this;
    if (!connection.connected) return this.closed.then((error) => Promise.reject(error));
    if (this.#trip !== undefined && this.#trip.requests === connection.requests) {
      return this.#trip.done; // nothing was sent in between
    }
    const done = this.#sync(timeoutMs).finally(() => {
      if (this.#trip === trip) this.#trip = undefined;
    });
    const trip = this.#trip = { requests: connection.requests, done };
    return done;
  }

  async #sync(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#display.send("sync").on("done", () => resolve());
    await this.untilLost(inTime(promise, timeoutMs, () => this.#hang()));
  }

  #hang(): ServiceError {
    const text = `The Wayland compositor at "${this.name}" does not respond`;
    const error = new ServiceError("unavailable", text);
    this.connection.end(error);
    return error;
  }
}

function connect(path: string, name: string): MessageSocket {
  try {
    return MessageSocket.connect(path);
  } catch (error) {
    if (!(error instanceof SocketError)) throw error;
    const text = `Cannot reach the Wayland compositor "${name}": ${error.message}`;
    throw new ServiceError("unavailable", text, { cause: error });
  }
}

// The globals that a compositor announces: what it offers now.

class Globals {
  readonly #entries = new Map<number, GlobalEntry>();
  readonly #added: ((global: GlobalEntry) => void)[] = [];
  readonly #removed: ((global: GlobalEntry) => void)[] = [];

  constructor(registry: WaylandObject<"wl_registry">) {
    registry.on("global", (name, interfaceName, version) => {
      const global = { name, interface: interfaceName, version };
      this.#entries.set(name, global);
      for (const listener of this.#added) listener(global);
    });
    registry.on("global_remove", (name) => {
      const global = this.#entries.get(name);
      if (global === undefined) return;
      this.#entries.delete(name);
      for (const listener of this.#removed) listener(global);
    });
  }

  /** All, in the order in which they were announced. */
  list(): GlobalEntry[] {
    return [...this.#entries.values()];
  }

  find(interfaceName: InterfaceName): GlobalEntry | undefined {
    return this.list().find((each) => each.interface === interfaceName);
  }

  /** The offered version of an interface; 0 if it is not offered. */
  version(interfaceName: InterfaceName): number {
    return this.find(interfaceName)?.version ?? 0;
  }

  missing(interfaceNames: readonly InterfaceName[]): InterfaceName[] {
    return interfaceNames.filter((each) => this.find(each) === undefined);
  }

  /** Calls `listener` for each global that appears later. */
  onAdded(listener: (global: GlobalEntry) => void): void {
    this.#added.push(listener);
  }

  onRemoved(listener: (global: GlobalEntry) => void): void {
    this.#removed.push(listener);
  }
}
