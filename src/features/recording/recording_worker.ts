/** The thread of one recording: takes its pictures and encodes them, concurrently with requests. */

import { within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { serveJobs } from "../../core/serve_jobs.ts";
import { changedBox, fill, overlap } from "../../imaging/boxes.ts";
import { scaleSize } from "../../imaging/fit.ts";
import { cutOut } from "../../imaging/picture.ts";
import { rawFrameHeader, rawVideoHeader } from "../../imaging/raw_matroska.ts";
import { scaleDown } from "../../imaging/scale.ts";
import { readComplaint, startVideoEncoder, type VideoEncoder } from "../../platform/ffmpeg.ts";
import { captureTail } from "../../platform/helper_program.ts";
import { openScreen } from "../../platform/screens.ts";
import type { Picture, Region, Screen, ScreenAddress, Size } from "../../platform/types/mod.ts";
import { type Ending, PRIVATE } from "./recording_store.ts";

/** Why a recording ended without having been stopped. */
interface WorkerEnd {
  readonly by: Ending;
  readonly detail: string;
}

interface OpenJob {
  readonly kind: "open";
  readonly screen: ScreenAddress;
  readonly size: Size;
  readonly encoder: VideoEncoder;
  readonly path: string;
  readonly maxBytes: number;
  readonly cursor: "shown" | "hidden";
}

/** Times are in milliseconds after the start of the recording. */
export type RecordingJob =
  | OpenJob
  /** Reads the screen, whose address changes on macOS with the position of the display. */
  | { readonly kind: "capture"; readonly screen: ScreenAddress; readonly size: Size }
  /** Adds what was captured last, if that is something new. */
  | { readonly kind: "add"; readonly atMs: number; readonly masks: readonly Region[] }
  /** Where a row of the screen differs from the last picture. */
  | { readonly kind: "changes"; readonly size: Size; readonly row: Region }
  /** Resolves when no more pictures can be added. */
  | { readonly kind: "ended" }
  | { readonly kind: "close"; readonly atMs: number };

export interface Progress {
  /** Pictures added. */
  readonly frames: number;
  /** Of the file. */
  readonly bytes: number;
  /** The time of the end so far, in milliseconds. */
  readonly atMs: number;
}

export interface RecordingAnswers {
  readonly open: Progress;
  readonly capture: void;
  readonly add: Progress;
  readonly changes: Region | undefined;
  readonly ended: WorkerEnd | undefined;
  readonly close: Closed;
}

interface Closed {
  readonly progress: Progress;
  /** Why the file may be incomplete. */
  readonly detail: string | null;
}

let recorder: FrameRecorder | undefined;

serveJobs(async (job: RecordingJob): Promise<RecordingAnswers[RecordingJob["kind"]]> => {
  if (job.kind === "open") {
    recorder = await FrameRecorder.open(job);
    return recorder.progress;
  }
  if (recorder === undefined) throw new TypeError("The recording is not open");
  switch (job.kind) {
    case "capture":
      return await recorder.capture(job.screen, job.size);
    case "add":
      return await recorder.add(job.atMs, job.masks);
    case "changes":
      return await recorder.findChanges(job.size, job.row);
    case "ended":
      return await recorder.ended;
    case "close":
      return await recorder.close(job.atMs);
  }
});

const BLACK = 0;
const COLOUR = 0xffffff;

class FrameRecorder {
  #screen: Screen;
  #address: ScreenAddress;
  #capturing: Promise<void> = Promise.resolve();
  /** The size of the screen when it was captured. */
  #captured: Size;
  /** What the screen shows, in the size of the recording. */
  #now: Uint32Array<ArrayBuffer>;
  /** The picture that was added last. */
  #last: Uint32Array<ArrayBuffer>;
  #frames = 0;
  #lastMs = -1;
  readonly #closed = Promise.withResolvers<undefined>();

  private constructor(
    private readonly options: OpenJob,
    private readonly parts: { readonly screen: Screen; readonly video: VideoFile },
  ) {
    const { width, height } = options.size;
    this.#now = new Uint32Array(width * height);
    this.#last = new Uint32Array(width * height);
    this.#screen = parts.screen;
    this.#address = options.screen;
    this.#captured = options.size;
  }

  /** @throws ServiceError `unavailable` when the screen, the file or ffmpeg cannot be opened. */
  static async open(options: OpenJob): Promise<FrameRecorder> {
    const screen = await openScreen(options.screen);
    try {
      return new FrameRecorder(options, { screen, video: await VideoFile.create(options) });
    } catch (error) {
      screen.close();
      const text = `Cannot begin the recording: ${(error as Error).message}`;
      throw new ServiceError("unavailable", text, { cause: error });
    }
  }

  get progress(): Progress {
    const { bytes } = this.parts.video;
    return { frames: this.#frames, bytes, atMs: Math.max(0, this.#lastMs) };
  }

  /** Why no more pictures can be added; `undefined` once the recorder is closed. */
  get ended(): Promise<WorkerEnd | undefined> {
    return Promise.race([this.parts.video.failed, this.#closed.promise]);
  }

  /** @throws ServiceError `conflict`: the size has changed; `unavailable`: the display has gone */
  capture(address: ScreenAddress, size: Size): Promise<void> {
    const capturing = this.#captureAt(address, size);
    this.#capturing = capturing.catch(() => {}); // reported to its caller
    return capturing;
  }

  async #captureAt(address: ScreenAddress, size: Size): Promise<void> {
    if (!this.#screen.connected || address.name !== this.#address.name) {
      this.#screen.close();
      this.#address = address;
      this.#screen = await openScreen(address);
    }
    await this.#capture(size, this.options.cursor);
  }

  async add(atMs: number, masks: readonly Region[]): Promise<Progress> {
    const fit = fitFactor(this.#captured, this.options.size);
    const picture = { ...this.options.size, pixels: this.#now };
    for (const area of masks) fill(picture, scaleArea(area, fit), BLACK);
    if (this.#frames > 0 && !differs(this.#now, this.#last)) return this.progress;
    // a video begins with its first picture
    this.#lastMs = this.#frames === 0 ? 0 : Math.max(Math.round(atMs), this.#lastMs + 1);
    [this.#now, this.#last] = [this.#last, this.#now];
    this.#frames++;
    await this.parts.video.add(this.#lastMs, this.#last);
    return this.progress;
  }

  /** The box of what differs from the last picture in a row, on a screen of the given size. */
  async findChanges(size: Size, row: Region): Promise<Region | undefined> {
    await this.#capturing; // it may be opening the screen anew
    await this.#capture(size, "hidden");
    const fit = fitFactor(size, this.options.size);
    const area = overlap(scaleArea(row, fit), regionOf(this.options.size));
    if (area === undefined) return undefined;
    const { width } = this.options.size;
    const now = cutOut({ ...this.options.size, pixels: this.#now }, area);
    const before = (row: number) => this.#last.subarray((area.y + row) * width + area.x);
    const box = changedBox(now, before, { area });
    return box && scaleArea(box, 1 / fit);
  }

  /** Shows the last picture until the end, and finishes the file. */
  async close(atMs: number): Promise<Closed> {
    const { video } = this.parts;
    const endMs = Math.max(this.#lastMs + 2, Math.round(atMs));
    if (this.#frames > 0) {
      // a player does not know how long the last picture stays
      for (const time of [endMs - 1, endMs]) await video.add(time, this.#last);
    }
    const detail = await video.close();
    this.#lastMs = endMs;
    this.#closed.resolve(undefined);
    this.#screen.close();
    return { progress: this.progress, detail };
  }

  async #capture(size: Size, cursor: OpenJob["cursor"]): Promise<void> {
    await this.#screen.capture(regionOf(size), { cursor }, (picture) => this.#draw(picture));
    this.#captured = size;
  }

  /** A screen of another size than at the beginning is made to fit. */
  #draw(picture: Picture): void {
    const { size } = this.options;
    if (picture.width === size.width && picture.height === size.height) {
      this.#now.set(picture.pixels);
      return;
    }
    const fit = fitFactor(picture, size);
    const to = scaleSize(picture, fit);
    const fitted = fit === 1
      ? picture
      : scaleDown(picture, { from: regionOf(picture), to, window: regionOf(to) });
    this.#now.fill(BLACK);
    for (let row = 0; row < Math.min(fitted.height, size.height); row++) {
      const pixels = fitted.pixels.subarray(row * fitted.width, (row + 1) * fitted.width);
      this.#now.set(pixels.subarray(0, size.width), row * size.width);
    }
  }
}

function regionOf({ width, height }: Size): Region {
  return { x: 0, y: 0, width, height };
}

/** How much smaller a screen must become for a recording of the size; never larger. */
function fitFactor(screen: Size, size: Size): number {
  return Math.min(1, size.width / screen.width, size.height / screen.height);
}

/** Covers at least the area. */
function scaleArea({ x, y, width, height }: Region, factor: number): Region {
  const [left, top] = [Math.floor(x * factor), Math.floor(y * factor)];
  return {
    x: left,
    y: top,
    width: Math.ceil((x + width) * factor) - left,
    height: Math.ceil((y + height) * factor) - top,
  };
}

/** The highest byte of a pixel means nothing. */
function differs(now: Uint32Array, last: Uint32Array): boolean {
  for (let at = 0; at < now.length; at++) {
    if (((now[at]! ^ last[at]!) & COLOUR) !== 0) return true;
  }
  return false;
}

// The video: pictures go into ffmpeg by a pipe, and what comes out goes into the file, up to its
// limit.

/** Time that ffmpeg may take for one picture, and for its end. */
const WRITE_TIMEOUT_MS = 10_000;
/** Kept free for what ffmpeg still holds. */
const MAX_RESERVE = 1024 * 1024;
/** Codes of a full disk, or quota, by system. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const FULL_TEXT = /os error (28|112|122|27)\b/;

class VideoFile {
  #bytes = 0;
  #isUsable = true;
  #hasFailed = false;
  /** Why the file lacks what came last. */
  #lacksFor: string | null = null;
  #header: Uint8Array<ArrayBuffer> | undefined;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  /** Resolves when ffmpeg has ended, and what it wrote is in the file. */
  readonly #ended: Promise<void>;
  readonly #failed = Promise.withResolvers<WorkerEnd>();
  /** Settles when no more pictures can be added. */
  readonly failed = this.#failed.promise;

  private constructor(private readonly file: Deno.FsFile, private readonly options: OpenJob) {
    this.#child = startVideoEncoder(options.encoder);
    this.#input = this.#child.stdin.getWriter();
    this.#input.closed.catch(() => {}); // a write reports it
    this.#header = rawVideoHeader(options.size);
    this.#ended = this.#copyOutput();
  }

  /** @throws Deno.errors when the file cannot be created, or ffmpeg cannot be started */
  static async create(options: OpenJob): Promise<VideoFile> {
    const file = await Deno.open(options.path, { write: true, createNew: true, mode: PRIVATE });
    try {
      return new VideoFile(file, options);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds a picture of the recording's size, `0xRRGGBB` each, or nothing after a failure.
   * @param atMs greater than that of the picture before
   */
  async add(atMs: number, pixels: Uint32Array<ArrayBuffer>): Promise<void> {
    if (!this.#isUsable) return;
    const header = this.#header;
    this.#header = undefined;
    const parts = [rawFrameHeader(atMs, pixels.byteLength), new Uint8Array(pixels.buffer)];
    const written = (async () => {
      try {
        for (const part of header ? [header, ...parts] : parts) await this.#input.write(part);
      } catch {
        await this.#child.status; // it has closed its input: its end says why
      }
    })();
    if (await within(written, WRITE_TIMEOUT_MS)) return;
    this.#kill("ffmpeg does not accept more pictures");
  }

  /** Why the end may be missing, if it is. */
  async close(): Promise<string | null> {
    this.#isUsable = false;
    this.#input.close().catch(() => {}); // it has ended already
    if (!await within(this.#ended, WRITE_TIMEOUT_MS)) this.#kill("ffmpeg does not end the file");
    await this.#ended;
    this.file.close();
    return this.#lacksFor;
  }

  async #copyOutput(): Promise<void> {
    const errors = captureTail(this.#child.stderr);
    for await (const part of this.#child.stdout) {
      // the rest is read and dropped, so that ffmpeg can end
      if (!this.#hasFailed) await this.#append(part);
    }
    await errors.ended;
    const { code, signal } = await this.#child.status;
    const complaint = readComplaint(errors.text);
    const why = complaint || (signal === null ? `code ${code}` : `signal ${signal}`);
    const end = { by: "encoder_failed", detail: `ffmpeg has ended: ${why}` } as const;
    if (code === 0 && complaint === "") this.#fail(end); // which nobody waits for at its own end
    else this.#lack(end);
  }

  async #append(part: Uint8Array): Promise<void> {
    const { maxBytes } = this.options;
    const full = {
      by: "size_limit",
      detail: "The recording has reached its maximum size",
    } as const;
    this.#hasFailed = this.#bytes + part.length > maxBytes;
    if (this.#hasFailed) return this.#lack(full);
    try {
      for (let at = 0; at < part.length;) {
        const size = await this.file.write(part.subarray(at));
        [at, this.#bytes] = [at + size, this.#bytes + size];
      }
    } catch (error) {
      this.#hasFailed = true;
      return this.#lack(describeFailure(error));
    }
    if (this.#bytes > maxBytes - Math.min(MAX_RESERVE, maxBytes / 4)) this.#fail(full);
  }

  /** The first reason counts. */
  #fail(end: WorkerEnd): void {
    this.#isUsable = false;
    this.#failed.resolve(end);
  }

  #lack(end: WorkerEnd): void {
    this.#lacksFor ??= end.detail;
    this.#fail(end);
  }

  #kill(detail: string): void {
    this.#lack({ by: "encoder_failed", detail });
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has already ended
    }
  }
}

function describeFailure(error: unknown): WorkerEnd {
  const { message, code } = error as Error & { code?: string };
  if (FULL.has(code ?? "") || FULL_TEXT.test(message)) {
    return { by: "disk_full", detail: `The disk is full: ${message}` };
  }
  return { by: "error", detail: `The recording cannot be written: ${message}` };
}
