/** Defines the recording operations as data, and sends the file of a recording. */

import type { FileHandle } from "node:fs/promises";
import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { ServiceError } from "../../core/errors.ts";
import { openRegular } from "../../core/files.ts";
import type { Context } from "../context.ts";
import { Curtain } from "../curtain.ts";
import { DisplayNumber } from "../fields.ts";
import { definingWith, json, noContent, type Operation, type ResultOf } from "../operation.ts";
import { fileAnswers, sendFile } from "../streamed.ts";
import { FORMATS, RecordingId, RecordingItem } from "./recording_store.ts";
import { Recordings } from "./recordings.ts";

const DISK = "The folder of recordings is not available now.";
const RECORDING_ERRORS = { not_found: "There is no recording with this id.", unavailable: DISK };

const MEDIA_TYPES = ["video/webm", "video/mp4"] as const;

const HEADERS = {
  "Accept-Ranges": "`bytes`: ranges can be requested.",
  "Content-Disposition": "The file name under which a browser saves the recording.",
  "Cache-Control": "A copy may be kept, but must be revalidated before it is used.",
  "ETag": "The entity tag; it changes while the file grows.",
};

const RECORDING_FILE = fileAnswers(MEDIA_TYPES, HEADERS);

export function recordingOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ group: "recording", method: "POST", readOnly: false });
  const Id = RecordingId.describe("The `id` of the recording.");
  return [
    define({
      id: "startRecording",
      path: "/api/recording/start",
      summary: "Start recording a display",
      description:
        "Records until `recording/stop`, a limit, or the end of the display or of the service, even if the client disconnects. A picture is taken when something changes, and lasts until the next change. " +
        "Operations that change something during the recording become chapters, by their names only. Fields that `keychain/authenticate` fills in are black from then on; a value that is visible elsewhere, or after its window has moved, is not. " +
        "While a person has control, a recording of a program takes no picture. It needs ffmpeg. The oldest finished recordings are removed when their space is needed.",
      body: z.object({
        display_num: DisplayNumber,
        format: z.enum(["auto", ...FORMATS]).default("auto").describe(
          "`webm` needs ffmpeg with libvpx, `mp4` with libx264; `auto` is the first of them that can be made.",
        ),
        max_fps: z.number().min(0.1).max(limits.maxRecordingFps).default(
          Math.min(10, limits.maxRecordingFps),
        ).describe("The maximum number of pictures per second."),
        max_seconds: z.number().min(0.1).max(limits.maxRecordingMs / 1_000).default(
          limits.maxRecordingMs / 1_000,
        ).describe("The recording ends after this time, in seconds."),
        max_bytes: z.int().min(Math.min(1_048_576, limits.maxRecordingBytes))
          .max(limits.maxRecordingBytes).default(limits.maxRecordingBytes).describe(
            "The maximum size of the file, in bytes; the recording ends before the file exceeds it. Chapters in a video need twice the size of the file on the disk.",
          ),
        cursor: z.boolean().default(true).describe("If true, the mouse cursor is recorded, too."),
      }),
      answer: json("The recording has started.", RecordingItem),
      errors: {
        unsupported:
          "The format cannot be made, because ffmpeg is missing or lacks its encoder, or this display cannot be recorded; the message says why.",
        unavailable:
          `The display is not available now, or there is no space for another recording, or too many are running. ${DISK}`,
        permission_denied: "The system does not allow the service to read the display.",
        conflict: "The display is being resized.",
      },
      run: async ({ actor, platform, session, signal }, input) => {
        const display = await platform.displays.open(input.display_num);
        return await session.use(Recordings).start({
          display,
          format: input.format,
          maxFps: input.max_fps,
          maxMs: input.max_seconds * 1_000,
          maxBytes: input.max_bytes,
          cursor: input.cursor ? "shown" : "hidden",
          curtain: actor.kind === "person" ? undefined : session.use(Curtain),
        }, signal);
      },
    }),
    define({
      id: "stopRecording",
      long: true,
      path: "/api/recording/stop",
      summary: "Stop a recording",
      description:
        "Waits until the file is finished; after `timeout_ms` the state is still `finishing`. For a recording that has already ended, it returns immediately.",
      body: z.object({
        id: Id,
        timeout_ms: z.int().min(0).max(limits.maxDurationMs).default(
          Math.min(30_000, limits.maxDurationMs),
        ).describe("The maximum time to wait for the file, in milliseconds."),
      }),
      answer: json("The recording has been stopped.", RecordingItem),
      errors: { ...RECORDING_ERRORS, conflict: "Another service with this state folder runs it." },
      run: ({ session, signal }, { id, timeout_ms }) =>
        session.use(Recordings).stop(id, timeout_ms, signal),
    }),
    define({
      method: "GET",
      id: "listRecordings",
      path: "/api/recording/list",
      summary: "List recordings",
      description:
        "The newest first, including those that are running. They are kept until they are deleted, or their space is needed for new ones.",
      readOnly: true,
      query: z.object({
        id: RecordingId.optional().describe(
          "The id of a recording: returns only this one, with its chapters.",
        ),
      }),
      answer: json("The recordings, the newest first.", z.array(RecordingItem)),
      errors: RECORDING_ERRORS,
      run: async ({ session }, { id }) => {
        const recordings = session.use(Recordings);
        return id === undefined ? await recordings.list() : [await recordings.find(id)];
      },
    }),
    define({
      method: "GET",
      id: "getRecording",
      path: "/api/recording/get",
      summary: "Get the file of a recording",
      description:
        "Sends the file, or a part of it (`Range`); of a running recording, what exists so far.",
      readOnly: true,
      query: z.object({ id: Id }),
      answer: RECORDING_FILE,
      errors: {
        ...RECORDING_ERRORS,
        too_large: "Callers by name get only small files: use HTTP.",
        unavailable: "The file is not available now.",
      },
      run: getRecording,
    }),
    define({
      id: "deleteRecording",
      path: "/api/recording/delete",
      summary: "Delete a recording",
      body: z.object({ id: Id }),
      answer: noContent("The recording and its file have been deleted."),
      errors: { ...RECORDING_ERRORS, conflict: "The recording is running." },
      run: ({ session }, { id }) => session.use(Recordings).remove(id),
    }),
  ];
}

