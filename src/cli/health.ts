/** Checks whether a service on this computer is alive, bypassing any proxy of the environment. */

const ANSWER_MS = 3_000;

/** Whether `/healthz` answers 200 in time. */
export async function isHealthy(address: string): Promise<boolean> {
  const { hostname, port, host } = new URL(address);
  let connection: Deno.TcpConn | undefined;
  const timer = setTimeout(() => connection?.close(), ANSWER_MS);
  try {
    connection = await Deno.connect({
      hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(port || 80),
    });
    const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(request));
    const first = new Uint8Array(64);
    const count = await connection.read(first);
    return /^HTTP\/1\.1 200 /.test(new TextDecoder().decode(first.subarray(0, count ?? 0)));
  } catch {
    return false; // nothing listens there, or it was too slow
  } finally {
    clearTimeout(timer);
    try {
      connection?.close();
    } catch {
      // closed by the timer
    }
  }
}

// Memory that the main thread shares with its watcher: a beat, and the running requests.

/** Indexes into {@link Heartbeat.cells}. */
export const HeartbeatCell = {
  /** Counts the ticks of the main thread. */
  beats: 0,
  /** Bytes of the text in use. */
  length: 1,
} as const;

const CELLS = 2;
const TEXT_BYTES = 1_024;

export interface Heartbeat {
  readonly cells: Int32Array;
  /** The names of the running requests, in UTF-8. */
  readonly text: Uint8Array;
}

export function createHeartbeat(): Heartbeat {
  return {
    cells: new Int32Array(new SharedArrayBuffer(4 * CELLS)),
    text: new Uint8Array(new SharedArrayBuffer(TEXT_BYTES)),
  };
}

/** Stores the running requests; a text that is too long is truncated. */
export function noteRunning({ cells, text }: Heartbeat, names: string): void {
  const { written } = new TextEncoder().encodeInto(names, text);
  Atomics.store(cells, HeartbeatCell.length, written);
}

/** Reads the running requests that were last stored. */
export function readRunning({ cells, text }: Heartbeat): string {
  return new TextDecoder().decode(text.slice(0, Atomics.load(cells, HeartbeatCell.length)));
}
