/** Records into a video by ffmpeg: pictures go in by a pipe, and what comes out goes into the file. */

import { within } from "../../core/deadline.ts";
import { rawFrameHeader, rawVideoHeader } from "../../imaging/raw_matroska.ts";
import { readComplaint, startVideoEncoder, type VideoFormat } from "../../platform/ffmpeg.ts";
import { type CapturedTail, captureTail } from "../../platform/helper_program.ts";
import type { Size } from "../../platform/types/mod.ts";
import type { SinkEnd } from "./recorder_messages.ts";
import type { BoundedFile } from "./recording_store.ts";

/** Time that ffmpeg may take for one picture, and for its end. */
const WRITE_TIMEOUT_MS = 10_000;

interface VideoSinkOptions {
  readonly format: VideoFormat;
  readonly keepTimes: readonly string[];
  readonly size: Size;
  /** Belongs to the sink from now on. */
  readonly file: BoundedFile;
}

export class VideoSink implements FrameSink {
  readonly #file: BoundedFile;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #copied: Promise<void>;
  readonly #failed = Promise.withResolvers<SinkEnd>();
  readonly failed = this.#failed.promise;
  #isUsable = true;
  #isClosing = false;
  #header: Uint8Array<ArrayBuffer> | undefined;
  readonly #errors: CapturedTail;

  /** @throws Deno.errors when ffmpeg cannot be started */
  constructor({ format, keepTimes, size, file }: VideoSinkOptions) {
    this.#file = file;
    this.#child = startVideoEncoder(format, keepTimes);
    this.#errors = captureTail(this.#child.stderr);
    this.#input = this.#child.stdin.getWriter();
    this.#input.closed.catch(() => {}); // a write reports it
    this.#header = rawVideoHeader(size);
    this.#copied = Promise.all([this.#copyOutput(), this.#errors.ended]).then(() => {});
    file.failed.then((end) => this.#fail(end));
    this.#watchEnd();
  }

  get bytes(): number {
    return this.#file.bytes;
  }

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
    this.#fail({ by: "encoder_failed", detail: "ffmpeg does not accept more pictures" });
    this.#kill();
  }

  addChapter(): Promise<void> {
    return Promise.resolve(); // `addChapters()` adds them to the finished file
  }

  async close(endMs: number, last: Uint32Array<ArrayBuffer> | undefined): Promise<void> {
    // a player does not know how long the last picture stays
    for (const atMs of [endMs - 1, endMs]) if (last !== undefined) await this.add(atMs, last);
    this.#isClosing = true;
    this.#isUsable = false;
    this.#input.close().catch(() => {}); // it has ended already
    if (!await within(this.#copied, WRITE_TIMEOUT_MS)) this.#kill();
    await this.#copied;
    await this.#child.status;
    this.#file.close();
  }

  async #copyOutput(): Promise<void> {
    let isWhole = true;
    for await (const part of this.#child.stdout) {
      // the rest is read and dropped, so that ffmpeg can end
      isWhole &&= await this.#file.append(part as Uint8Array<ArrayBuffer>);
    }
  }

  async #watchEnd(): Promise<void> {
    const { code, signal } = await this.#child.status;
    await this.#copied;
    if (this.#isClosing) return;
    const why = readComplaint(this.#errors.text) ||
      (signal === null ? `code ${code}` : `signal ${signal}`);
    this.#fail({ by: "encoder_failed", detail: `ffmpeg has ended: ${why}` });
  }

  #fail(end: SinkEnd): void {
    this.#isUsable = false;
    this.#failed.resolve(end);
  }

  #kill(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has already ended
    }
  }
}

// What turns the pictures of a recording into its file.

export interface FrameSink {
  /** Of the file so far. */
  readonly bytes: number;
  /** Settles when no more pictures can be added. */
  readonly failed: Promise<SinkEnd>;
  /**
   * Adds a picture of the recording's size, `0xRRGGBB` each, or nothing after a failure.
   * @param atMs greater than that of the picture before
   */
  add(atMs: number, pixels: Uint32Array<ArrayBuffer>): Promise<void>;
  /** Adds a chapter, where the format takes them while it is written. */
  addChapter(atMs: number, title: string): Promise<void>;
  /** Finishes the file, which shows the last picture until `endMs`. */
  close(endMs: number, last: Uint32Array<ArrayBuffer> | undefined): Promise<void>;
}
