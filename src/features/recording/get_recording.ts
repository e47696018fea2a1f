/** Sends the file of a recording, whole or in part. */

import type { FileHandle } from "node:fs/promises";
import { ServiceError } from "../../core/errors.ts";
import { openRegular } from "../../core/open_regular.ts";
import type { Size } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { ResultOf } from "../outcomes.ts";
import type { FileStream } from "../streamed.ts";
import type { StoredRecording } from "./recording_store.ts";

const MEDIA_TYPES = ["video/webm", "video/mp4", "text/html"] as const;

const HEADERS = {
  "Accept-Ranges": "`bytes`: ranges can be requested.",
  "Content-Disposition": "The file name under which a browser saves the recording.",
  "Content-Security-Policy": "For a page: what its scripts are allowed to do.",
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

// The page that plays a recording: its beginning, after which a script per picture follows.

/** What the page may do: run its own scripts, with no access to the service that sent it. */
const PLAYER_POLICY = "sandbox allow-scripts; default-src 'none'; img-src data:; " +
  "script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/** Ends before the calls of `frame(atMs, webp)`, `chapter(atMs, title)` and `end(atMs)`. */
export function playerPage({ width, height }: Size): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Recording</title>
<style>
body { margin: 1rem; font: 1rem system-ui, sans-serif; color-scheme: light dark; }
img { display: block; max-width: 100%; background: black; }
#controls { display: flex; gap: .5rem; align-items: center; margin: .5rem 0; max-width: ${width}px; }
#seek { flex: 1; }
</style>
</head>
<body>
<img id="screen" width="${width}" height="${height}" alt="The recorded display">
<div id="controls">
<button id="play" type="button">Play</button>
<input id="seek" type="range" min="0" max="0" value="0" step="1" aria-label="Position">
<output id="time">0:00.0</output>
<select id="speed" aria-label="Speed">
<option value="1">1x</option><option value="2">2x</option><option value="8">8x</option>
</select>
</div>
<ol id="chapters"></ol>
<script>
"use strict";
const frames = [];
let length = 0, position = 0, shown, playing = false, last;
const part = (id) => document.getElementById(id);
function frame(at, webp) { frames.push({ at, webp }); end(at); }
function end(at) { length = Math.max(length, at); part("seek").max = length; show(position); }
function chapter(at, title) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = clock(at) + " " + title;
  button.onclick = () => show(at);
  const item = document.createElement("li");
  item.append(button);
  part("chapters").append(item);
}
function clock(ms) {
  return Math.floor(ms / 60000) + ":" + (ms % 60000 / 1000).toFixed(1).padStart(4, "0");
}
function frameAt(at) {
  let low = 0, high = frames.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (frames[middle].at <= at) low = middle; else high = middle - 1;
  }
  return frames[low];
}
function show(at) {
  position = Math.min(Math.max(0, at), length);
  const now = frameAt(position);
  if (now !== undefined && now !== shown) part("screen").src = "data:image/webp;base64," + now.webp;
  shown = now;
  part("seek").value = position;
  part("time").textContent = clock(position) + " / " + clock(length);
}
function step(time) {
  if (!playing) return;
  show(position + (time - (last ?? time)) * Number(part("speed").value));
  last = time;
  if (position >= length) return play(false);
  requestAnimationFrame(step);
}
function play(on) {
  playing = on;
  last = undefined;
  part("play").textContent = on ? "Pause" : "Play";
  if (on && position >= length) show(0);
  if (on) requestAnimationFrame(step);
}
part("play").onclick = () => play(!playing);
part("seek").oninput = (event) => show(Number(event.target.value));
</script>
`;
}
