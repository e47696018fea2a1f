/** Takes the pictures of a recording, in its thread: what is new, without what is covered. */

import { Buffer } from "node:buffer";
import { ServiceError } from "../../core/errors.ts";
import { Semaphore } from "../../core/locks.ts";
import { type Encode, openEncoder } from "../../imaging/encode.ts";
import { scaleSize } from "../../imaging/fit.ts";
import { overlap } from "../../imaging/boxes.ts";
import { scaleDown } from "../../imaging/scale/scale.ts";
import { openScreen } from "../../platform/screens.ts";
import type { Picture, Region, Screen, ScreenAddress, Size } from "../../platform/types/mod.ts";
import { BoundedFile } from "./recording_store.ts";
import { type FrameSink, VideoSink } from "./video_sink.ts";
import { playerPage } from "./get_recording.ts";
import type { OpenRecorder, Progress, RecorderJob, SinkEnd } from "./recorder_messages.ts";
import { countCapturePauses, isCapturePaused } from "./masks.ts";

const BLACK = 0;
const COLOUR = 0xffffff;

type FrameJob = Extract<RecorderJob, { readonly ask: "frame" }>;

export class FrameRecorder {
  #screen: Screen;
  #address: ScreenAddress;
  /** What the screen shows, in the size of the recording. */
  #now: Uint32Array<ArrayBuffer>;
  /** The picture that was added last. */
  #last: Uint32Array<ArrayBuffer>;
  #frames = 0;
  #lastMs = -1;
  /** On the clock of this thread. */
  #began = performance.now();
  /** Whoever adds something to the file. */
  readonly #order = new Semaphore({ capacity: 1 });
  #isClosing = false;
  readonly #closed = Promise.withResolvers<undefined>();

  private constructor(
    private readonly options: OpenRecorder,
    private readonly parts: { readonly screen: Screen; readonly sink: FrameSink },
  ) {
    const { width, height } = options.size;
    this.#now = new Uint32Array(width * height);
    this.#last = new Uint32Array(width * height);
    this.#screen = parts.screen;
    this.#address = options.screen;
  }

  /** @throws ServiceError `unavailable` when the screen, the file or ffmpeg cannot be opened. */
  static async open(options: OpenRecorder): Promise<FrameRecorder> {
    const screen = await openScreen(options.screen);
    try {
      return new FrameRecorder(options, { screen, sink: await openSink(options) });
    } catch (error) {
      screen.close();
      throw error;
    }
  }

