/** Defines the recording operations as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import type { Context } from "../context.ts";
import { DisplayNumber } from "../fields.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { json, noContent } from "../outcomes.ts";
import { getRecording, RECORDING_FILE } from "./get_recording.ts";
import { FORMATS, RecordingId, RecordingWithChapters } from "./recording_store.ts";
import type { RecordingRequest } from "./recordings.ts";

const NOT_FOUND = { not_found: "There is no recording with this id." };
const DISK = "The folder of recordings is not available now.";

export function recordingOperations(limits: Limits): readonly Operation[] {
  const common = { group: "recording" } as const;
  const Id = RecordingId.describe("The `id` of the recording.");
  return [
    defineOperation({
      ...common,
      method: "POST",
      id: "startRecording",
      path: "/api/recording/start",
      summary: "Start recording a display",
      description:
        "Records until `recording/stop`, a limit, or the end of the display or of the service, even if the client disconnects. A picture is taken when something changes, and lasts until the next change. " +
        "Operations that change something during the recording become chapters, by their names only. Fields that `keychain/authenticate` fills in are black from then on; a value that is visible elsewhere, or after its window has moved, is not. " +
        "With `auto` and without ffmpeg, the recording is an HTML page that plays WebP pictures. The oldest finished recordings are removed when their space is needed.",
      readOnly: false,
      body: z.object({
        display_num: DisplayNumber,
        format: z.enum(["auto", ...FORMATS]).default("auto").describe(
          "`webm` and `mp4` need ffmpeg with libvpx or libx264; `webp` needs nothing; `auto` is the first of `webm`, `mp4` and `webp` that can be made.",
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
      answer: json("The recording has started.", RecordingWithChapters),
      errors: {
        unsupported:
          "The format cannot be made here, or this display cannot be recorded; the message says why.",
        unavailable:
          `The display is not available now, or there is no space for another recording, or too many are running. ${DISK}`,
        permission_denied: "The system does not allow the service to read the display.",
        conflict: "The display is being resized.",
      },
      run: startRecording,
    }),
    defineOperation({
      ...common,
      method: "POST",
      id: "stopRecording",
      long: true,
      path: "/api/recording/stop",
      summary: "Stop a recording",
      description:
        "Waits until the file is finished; after `timeout_ms` the state is still `finishing`. For a recording that has already ended, it returns immediately.",
      readOnly: false,
      body: z.object({
        id: Id,
        timeout_ms: z.int().min(0).max(limits.maxDurationMs).default(
          Math.min(30_000, limits.maxDurationMs),
        ).describe("The maximum time to wait for the file, in milliseconds."),
      }),
      answer: json("The recording has been stopped.", RecordingWithChapters),
      errors: NOT_FOUND,
      run: ({ session, signal }, { id, timeout_ms }) =>
        session.recordings.stop(id, timeout_ms, signal),
    }),
    defineOperation({
      ...common,
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
      answer: json("The recordings, the newest first.", z.array(RecordingWithChapters)),
      errors: NOT_FOUND,
      run: async ({ session: { recordings } }, { id }) =>
        id === undefined ? await recordings.list() : [await recordings.find(id)],
    }),
    defineOperation({
      ...common,
      method: "GET",
      id: "getRecording",
      path: "/api/recording/get",
      summary: "Get the file of a recording",
      description:
        "Sends the file, or a part of it (`Range`); of a running recording, what exists so far. The page of format `webp` is sent with a policy that prevents its scripts from calling the service.",
      readOnly: true,
      query: z.object({ id: Id }),
      answer: RECORDING_FILE,
      errors: {
        ...NOT_FOUND,
        too_large: "Callers by name get only small files: use HTTP.",
        unavailable: "The file is not available now.",
      },
      run: getRecording,
    }),
    defineOperation({
      ...common,
      method: "POST",
      id: "deleteRecording",
      path: "/api/recording/delete",
      summary: "Delete a recording",
      readOnly: false,
      body: z.object({ id: Id }),
      answer: noContent("The recording and its file have been deleted."),
      errors: { ...NOT_FOUND, conflict: "The recording is running." },
      run: ({ session }, { id }) => session.recordings.remove(id),
    }),
  ];
}

// Starts to record a display.

interface StartInput {
  readonly display_num: number;
  readonly format: RecordingRequest["format"];
  readonly max_fps: number;
  readonly max_seconds: number;
  readonly max_bytes: number;
  readonly cursor: boolean;
}

async function startRecording(
  { platform, session, signal }: Context,
  input: StartInput,
): Promise<RecordingWithChapters> {
  const display = await platform.displays.open(input.display_num);
  return await session.recordings.start({
    display,
    format: input.format,
    maxFps: input.max_fps,
    maxMs: input.max_seconds * 1_000,
    maxBytes: input.max_bytes,
    cursor: input.cursor ? "shown" : "hidden",
  }, signal);
}

// Examples of the recording operations.

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

const CHAPTERS = [
  { at_ms: 0, title: "start" },
  { at_ms: 2_310, title: "mouse.left-click" },
];

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
