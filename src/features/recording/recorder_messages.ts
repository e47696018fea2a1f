/** The messages between a recording and its thread. */

import type { Region, ScreenAddress, Size } from "../../platform/types/mod.ts";
import type { VideoFormat } from "../../platform/ffmpeg.ts";
import type { Withholding } from "./withholding.ts";

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
  readonly withheld: Withholding;
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
    readonly covers: readonly Region[];
    /** How often pictures had been withheld when these were the covers. */
    readonly withholdings: number;
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
