/** What turns the pictures of a recording into its file. */

import type { SinkEnd } from "./recorder_messages.ts";

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
