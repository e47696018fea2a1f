/** ffmpeg, where it is installed: encodes pictures into a video, and adds chapters to a finished one. */

import { ServiceError } from "../core/errors.ts";
import { lastLine } from "../core/texts.ts";
import { type HelperFailure, PIPED, runHelper, spawnInSession } from "./helper_program.ts";

const PROGRAM = "ffmpeg";

/** The video formats, each with the encoder that it needs. */
const ENCODERS = { webm: "libvpx", mp4: "libx264" } as const;

export type VideoFormat = keyof typeof ENCODERS;

/** A format that this computer's ffmpeg can make. */
export interface VideoEncoder {
  readonly format: VideoFormat;
  /** The arguments that keep the time of each picture; their name depends on the version. */
  readonly keepTimes: readonly string[];
}

const LIST_MS = 10_000;
/** From this version on, `-vsync` is called `-fps_mode`; before 5.1 there is only the former. */
const FPS_MODE_VERSION = 6;
const QUIET = ["-hide_banner", "-nostdin", "-loglevel", "error"];
/** More threads would take the processor from what is being recorded. */
const THREADS = ["-threads", "2"];

/**
 * VP8 has the colours of BT.601 by its definition; players take those of H.264 as BT.709 on large
 * pictures, so it says so. No frame waits for later ones, so that the file ends where the recording
 * does. Fragments make an MP4 file playable up to where it ends.
 */
const SETTINGS: Readonly<Record<VideoFormat, readonly string[]>> = {
  webm: [
    ...["-colorspace", "smpte170m", "-color_range", "tv"],
    ...["-c:v", ENCODERS.webm, "-deadline", "realtime", "-cpu-used", "6"],
    ...["-lag-in-frames", "0", "-auto-alt-ref", "0", "-crf", "10", "-b:v", "8M", "-g", "100"],
    ...["-f", "webm", "-cluster_time_limit", "1000"],
  ],
  mp4: [
    ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"],
    ...["-color_range", "tv"],
    ...["-c:v", ENCODERS.mp4, "-preset", "veryfast", "-tune", "zerolatency", "-crf", "20"],
    ...["-g", "100", "-f", "mp4", "-movflags", "frag_keyframe+empty_moov+default_base_moof"],
    ...["-frag_duration", "1000000"],
  ],
};
const MATRIX: Readonly<Record<VideoFormat, string>> = { webm: "bt601", mp4: "bt709" };

/**
 * Asks ffmpeg for an encoder of the first of these formats that it can make.
 * @throws ServiceError `unsupported` when there is none, with the package that brings one
 */
export async function findVideoEncoder(formats: readonly VideoFormat[]): Promise<VideoEncoder> {
  const ask = (question: string) =>
    runHelper({
      program: PROGRAM,
      args: ["-hide_banner", question],
      timeoutMs: LIST_MS,
      failure: (state, cause) => cannotRecord(failure(state, cause).message, cause),
    });
  const [version, { code, stdout }] = await Promise.all([ask("-version"), ask("-encoders")]);
  if (code !== 0) throw cannotRecord(`ffmpeg ended with code ${code} when it listed its encoders`);
  const names = new Set(stdout.split("\n").map((line) => line.trim().split(/\s+/)[1]));
  const format = formats.find((each) => names.has(ENCODERS[each]));
  if (format === undefined) {
    const lacking = formats.map((each) => ENCODERS[each]).join(" and ");
    throw cannotRecord(`this ffmpeg lacks the encoder ${lacking}`);
  }
  return { format, keepTimes: [hasFpsMode(version.stdout) ? "-fps_mode" : "-vsync", "vfr"] };
}

/** What mends a computer that cannot record. */
export const INSTALL_FFMPEG = 'install the package "ffmpeg"';

function cannotRecord(reason: string, cause?: unknown): ServiceError {
  const text = `Cannot record: ${reason}: ${INSTALL_FFMPEG}`;
  return new ServiceError("unsupported", text, { cause });
}