  get progress(): Progress {
    const { sink } = this.parts;
    return { frames: this.#frames, bytes: sink.bytes, atMs: Math.max(0, this.#lastMs) };
  }

  /** Why no more pictures can be added; `undefined` once the recorder is closed. */
  get ended(): Promise<SinkEnd | undefined> {
    return Promise.race([this.parts.sink.failed, this.#closed.promise]);
  }

  begin(): Progress {
    this.#began = performance.now();
    return this.progress;
  }

  /** @throws ServiceError `conflict`: the size has changed; `unavailable`: the display has gone */
  async addFrame({ screen, size, masks, pauseCount }: FrameJob): Promise<Progress> {
    await this.#open(screen);
    const atMs = await this.#capture(size, this.options.cursor);
    const { pausedCapture } = this.options;
    // connecting can take longer than filling in: the covers are then those of before
    const isCovered = !isCapturePaused(pausedCapture) &&
      countCapturePauses(pausedCapture) === pauseCount;
    if (!isCovered || this.#isClosing) return this.progress;
    const fit = fitFactor(size, this.options.size);
    for (const area of masks) this.#fill(scaleArea(area, fit), BLACK);
    if (this.#frames === 0 || differs(this.#now, this.#last)) await this.#add(atMs);
    return this.progress;
  }

  async addChapter(atMs: number, title: string): Promise<Progress> {
    await this.parts.sink.addChapter(atMs, title);
    return this.progress;
  }

  /** The box of what differs from the last picture in a row, on a screen of the given size. */
  async findChanges(size: Size, row: Region): Promise<Region | undefined> {
    await this.#capture(size, "hidden");
    const fit = fitFactor(size, this.options.size);
    const area = overlap(scaleArea(row, fit), regionOf(this.options.size));
    if (area === undefined) return undefined;
    const box = this.#changedBox(area);
    return box && scaleArea(box, 1 / fit);
  }

  /** Shows the last picture until the end, and finishes the file. */
  async close(askedMs: number): Promise<Progress> {
    const { sink } = this.parts;
    this.#isClosing = true;
    using _order = await this.#order.acquire();
    const endMs = Math.max(this.#lastMs + 2, Math.round(askedMs));
    await sink.close(endMs, this.#frames === 0 ? undefined : this.#last);
    this.#lastMs = endMs;
    this.#closed.resolve(undefined);
    this.#screen.close();
    return this.progress;
  }

  async #add(atMs: number): Promise<void> {
    // a video begins with its first picture
    this.#lastMs = this.#frames === 0 ? 0 : Math.max(atMs, this.#lastMs + 1);
    [this.#now, this.#last] = [this.#last, this.#now];
    this.#frames++;
    await this.#order.run(() => this.parts.sink.add(this.#lastMs, this.#last));
  }

  /** Reads the screen, and returns the time at which that began. */
  async #capture(size: Size, cursor: OpenRecorder["cursor"]): Promise<number> {
    const atMs = this.#clock();
    await this.#screen.capture(regionOf(size), { cursor }, (picture) => {
      this.#draw(picture);
    });
    return atMs;
  }

  async #open(screen: ScreenAddress): Promise<void> {
    if (this.#screen.connected && screen.name === this.#address.name) return;
    this.#screen.close();
    this.#address = screen;
    this.#screen = await openScreen(screen);
  }

  #clock(): number {
    return Math.round(performance.now() - this.#began);
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
    const window = regionOf(to);
    const fitted = fit === 1
      ? picture
      : scaleDown(picture, { from: regionOf(picture), to, window });
    this.#now.fill(BLACK);
    for (let row = 0; row < Math.min(fitted.height, size.height); row++) {
      const pixels = fitted.pixels.subarray(row * fitted.width, (row + 1) * fitted.width);
      this.#now.set(pixels.subarray(0, size.width), row * size.width);
    }
  }

  #fill(area: Region, colour: number): void {
    const { width } = this.options.size;
    const shown = overlap(area, regionOf(this.options.size));
    if (shown === undefined) return;
    for (let row = shown.y; row < shown.y + shown.height; row++) {
      this.#now.fill(colour, row * width + shown.x, row * width + shown.x + shown.width);
    }
  }

  #changedBox({ x, y, width, height }: Region): Region | undefined {
    let [left, right, top, bottom] = [Infinity, -1, -1, -1];
    for (let row = y; row < y + height; row++) {
      const start = row * this.options.size.width;
      for (let column = x; column < x + width; column++) {
        if (((this.#now[start + column]! ^ this.#last[start + column]!) & COLOUR) === 0) continue;
        if (column < left) left = column;
        if (column > right) right = column;
        if (top < 0) top = row;
        bottom = row;
      }
    }
    if (top < 0) return undefined;
    return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  }
}

async function openSink(options: OpenRecorder): Promise<FrameSink> {
  const { format, keepTimes, size, path, maxBytes } = options;
  let file: BoundedFile | undefined;
  try {
    file = await BoundedFile.create(path, maxBytes);
    if (format === "webp") return await PageSink.open({ size, file });
    return new VideoSink({ format, keepTimes, size, file });
  } catch (error) {
    file?.close();
    const { message } = error as Error;
    throw new ServiceError("unavailable", `Cannot begin the recording: ${message}`);
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

// Records into a page that plays WebP pictures: it holds all of them, and each at its time.

const QUALITY = 85;

interface PageSinkOptions {
  readonly size: Size;
  /** Belongs to the sink from now on. */
  readonly file: BoundedFile;
}

class PageSink implements FrameSink {
  private constructor(
    private readonly options: PageSinkOptions,
    private readonly encode: Encode,
  ) {}

  static async open(options: PageSinkOptions): Promise<PageSink> {
    const sink = new PageSink(options, await openEncoder("webp", QUALITY));
    await sink.#append(playerPage(options.size));
    return sink;
  }

  get bytes(): number {
    return this.options.file.bytes;
  }

  get failed(): Promise<SinkEnd> {
    return this.options.file.failed;
  }

  async add(atMs: number, pixels: Uint32Array<ArrayBuffer>): Promise<void> {
    const { buffer, byteOffset, length } = this.encode({ ...this.options.size, pixels });
    await this.#call("frame", atMs, Buffer.from(buffer, byteOffset, length).toString("base64"));
  }

  async addChapter(atMs: number, title: string): Promise<void> {
    await this.#call("chapter", atMs, title);
  }

  async close(endMs: number): Promise<void> {
    await this.#call("end", endMs);
    this.options.file.close();
  }

  /** A script that was not written to its end is not run, so the page always works. */
  async #call(name: string, ...values: readonly (string | number)[]): Promise<void> {
    const shown = values.map((value) => JSON.stringify(value).replaceAll("<", "\\u003c"));
    await this.#append(`<script>${name}(${shown.join()})</script>\n`);
  }

  async #append(text: string): Promise<void> {
    await this.options.file.append(new TextEncoder().encode(text));
  }
}
