/** Sends the file of a recording, whole or in part. */

import type { FileHandle } from "node:fs/promises";
import { ServiceError } from "../../core/errors.ts";
import { openRegular } from "../../core/open_regular.ts";
import type { Context } from "../context.ts";
import type { ResultOf } from "../outcomes.ts";
import type { FileStream } from "../streamed.ts";
import { PLAYER_POLICY } from "./player_page.ts";
import type { StoredRecording } from "./recording_store.ts";

const MEDIA_TYPES = ["video/webm", "video/mp4", "text/html"] as const;

const HEADERS = {
  "Accept-Ranges": "`bytes`: parts can be requested.",
  "Content-Disposition": "The file name under which a browser saves the recording.",
  "Content-Security-Policy": "For a page: what its scripts may do.",
  "Cache-Control": "A copy may be kept, but must be revalidated before it is used.",
  "ETag": "The entity tag; it changes while the file grows.",
};

export const RECORDING_FILE = {
  oneOf: {
    whole: {
      status: 200,
      description: "The whole file.",
      mediaTypes: MEDIA_TYPES,
      streamed: true,
      headers: HEADERS,
    },
    part: {
      status: 206,
      description: "The requested part of the file.",
      mediaTypes: MEDIA_TYPES,
      streamed: true,
      headers: { ...HEADERS, "Content-Range": "The part: `bytes 0-499/1234`." },
    },
    current: {
      status: 304,
      description: "With `If-None-Match`: the client already has this file.",
      headers: { "ETag": HEADERS["ETag"] },
    },
  },
} as const;

export async function getRecording(
  context: Context,
  { id }: { readonly id: string },
): Promise<ResultOf<typeof RECORDING_FILE>> {
  const { recordings } = context.session;
  const recording = await recordings.find(id);
  const file = await openFile(recordings.pathOf(recording), recording);
  try {
    const { size } = await file.stat();
    const tag = `"${id}-${recording.state}-${size}"`;
    if (context.hasCurrent(tag)) {
      await file.close();
      return { outcome: "current", headers: { ETag: tag } };
    }
    const range = context.wantedRange?.(size, tag);
    const { start, end } = range ?? { start: 0, end: size };
    const answer = {
      mediaType: MEDIA_TYPES.find((type) => type === recording.media_type)!,
      file: streamFile(file, { start, length: end - start }),
    };
    const headers = describe(recording, tag);
    if (range === undefined) return { outcome: "whole", ...answer, headers };
    const part = { "Content-Range": `bytes ${start}-${end - 1}/${size}` };
    return { outcome: "part", ...answer, headers: { ...headers, ...part } };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openFile(path: string, { id }: StoredRecording): Promise<FileHandle> {
  try {
    return await openRegular(path);
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") {
      throw new ServiceError("not_found", `The file of recording "${id}" has been removed`);
    }
    const message = `Cannot read the file of recording "${id}": ${(error as Error).message}`;
    throw new ServiceError("unavailable", message, { cause: error });
  }
}

function describe({ id, format, media_type }: StoredRecording, tag: string) {
  const extension = format === "webp" ? "html" : format;
  return {
    "Accept-Ranges": "bytes",
    "Content-Disposition": `inline; filename="recording-${id}.${extension}"`,
    "Cache-Control": "private, no-cache",
    "ETag": tag,
    ...(media_type === "text/html" ? { "Content-Security-Policy": PLAYER_POLICY } : {}),
  };
}

// Sends a part of a file in pieces, as fast as the client takes them.

const PIECE = 64 * 1_024;

/** @param file is closed at the end, and when the client leaves */
function streamFile(
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
