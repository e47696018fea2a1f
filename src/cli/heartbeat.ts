/** What the main thread and the thread that watches it share: a beat, and what runs. */

/** Numbers in {@link Heartbeat.cells}. */
export const HeartbeatCell = {
  /** One more with each look of the main thread at the clock. */
  beats: 0,
  /** Bytes of the text that are in use. */
  length: 1,
} as const;

const CELLS = 2;
const TEXT_BYTES = 1_024;

export interface Heartbeat {
  readonly cells: Int32Array;
  /** UTF-8. */
  readonly text: Uint8Array;
}

export function createHeartbeat(): Heartbeat {
  return {
    cells: new Int32Array(new SharedArrayBuffer(4 * CELLS)),
    text: new Uint8Array(new SharedArrayBuffer(TEXT_BYTES)),
  };
}

/** Notes what runs now; a text that is too long is cut. */
export function noteRunning({ cells, text }: Heartbeat, names: string): void {
  const { written } = new TextEncoder().encodeInto(names, text);
  Atomics.store(cells, HeartbeatCell.length, written);
}

/** What ran when it was last noted. */
export function readRunning({ cells, text }: Heartbeat): string {
  return new TextDecoder().decode(text.slice(0, Atomics.load(cells, HeartbeatCell.length)));
}
