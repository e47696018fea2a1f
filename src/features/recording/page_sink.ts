/** Records into a page that plays WebP pictures: it holds all of them, and each at its time. */

import { Buffer } from "node:buffer";
import { type Encode, openEncoder } from "../../imaging/encode.ts";
import type { Size } from "../../platform/types/mod.ts";
import type { BoundedFile } from "./bounded_file.ts";
import type { FrameSink } from "./frame_sink.ts";
import { playerPage } from "./player_page.ts";
import type { SinkEnd } from "./recorder_messages.ts";

const QUALITY = 85;

export interface PageSinkOptions {
  readonly size: Size;
  /** Belongs to the sink from now on. */
  readonly file: BoundedFile;
}

export class PageSink implements FrameSink {
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
