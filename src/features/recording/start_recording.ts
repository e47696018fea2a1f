/** Starts to record a display. */

import type { Context } from "../context.ts";
import type { RecordingRequest } from "./recordings.ts";
import type { RecordingWithChapters } from "./recording_item.ts";

export interface StartInput {
  readonly display_num: number;
  readonly format: RecordingRequest["format"];
  readonly max_fps: number;
  readonly max_seconds: number;
  readonly max_bytes: number;
  readonly cursor: boolean;
}

export async function startRecording(
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