async function getRecording(
  context: Context,
  { id }: { readonly id: string },
): Promise<ResultOf<typeof RECORDING_FILE>> {
  const recordings = context.session.use(Recordings);
  const recording = await recordings.find(id);
  const file = await openFile(recordings.pathOf(recording), recording);
  return await sendFile(context, file, ({ size }) => ({
    mediaType: MEDIA_TYPES.find((type) => type === recording.media_type)!,
    headers: describe(recording, `"${id}-${recording.state}-${size}"`),
  }));
}

async function openFile(path: string, { id }: RecordingItem): Promise<FileHandle> {
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

function describe({ id, format }: RecordingItem, tag: string) {
  return {
    "Accept-Ranges": "bytes",
    "Content-Disposition": `inline; filename="recording-${id}.${format}"`,
    "Cache-Control": "private, no-cache",
    "ETag": tag,
  };
}

const ID = "20260309-140511123-1a2b3c4d";

const RECORDING = {
  id: ID,
  display_num: 1,
  state: "recording",
  ended_by: null,
  detail: null,
  format: "webm",
  media_type: "video/webm",
  playable: false,
  started_at: "2026-03-09T14:05:11.123Z",
  duration_ms: 0,
  frames: 0,
  bytes: 0,
  width: 1_280,
  height: 800,
  resizes: 0,
  max_fps: 10,
  blacked_out: 0,
  chapter_count: 1,
};

const STOPPED = {
  ...RECORDING,
  state: "finished",
  ended_by: "stop",
  playable: true,
  duration_ms: 61_250,
  frames: 148,
  bytes: 912_345,
  chapter_count: 2,
};

const CHAPTERS = [{ at_ms: 0, title: "start" }, { at_ms: 2_310, title: "mouse.left-click" }];

export const RECORDING_EXAMPLES = {
  startRecording: {
    body: { display_num: 1, format: "auto", max_fps: 10, max_seconds: 600 },
    answer: { ...RECORDING, chapters: CHAPTERS.slice(0, 1) },
  },
  stopRecording: { body: { id: ID }, answer: { ...STOPPED, chapters: CHAPTERS } },
  listRecordings: { query: {}, answer: [STOPPED] },
  getRecording: { query: { id: ID } },
  deleteRecording: { body: { id: ID } },
};
