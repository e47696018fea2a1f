/**
 * Detects clients that have closed their connection by examining the socket itself. Deno's HTTP
 * server reports a disconnected client only when the whole request arrived in one piece.
 */

import { openPort } from "../open_port.ts";
import type { TcpEnds } from "../tcp_ends.ts";
import type { Peers, Port } from "../types/mod.ts";
import { isBrowserClient } from "./browser_client.ts";
import { ClientSockets } from "./client_sockets.ts";

/**
 * Interval between looks. Each costs a few microseconds for each connection, so that it grows by
 * `perWatch` with their number: typing stops soon, and a thousand long polls cost little.
 */
const LOOK_MS = { least: 20, perWatch: 1, most: 200 };

interface Watch {
  readonly ends: TcpEnds;
  gone(): void;
  /** The descriptor of the connection, once it is known. */
  file: number | undefined;
}

export function openPeers(stateDirs: readonly string[]): Port<LinuxPeers> {
  return openPort(
    () => new LinuxPeers(new ClientSockets(), stateDirs),
    "The system's C library cannot be asked",
  );
}

export class LinuxPeers implements Peers, Disposable {
  readonly #watches = new Set<Watch>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasFound = false;

  constructor(
    private readonly sockets: ClientSockets,
    private readonly stateDirs: readonly string[],
  ) {}

  isOwnBrowser(ends: TcpEnds): Promise<boolean> {
    return isBrowserClient(this.stateDirs, ends);
  }

  watch(ends: TcpEnds, gone: () => void): Disposable {
    const watch: Watch = { ends, gone, file: undefined };
    this.#watches.add(watch);
    this.#timer ??= this.#lookLater();
    return { [Symbol.dispose]: () => void this.#watches.delete(watch) };
  }

  [Symbol.dispose](): void {
    this.#watches.clear();
    clearTimeout(this.#timer);
    this.sockets[Symbol.dispose]();
  }

  /** One look serves all watches; the timer stops when there are none. */
  #look(): void {
    for (const watch of [...this.#watches]) {
      watch.file ??= this.sockets.find(watch.ends);
      this.#hasFound ||= watch.file !== undefined;
      if (watch.file !== undefined && this.sockets.isOpen(watch.file, watch.ends)) continue;
      this.#watches.delete(watch);
      // A client can leave before the first look. That says nothing where no connection is found.
      if (this.#hasFound) watch.gone();
    }
    this.#timer = this.#watches.size === 0 ? undefined : this.#lookLater();
  }

  #lookLater(): ReturnType<typeof setTimeout> {
    const { least, perWatch, most } = LOOK_MS;
    const ms = Math.min(most, Math.max(least, perWatch * this.#watches.size));
    return setTimeout(() => this.#look(), ms);
  }
}
