/** Answers that are sent while they are made: JSON, and files. */

import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { Context } from "./context.ts";

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

// Sends a file, or a part of it, in pieces, as fast as the client takes them.

type FileHeaders = Readonly<
  Record<"Accept-Ranges" | "Content-Disposition" | "Cache-Control" | "ETag", string>
>;

/** What {@link sendFile} answers. */
export function fileAnswers<M extends string>(mediaTypes: readonly M[], headers: FileHeaders) {
  return {
    oneOf: {
      whole: { status: 200, description: "The whole file.", mediaTypes, streamed: true, headers },
      part: {
        status: 206,
        description: "The requested part of the file.",
        mediaTypes,
        streamed: true,
        headers: { ...headers, "Content-Range": "The part: `bytes 0-499/1234`." },
      },
      current: {
        status: 304,
        description: "With `If-None-Match`: the client already has this file.",
        headers: { "ETag": headers["ETag"] },
      },
    },
  } as const;
}

/** @param file is closed at the end, when the client leaves, and if this fails */
export async function sendFile<M extends string>(
  context: Context,
  file: FileHandle,
  describe: (info: Stats) => { readonly mediaType: M; readonly headers: FileHeaders },
) {
  try {
    const info = await file.stat();
    const { mediaType, headers } = describe(info);
    const { ETag } = headers;
    if (context.hasCurrent(ETag)) {
      await file.close();
      return { outcome: "current", headers: { ETag } } as const;
    }
    const range = context.wantedRange?.(info.size, ETag);
    const { start, end } = range ?? { start: 0, end: info.size };
    const sent = { mediaType, file: streamFile(file, { start, length: end - start }) };
    if (range === undefined) return { outcome: "whole", ...sent, headers } as const;
    const part = { ...headers, "Content-Range": `bytes ${start}-${end - 1}/${info.size}` };
    return { outcome: "part", ...sent, headers: part } as const;
  } catch (error) {
    await file.close();
    throw error;
  }
}

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
