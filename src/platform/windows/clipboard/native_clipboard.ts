/**
 * The clipboard of Windows, for a thread of its own: a program that owns a content can take its time
 * to make it.
 */

import { wideText } from "../../../../ffi/memory.ts";
import {
  CF_DIB,
  CF_HDROP,
  CF_UNICODETEXT,
  type ClipboardCalls,
  GMEM_MOVEABLE,
} from "../../../../ffi/windows/clipboard.ts";
import { poll } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { tooLarge } from "../../linux/clipboard/typed_clipboard.ts";
import type { ClipboardContent } from "../../types/mod.ts";

/** Another program has it open for a moment. */
const OPEN_TIMEOUT_MS = 1_000;
const RETRY_INTERVAL_MS = 10;
/** More formats than any program offers. */
const MAX_FORMATS = 256;
const MAX_NAME_LENGTH = 256;

/** The names of standard formats (winuser.h), which Windows does not report. */
const STANDARD: Readonly<Record<number, string>> = {
  1: "CF_TEXT",
  2: "CF_BITMAP",
  3: "CF_METAFILEPICT",
  4: "CF_SYLK",
  5: "CF_DIF",
  6: "CF_TIFF",
  7: "CF_OEMTEXT",
  8: "CF_DIB",
  9: "CF_PALETTE",
  11: "CF_RIFF",
  12: "CF_WAVE",
  13: "CF_UNICODETEXT",
  14: "CF_ENHMETAFILE",
  15: "CF_HDROP",
  16: "CF_LOCALE",
  17: "CF_DIBV5",
};

export interface NativeFormats {
  readonly text: number;
  readonly html: number;
  readonly png: number;
  readonly bitmap: number;
  readonly files: number;
  /** Keeps a content out of the history of the clipboard, and of cloud clipboards. */
  readonly noHistory: number;
}

export class NativeClipboard {
  readonly formats: NativeFormats;

  constructor(private readonly calls: ClipboardCalls) {
    const register = (name: string) => calls.user32.RegisterClipboardFormatW(wideText(name));
    this.formats = {
      text: CF_UNICODETEXT,
      bitmap: CF_DIB,
      files: CF_HDROP,
      html: register("HTML Format"),
      png: register("PNG"),
      noHistory: register("ExcludeClipboardContentFromMonitorProcessing"),
    };
  }

  /** Changes with every change of the content. */
  get sequence(): number {
    return this.calls.user32.GetClipboardSequenceNumber();
  }

  /** Opens the clipboard, which no other program can use until it is disposed of. */
  async open(): Promise<OpenClipboard> {
    const { user32 } = this.calls;
    const open = () => user32.OpenClipboard(null) !== 0;
    if (await poll(open, { everyMs: RETRY_INTERVAL_MS, timeoutMs: OPEN_TIMEOUT_MS })) {
      return new OpenClipboard(this.calls);
    }
    throw new ServiceError("unavailable", "Another program has the clipboard open: try again");
  }
}

export class OpenClipboard implements Disposable {
  constructor(private readonly calls: ClipboardCalls) {}

  /** The numbers of the formats that are there. */
  list(): number[] {
    const formats: number[] = [];
    let format = this.calls.user32.EnumClipboardFormats(0);
    while (format !== 0 && formats.length < MAX_FORMATS) {
      formats.push(format);
      format = this.calls.user32.EnumClipboardFormats(format);
    }
    return formats;
  }

  name(format: number): string {
    const name = new Uint8Array(MAX_NAME_LENGTH * 2);
    const length = this.calls.user32.GetClipboardFormatNameW(format, name, MAX_NAME_LENGTH);
    if (length <= 0) return STANDARD[format] ?? `format ${format}`;
    return new TextDecoder("utf-16le").decode(name.subarray(0, length * 2));
  }

  /**
   * The bytes of a format; `undefined` where it is not there.
   * @throws ServiceError `too_large`
   */
  read(format: number, maxBytes: number): Uint8Array<ArrayBuffer> | undefined {
    const { user32, kernel32 } = this.calls;
    const memory = user32.GetClipboardData(format);
    if (memory === null) return undefined;
    const size = Number(kernel32.GlobalSize(memory));
    if (size > maxBytes) throw tooLarge(maxBytes);
    const from = kernel32.GlobalLock(memory);
    if (from === null) return undefined;
    const bytes = new Uint8Array(size);
    if (size > 0) new Deno.UnsafePointerView(from).copyInto(bytes);
    kernel32.GlobalUnlock(memory);
    return bytes;
  }

  empty(): void {
    if (this.calls.user32.EmptyClipboard() === 0) throw refused();
  }

  /** @throws ServiceError `unavailable` */
  write(format: number, bytes: Uint8Array<ArrayBuffer>): void {
    const { user32, kernel32 } = this.calls;
    const size = BigInt(bytes.length);
    const memory = kernel32.GlobalAlloc(GMEM_MOVEABLE, size === 0n ? 1n : size);
    const to = memory && kernel32.GlobalLock(memory);
    if (to === null) throw new ServiceError("unavailable", "Windows is out of memory");
    kernel32.RtlMoveMemory(to, bytes, size);
    kernel32.GlobalUnlock(memory);
    if (user32.SetClipboardData(format, memory) !== null) return; // now it belongs to Windows
    kernel32.GlobalFree(memory);
    throw refused();
  }

  [Symbol.dispose](): void {
    this.calls.user32.CloseClipboard();
  }
}

function refused(): ServiceError {
  return new ServiceError("unavailable", "Windows refused the content of the clipboard: try again");
}

// What threads hand over of a content.

/** The memory of a content, which threads hand over instead of copying it. */
export function listBuffers({ text = [], html = [], png = [] }: ClipboardContent): ArrayBuffer[] {
  return [...new Set([...text, ...html, ...png].map(({ buffer }) => buffer))];
}
