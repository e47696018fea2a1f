/** Spares the x11 package an allocation of its own for each part of an answer. */

import { Buffer } from "node:buffer";

/** Parts of the package's buffer that its documentation leaves out. */
export interface Reading {
  readonly _readQueue: unknown[];
  _pumpReads(): void;
  /** Calls back with the next `length` bytes that the server sends. */
  get(length: number, callback: (data: Buffer) => void): void;
}

/**
 * The package allocates zeros for each header and each answer, and then overwrites all of them.
 * Here small ones share memory.
 */
export function readIntoSharedMemory(stream: Reading): void {
  stream.get = (length, callback) => {
    stream._readQueue.push({ length, callback, received: 0, data: Buffer.allocUnsafe(length) });
    stream._pumpReads();
  };
}