/** Development versions have no number, and are new. */
function hasFpsMode(version: string): boolean {
  const [, major] = /^ffmpeg version n?(\d+)\./.exec(version) ?? [];
  return major === undefined || Number(major) >= FPS_MODE_VERSION;
}

/**
 * Starts ffmpeg, which reads a stream of `raw_matroska.ts` and writes the video to its standard
 * output: it needs no path, and ends when its input does.
 * @throws Deno.errors.NotFound and others when it cannot be started
 */
export function startVideoEncoder({ format, keepTimes }: VideoEncoder): Deno.ChildProcess {
  // the sides of pictures with halved colours are even
  const filter = "pad=ceil(iw/2)*2:ceil(ih/2)*2," +
    `scale=out_color_matrix=${MATRIX[format]}:out_range=tv,format=yuv420p`;
  const args = [
    ...QUIET,
    ...["-probesize", "4096", "-analyzeduration", "0", "-f", "matroska", "-i", "pipe:0", "-an"],
    ...["-vf", filter, ...keepTimes, "-enc_time_base", "1:1000"],
    ...SETTINGS[format],
    ...["-flush_packets", "1", ...THREADS, "pipe:1"],
  ];
  // Ctrl+C ends the service, which then finishes the video
  return spawnInSession([PROGRAM, ...args], PIPED);
}

export interface Chapter {
  /** From the beginning, in milliseconds. */
  readonly at_ms: number;
  readonly title: string;
}

export interface VideoWithChapters {
  readonly format: VideoFormat;
  readonly from: string;
  readonly to: string;
  /** In order. */
  readonly chapters: readonly Chapter[];
  readonly durationMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Copies a video and adds its length, an index for seeking, and chapters; the pictures stay as they
 * are.
 * @throws ServiceError `unavailable` when ffmpeg fails
 */
export async function addChapters(
  { format, from, to, chapters, durationMs, timeoutMs, signal }: VideoWithChapters,
): Promise<void> {
  const { code, stderr } = await runHelper({
    program: PROGRAM,
    args: [
      ...[...QUIET, "-y", "-i", from],
      ...["-f", "ffmetadata", "-i", "pipe:0", "-map", "0:v", "-c", "copy"],
      ...["-map_metadata", "1", "-map_chapters", "1"],
      ...(format === "mp4" ? ["-movflags", "+faststart"] : []),
      ...["-f", format, to],
    ],
    stdin: toMetadata(chapters, durationMs),
    detached: true,
    timeoutMs,
    signal,
    failure,
  });
  const complaint = readComplaint(stderr);
  // on a full disk it may end with code 0, and leave an empty file
  if (code !== 0 || complaint !== "") {
    throw new ServiceError("unavailable", complaint || `ffmpeg ended with code ${code}`);
  }
}

/** ffmpeg's own format of metadata, where a backslash stands before its special characters. */
function toMetadata(chapters: readonly Chapter[], durationMs: number): string {
  const parts = chapters.map(({ at_ms, title }, index) => {
    const end = Math.max(at_ms + 1, chapters[index + 1]?.at_ms ?? durationMs);
    const escaped = title.replaceAll(/[=;#\\\n]/g, "\\$&");
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${at_ms}\nEND=${end}\ntitle=${escaped}\n`;
  });
  return `;FFMETADATA1\n${parts.join("")}`;
}

/** The last line of what ffmpeg has written about its failure. */
export function readComplaint(stderr: string): string {
  return lastLine(stderr).slice(0, 300);
}

function failure(state: HelperFailure, cause?: unknown): ServiceError {
  const text = {
    "not installed": "ffmpeg is not installed",
    "not started": "ffmpeg cannot be started",
    "late": "ffmpeg does not respond",
  }[state];
  return new ServiceError("unavailable", text, { cause });
}
