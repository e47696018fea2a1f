/** Answers that are sent while they are made: JSON, and files. */

import type { FileHandle } from "node:fs/promises";

/** A JSON answer that is sent while it is generated, never held in memory as a whole. */
export class Streamed {
  constructor(
    readonly json: ReadableStream<Uint8Array<ArrayBuffer>>,
    /** Settles when the last byte has been generated, or when the reader cancels; never rejects. */
    readonly ended: Promise<void>,
  ) {}
}

/** A file that is sent while it is read, never held in memory as a whole. */
export interface FileStream {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** In bytes; absent for what goes on until somebody ends it. */
  readonly length?: number;
}

// Sends a part of a file in pieces, as fast as the client takes them.

const PIECE = 256 * 1_024;

/** @param file is closed at the end, and when the client leaves */
export function streamFile(
  file: FileHandle,
  { start, length }: { readonly start: number; readonly length: number },
): FileStream {
  let left = length;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const buffer = new Uint8Array(Math.min(PIECE, left));
        const at = start + length - left;
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
        left -= bytesRead;
        if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
        if (bytesRead > 0 && left > 0) return;
        await file.close();
        controller.close();
      } catch (error) {
        await file.close();
        controller.error(error);
      }
    },
    cancel: () => file.close(),
  }, { highWaterMark: 0 });
  return { stream, length };
}
