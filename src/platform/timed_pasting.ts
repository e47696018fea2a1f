/**
 * Pastes a text on systems that do not report when a program has read the clipboard: what was there is
 * put back a while after.
 */

import { pause } from "../core/deadline.ts";
import { encodeText } from "../core/texts.ts";
import { isServiceError, throwUnless } from "../core/errors.ts";
import type { ClipboardContent, ClipboardReading, Pasting, ReadClipboard } from "./types/mod.ts";

/** Time for the focused program to paste a text before other keys follow. */
export const SETTLE_MS = 200;
/** Time before what was there is put back: a program that is busy for longer pastes that. */
export const PUT_BACK_AFTER_MS = 1_000;
/** What was there is put back within these bounds; the rest is lost. */
const READ_TIMEOUT_MS = 5_000;
const MAX_READ_BYTES = 64 * 1024 * 1024;

export interface PastingDevices {
  press(): Promise<void>;
  read(reading: ClipboardReading): Promise<ReadClipboard>;
  /**
   * Replaces the content, which is kept out of histories if it is there in passing; resolves with
   * its version.
   */
  replace(content: ClipboardContent, isPassing: boolean): Promise<number>;
  /** Changes with every change of the content. */
  version(): Promise<number>;
}

export class TimedPasting implements Pasting {
  #earlier: ClipboardContent | undefined;
  #version: number | undefined;
  #pastedAt = 0;

  constructor(private readonly devices: PastingDevices) {}

  async paste(text: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
    this.#earlier ??= await this.#readEarlier(signal);
    signal.throwIfAborted();
    this.#version = await this.devices.replace({ text: [...encodeText(text)] }, true);
    this.#pastedAt = performance.now();
    await this.devices.press();
    await pause(SETTLE_MS, signal);
  }

  /** Keeps what a person or a program has copied meanwhile. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#earlier === undefined || this.#version === undefined) return;
    await pause(this.#pastedAt + PUT_BACK_AFTER_MS - performance.now());
    const isOurs = await this.devices.version() === this.#version;
    if (isOurs) await this.devices.replace(this.#earlier, false);
    this.#earlier = this.#version = undefined;
  }

  async #readEarlier(signal: AbortSignal): Promise<ClipboardContent> {
    const read = await unlessUnresponsive(this.devices.read({
      formats: ["text", "html", "png", "files"],
      maxBytes: MAX_READ_BYTES,
      idleMs: READ_TIMEOUT_MS,
      signal,
    }));
    return read?.content ?? {};
  }
}

/** `undefined` where what is on the clipboard cannot be kept. @throws where the display has gone */
export async function unlessUnresponsive<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch(
    throwUnless((error) => isServiceError(error) && error.code !== "unavailable"),
  );
}
