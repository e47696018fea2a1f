/** Memory that the main thread shares with its watcher: a beat, and the running requests. */

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
