/**
 * Detects clients that have closed their connection, by polling the list of connections.
 * Deno's HTTP server reports a client that disconnects only if the whole request arrived in one
 * piece.
 */

import { keepAlive, memory } from "../../../ffi/memory.ts";
import {
  AF_INET,
  AF_INET6,
  ERROR_INSUFFICIENT_BUFFER,
  type Iphlpapi,
  MIB_TCP6ROW_OWNER_PID,
  MIB_TCP_STATE_ESTAB,
  MIB_TCPROW_OWNER_PID,
  NO_ERROR,
  openIphlpapi,
  TABLE_HEAD_BYTES,
  TCP_TABLE_OWNER_PID_ALL,
} from "../../../ffi/windows/iphlpapi.ts";
import { addMember } from "../../core/shared_run.ts";
import { formatAddress, keyOfEnds, type TcpEnds } from "../tcp_ends.ts";
import type { Peers } from "../types/mod.ts";

/** Pause between two reads of the list, which run in another thread. */
const POLL_INTERVAL_MS = 30;

interface Watch {
  /** The result of {@link keyOfEnds}. */
  readonly key: string;
  gone(): void;
  /** Whether the connection has been listed; until then nothing is known about the client. */
  seen: boolean;
}

export class WindowsPeers implements Peers, AsyncDisposable {
  readonly #watches = new Set<Watch>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #polling: Promise<void> | undefined;

  constructor(
    private readonly table: Pick<TcpTable, "read"> = new TcpTable(openIphlpapi(), Deno.pid),
  ) {}

  watch(ends: TcpEnds, gone: () => void): Disposable {
    const watch: Watch = { key: keyOfEnds(ends), gone, seen: false };
    this.#pollSoon();
    return addMember(this.#watches, watch);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watches.clear();
    clearTimeout(this.#timer);
    await this.#polling;
  }

  /** Schedules one read for all watches; none while nothing is watched. */
  #pollSoon(): void {
    if (this.#polling !== undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#watches.size > 0) this.#polling = this.#poll();
    }, POLL_INTERVAL_MS);
  }

  async #poll(): Promise<void> {
    const asked = [...this.#watches];
    const connections = await this.table.read();
    if (connections !== undefined) asked.forEach((watch) => this.#notify(watch, connections));
    this.#polling = undefined;
    if (this.#watches.size > 0) this.#pollSoon();
  }

  #notify(watch: Watch, connections: ReadonlyMap<string, boolean>): void {
    const isOpen = connections.get(watch.key);
    watch.seen ||= isOpen !== undefined;
    if (isOpen === true || !watch.seen) return;
    if (this.#watches.delete(watch)) watch.gone();
  }
}

// Reads the connections of this process from Windows' TCP table.

const FIRST_BYTES = 16 * 1024;
/** Room for connections that are opened between two calls. */
const SPARE_BYTES = 4 * 1024;
const TRIES = 3;
/** The owner of connections that are about to be removed, and under wine of accepted ones. */
const NOBODY = 0;

const FAMILIES = [
  { family: AF_INET, row: MIB_TCPROW_OWNER_PID },
  { family: AF_INET6, row: MIB_TCP6ROW_OWNER_PID },
] as const;

export class TcpTable {
  #rows = memory(FIRST_BYTES);

  constructor(private readonly calls: Iphlpapi, private readonly pid: number) {}

  /**
   * Maps the key of both ends, and that of the remote end alone (`tcp_ends.ts`), to whether the
   * connection is established; `undefined` when Windows does not report connections. Only one call
   * at a time.
   */
  async read(): Promise<ReadonlyMap<string, boolean> | undefined> {
    const found = new Map<string, boolean>();
    for (const { family, row } of FAMILIES) {
      const view = await this.#readFamily(family);
      if (view === undefined) return undefined;
      const behind = TABLE_HEAD_BYTES + view.getUint32(0, true) * row.size;
      for (let at = TABLE_HEAD_BYTES; at < behind; at += row.size) {
        const owner = view.getUint32(at + row.dwOwningPid, true);
        if (owner !== this.pid && owner !== NOBODY) continue;
        const isOpen = view.getUint32(at + row.dwState, true) === MIB_TCP_STATE_ESTAB;
        const end = (address: number, port: number) => ({
          hostname: formatAddress(new Uint8Array(view.buffer, at + address, row.addressBytes)),
          port: view.getUint16(at + port, false),
        });
        const remote = end(row.remoteAddress, row.dwRemotePort);
        const local = end(row.localAddress, row.dwLocalPort);
        for (const key of [keyOfEnds({ remote, local }), keyOfEnds({ remote })]) {
          found.set(key, isOpen || found.get(key) === true);
        }
      }
    }
    return found;
  }

  async #readFamily(family: number): Promise<DataView | undefined> {
    const size = new Uint32Array(1);
    for (let tries = 0; tries < TRIES; tries++) {
      size[0] = this.#rows.byteLength;
      const result = await this.calls.GetExtendedTcpTable(
        ...[this.#rows, size, 0, family, TCP_TABLE_OWNER_PID_ALL, 0] as const,
      );
      keepAlive(this.#rows); // another thread writes into them
      if (result === NO_ERROR) return new DataView(this.#rows.buffer);
      if (result !== ERROR_INSUFFICIENT_BUFFER) return undefined;
      this.#rows = memory(size[0]! + SPARE_BYTES);
    }
    return undefined;
  }
}
