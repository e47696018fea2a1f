/** Sends a part of a file in pieces, as fast as the client takes them. */

import type { FileHandle } from "node:fs/promises";
import type { FileStream } from "../streamed.ts";

const PIECE = 64 * 1_024;

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
        if (bytesRead === 0) return await end(controller);
        left -= bytesRead;
        controller.enqueue(buffer.subarray(0, bytesRead));
        if (left === 0) await end(controller);
      } catch (error) {
        await file.close();
        controller.error(error);
      }
    },
    cancel: () => file.close(),
  }, { highWaterMark: 0 });

  async function end(controller: ReadableStreamDefaultController): Promise<void> {
    await file.close();
    controller.close();
  }

  return { stream, length };
}
