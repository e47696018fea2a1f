/**
 * Detects clients that have closed their connection, by polling the list of connections.
 * Deno's HTTP server reports a client that disconnects only if the whole request arrived in one
 * piece.
 */

import { openIphlpapi } from "../../../ffi/windows/iphlpapi.ts";
import { openPort } from "../open_port.ts";
import { keyOfEnds, type TcpEnds } from "../tcp_ends.ts";
import type { Peers, Port } from "../types/mod.ts";
import { TcpTable } from "./tcp_table.ts";

/** Pause between two reads of the list, which run in another thread. */
const LOOK_MS = 30;

interface Watch {
  /** The result of {@link keyOfEnds}. */
  readonly key: string;
  gone(): void;
  /** Whether the connection has been listed; until then nothing is known about the client. */
  seen: boolean;
}

export function openPeers(): Port<WindowsPeers> {
  return openPort(
    () => new WindowsPeers(new TcpTable(openIphlpapi(), Deno.pid)),
    "Windows cannot be asked for its connections",
  );
}

export class WindowsPeers implements Peers, AsyncDisposable {
  readonly #watches = new Set<Watch>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | undefined;

  constructor(private readonly table: Pick<TcpTable, "read">) {}

  watch(ends: TcpEnds, gone: () => void): Disposable {
    const watch: Watch = { key: keyOfEnds(ends), gone, seen: false };
    this.#watches.add(watch);
    this.#lookSoon();
    return { [Symbol.dispose]: () => void this.#watches.delete(watch) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watches.clear();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  /** Schedules one read for all watches; none while nothing is watched. */
  #lookSoon(): void {
    if (this.#looking !== undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#watches.size > 0) this.#looking = this.#look();
    }, LOOK_MS);
  }

  async #look(): Promise<void> {
    const asked = [...this.#watches];
    const connections = await this.table.read();
    if (connections !== undefined) asked.forEach((watch) => this.#tell(watch, connections));
    this.#looking = undefined;
    if (this.#watches.size > 0) this.#lookSoon();
  }

  #tell(watch: Watch, connections: ReadonlyMap<string, boolean>): void {
    const isOpen = connections.get(watch.key);
    watch.seen ||= isOpen !== undefined;
    if (isOpen === true || !watch.seen) return;
    if (this.#watches.delete(watch)) watch.gone();
  }
}
