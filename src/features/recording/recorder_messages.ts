/** The messages between a recording and its thread. */

import { ServiceError } from "../../core/errors.ts";
import { WorkerPool } from "../../core/worker_thread.ts";
import type { VideoFormat } from "../../platform/ffmpeg.ts";
import type { Region, ScreenAddress, Size } from "../../platform/types/mod.ts";
import type { PausedCapture } from "./masks.ts";

export type RecordingFormat = VideoFormat | "webp";

/** Why a recording ended without having been stopped, as its thread finds out. */
export interface SinkEnd {
  readonly by: "size_limit" | "disk_full" | "encoder_failed" | "error";
  readonly detail: string;
}

export interface OpenRecorder {
  readonly ask: "open";
  readonly screen: ScreenAddress;
  readonly size: Size;
  readonly format: RecordingFormat;
  /** Of `VideoEncoders`. */
  readonly keepTimes: readonly string[];
  readonly path: string;
  readonly maxBytes: number;
  readonly cursor: "shown" | "hidden";
  readonly pausedCapture: PausedCapture;
}

export type RecorderJob =
  | OpenRecorder
  /** The time is counted from now on. */
  | { readonly ask: "begin" }
  /** Adds what the screen shows, if that is something new. */
  | {
    readonly ask: "frame";
    /** As it is now: on macOS it changes with the place of the display. */
    readonly screen: ScreenAddress;
    readonly size: Size;
    readonly masks: readonly Region[];
    /** How often pictures had been withheld when these were the covers. */
    readonly pauseCount: number;
  }
  | { readonly ask: "chapter"; readonly atMs: number; readonly title: string }
  /** Where a row of the screen differs from the last picture. */
  | { readonly ask: "changes in row"; readonly size: Size; readonly row: Region }
  /** Resolves when no more pictures can be added. */
  | { readonly ask: "ended" }
  | { readonly ask: "close"; readonly endMs: number };

export interface Progress {
  /** Pictures added. */
  readonly frames: number;
  /** Of the file. */
  readonly bytes: number;
  /** The time of the end so far, in milliseconds. */
  readonly atMs: number;
}

export interface RecorderAnswers {
  readonly open: Progress;
  readonly begin: Progress;
  readonly frame: Progress;
  readonly chapter: Progress;
  readonly "changes in row": Region | undefined;
  readonly ended: SinkEnd | undefined;
  readonly close: Progress;
}

// The thread of a recording, as the main thread uses it.

/** A picture, chapters, the wait for the end, and the end. */
const AT_ONCE = 64;

export class RecorderThread implements Disposable {
  readonly #pool = new WorkerPool<RecorderJob, unknown>({
    module: new URL("./recording_worker.ts", import.meta.url),
    name: "recording",
    threads: 1,
    jobsEach: AT_ONCE,
  });

  /** @throws ServiceError of the job; `internal` when the thread crashed */
  async ask<Job extends RecorderJob>(job: Job): Promise<RecorderAnswers[Job["ask"]]> {
    if (this.#pool.failure !== undefined) throw this.#pool.failure; // a new one has no recording
    return await this.#pool.run(job) as RecorderAnswers[Job["ask"]];
  }

  [Symbol.dispose](): void {
    this.#pool.end(new ServiceError("unavailable", "The recording has ended"));
  }
}
