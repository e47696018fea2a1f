/** Reads the connections of this process from Windows' TCP table. */

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
  TABLE_HEAD_BYTES,
  TCP_TABLE_OWNER_PID_ALL,
} from "../../../ffi/windows/iphlpapi.ts";
import { formatAddress, keyOfEnds } from "../tcp_ends.ts";

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
