/** Begins a recording: chooses the format, opens its thread and its file. */

import { ServiceError } from "../../core/errors.ts";
import { findVideoEncoders, type VideoEncoders } from "../../platform/ffmpeg.ts";
import type { Display, Region } from "../../platform/types/mod.ts";
import { screenKey } from "./covers.ts";
import { RecorderThread } from "./recorder_thread.ts";
import type { RecordingFormat } from "./recorder_messages.ts";
import type { RecordingStore } from "./recording_store.ts";
import { RunningRecording } from "./running_recording.ts";
import { ScreenRecording } from "./screen_recording.ts";
import { createWithholding } from "./withholding.ts";

export interface RecordingRequest {
  readonly display: Display;
  readonly format: RecordingFormat | "auto";
  readonly maxFps: number;
  readonly maxMs: number;
  readonly maxBytes: number;
  readonly cursor: "shown" | "hidden";
  /** What is black from the beginning. */
  covers(): readonly Region[];
  readonly store: RecordingStore;
  /** How often its record is written while it runs. */
  readonly saveMs: number;
}

/** @throws ServiceError `unsupported`, `unavailable` */
export async function beginRecording(request: RecordingRequest): Promise<RunningRecording> {
  const { display, store } = request;
  const { screen } = display;
  if ("capture" in screen) {
    const text = "This display cannot be recorded: its pictures are taken by the thread that " +
      "answers requests";
    throw new ServiceError("unsupported", text);
  }
  const changes = await display.watch();
  const { size } = await changes.look();
  const { format, detail, keepTimes } = await chooseFormat(request.format);
  const id = createId();
  const lock = await store.lock(id);
  const thread = new RecorderThread();
  const withheld = createWithholding();
  let running: RunningRecording | undefined;
  try {
    await thread.ask({
      ...{ ask: "open", screen, size, format, keepTimes, withheld, cursor: request.cursor },
      ...{ path: store.path({ id, format }), maxBytes: request.maxBytes },
    });
    const startedAt = performance.now();
    const about = {
      ...{ id, format, size, detail, maxFps: request.maxFps, displayNum: display.displayNum },
      startedAt: new Date().toISOString(),
    };
    await thread.ask({ ask: "begin" });
    const recording = new ScreenRecording({
      ...{ display, changes, thread, format, size, withheld, startedAt },
      ...{ maxFps: request.maxFps, maxMs: request.maxMs, cursor: request.cursor },
      covers: request.covers(),
    });
    const { maxBytes, saveMs } = request;
    running = new RunningRecording(about, {
      ...{ recording, store, lock, maxBytes, screen: screenKey(display), saveMs },
    });
    await running.save();
    return running;
  } catch (error) {
    if (running !== undefined) {
      await running.discard();
      throw error;
    }
    thread[Symbol.dispose]();
    await store.unlock(id, lock);
    await Deno.remove(store.path({ id, format })).catch(() => {}); // it may not be there
    throw error;
  }
}

interface Chosen {
  readonly format: RecordingFormat;
  readonly keepTimes: readonly string[];
  /** Why the format is not a video, where it could have been one. */
  readonly detail: string | null;
}

/** @throws ServiceError `unsupported` for a video that cannot be made here */
async function chooseFormat(wanted: RecordingRequest["format"]): Promise<Chosen> {
  if (wanted === "webp") return { format: "webp", keepTimes: [], detail: null };
  const encoders = await findVideoEncoders();
  const { formats, keepTimes } = encoders;
  const candidates = wanted === "auto" ? ["webm", "mp4"] as const : [wanted];
  const format = candidates.find((each) => formats.has(each));
  if (format !== undefined) return { format, keepTimes, detail: null };
  const reason = `No video: ${encoders.missing}`;
  if (wanted === "auto") return { format: "webp", keepTimes, detail: reason };
  throw cannotEncode(wanted, encoders);
}

function cannotEncode(format: string, { missing }: VideoEncoders): ServiceError {
  const text = `Cannot record "${format}": ${missing}; install it, or use "webp" or "auto"`;
  return new ServiceError("unsupported", text);
}

/** Sorts by time: `20260131-120000123-1a2b3c4d`. */
function createId(): string {
  const time = new Date().toISOString().replaceAll(/[-:.Z]/g, "").replace("T", "-");
  return `${time}-${crypto.randomUUID().slice(0, 8)}`;
}
