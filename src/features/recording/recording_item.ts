/** What is known of a recording: the answer of the operations, and the record beside its file. */

import { z } from "zod";

export const FORMATS = ["webm", "mp4", "webp"] as const;

/** The media type and the extension of each format. */
export const FILES = {
  webm: { mediaType: "video/webm", extension: "webm" },
  mp4: { mediaType: "video/mp4", extension: "mp4" },
  webp: { mediaType: "text/html", extension: "html" },
} as const satisfies Record<typeof FORMATS[number], object>;

export const STATES = ["recording", "finishing", "finished", "failed"] as const;

export const ENDINGS = [
  "stop",
  "time_limit",
  "size_limit",
  "disk_full",
  "display_gone",
  "encoder_failed",
  "service_ended",
  "error",
] as const;
export type Ending = typeof ENDINGS[number];

/** Chapters of one recording. */
export const MAX_CHAPTERS = 1_000;
const MAX_ID_LENGTH = 64;

export const RecordingId = z.string().min(1).max(MAX_ID_LENGTH);

export const RecordedChapter = z.object({
  at_ms: z.int().min(0).describe("When it began, in milliseconds from the start."),
  title: z.string().describe("The operation: `mouse.left-click`."),
});

export const RecordingItem = z.object({
  id: RecordingId.describe("Names the recording."),
  display_num: z.int().min(0).describe("The number of the recorded display."),
  state: z.enum(STATES).describe(
    "`recording`; `finishing`: its file is being completed; `finished`; `failed`: no picture was recorded.",
  ),
  ended_by: z.enum(ENDINGS).nullable().describe(
    "The reason of its end. `stop`: as requested; `time_limit` and `size_limit`: of the recording; `disk_full`; `display_gone`: the display ended; `encoder_failed`: ffmpeg ended; `service_ended`: the service stopped or was killed; `error`: another reason, which `detail` gives. `null` while it records.",
  ),
  detail: z.string().nullable().describe("More about the end, or what is missing; else `null`."),
  format: z.enum(FORMATS).describe(
    "`webm` (VP8), `mp4` (H.264), or `webp`: one HTML page that plays a sequence of WebP pictures.",
  ),
  media_type: z.string().describe("The media type of the file."),
  playable: z.boolean().describe("`true` if the file has at least one picture."),
  started_at: z.string().describe("The time of its start, in UTC: `2026-01-31T12:00:00.000Z`."),
  duration_ms: z.int().min(0).describe("The length so far, in milliseconds."),
  frames: z.int().min(0).describe("Different pictures so far."),
  bytes: z.int().min(0).describe("The size of the file so far."),
  width: z.int().min(1).describe("The width of the display at the start, in pixels."),
  height: z.int().min(1).describe("The height of the display at the start, in pixels."),
  resizes: z.int().min(0).describe(
    "The number of times that the display got another size; its picture is then made to fit.",
  ),
  max_fps: z.number().describe("The most pictures per second."),
  blacked_out: z.int().min(0).describe(
    "Areas that are black because stored secrets were filled in there.",
  ),
  chapter_count: z.int().min(0).describe("The number of chapters."),
});

export type RecordingItem = z.output<typeof RecordingItem>;

export const RecordingWithChapters = RecordingItem.extend({
  chapters: z.array(RecordedChapter).optional().describe(
    `The operations that ran meanwhile and changed something, at most ${MAX_CHAPTERS}; present when one recording was asked for.`,
  ),
});

export type RecordingWithChapters = z.output<typeof RecordingWithChapters>;
