/** Sends a part of a file in pieces, as fast as the client takes them. */

import type { FileStream } from "../streamed.ts";

const PIECE = 64 * 1_024;

/** @param file is closed at the end, and when the client leaves */
export function streamFile(
  file: Deno.FsFile,
  { start, length }: { readonly start: number; readonly length: number },
): FileStream {
  let left = length;
  let isAtStart = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        if (!isAtStart) await file.seek(start, Deno.SeekMode.Start);
        isAtStart = true;
        const buffer = new Uint8Array(Math.min(PIECE, left));
        const size = left === 0 ? null : await file.read(buffer);
        if (size === null) return end(controller);
        left -= size;
        controller.enqueue(buffer.subarray(0, size));
        if (left === 0) end(controller);
      } catch (error) {
        file.close();
        controller.error(error);
      }
    },
    cancel: () => file.close(),
  }, { highWaterMark: 0 });

  function end(controller: ReadableStreamDefaultController): void {
    file.close();
    controller.close();
  }

  return { stream, length };
}
