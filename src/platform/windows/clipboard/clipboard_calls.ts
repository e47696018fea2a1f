/** Reads and writes the formats of the service on the clipboard of Windows. */

import { wideText } from "../../../../ffi/memory.ts";
import {
  CF_DIB,
  CF_HDROP,
  CF_UNICODETEXT,
  type ClipboardCalls as NativeCalls,
  DROPFILES,
  GMEM_MOVEABLE,
  openClipboardCalls as openNativeCalls,
} from "../../../../ffi/windows/clipboard.ts";
import {
  BI_BITFIELDS,
  BI_RGB,
  BITMAPINFOHEADER as HEADER,
} from "../../../../ffi/windows/graphics.ts";
import { joinBytes, roundUp } from "../../../core/bytes.ts";
import { poll } from "../../../core/deadline.ts";
import { FieldError, ServiceError, throwUnless } from "../../../core/errors.ts";
import { decodeImage } from "../../../imaging/decode.ts";
import { readImageHeader } from "../../../imaging/image_file.ts";
import type { Picture } from "../../../imaging/picture.ts";
import { encodePng } from "../../../imaging/png.ts";
import { tooLarge } from "../../linux/clipboard/typed_clipboard.ts";
import type {
  ClipboardContent,
  ClipboardFormat,
  ClipboardReading,
  Parts,
  ReadClipboard,
} from "../../types/mod.ts";

/** A PNG ends with this chunk: its length, its name, its checksum. */
const PNG_END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

export type ClipboardCalls = ReturnType<typeof openClipboardCalls>;

/** @throws an error on systems other than Windows. */
export function openClipboardCalls() {
  const clipboard = new NativeClipboard(openNativeCalls());
  return {
    /** Changes with every change of the content. */
    sequence: () => clipboard.sequence,
    /** Resolves with the sequence of what was written. */
    async write(content: ClipboardContent, isPassing: boolean): Promise<number> {
      await write(clipboard, content, isPassing);
      return clipboard.sequence;
    },
    async read(formats: readonly ClipboardFormat[], maxBytes: number): Promise<ReadClipboard> {
      using open = await clipboard.open();
      return read(open, clipboard.formats, { formats, maxBytes });
    },
  };
}

async function write(
  clipboard: NativeClipboard,
  { text, html, png, files }: ClipboardContent,
  isPassing: boolean,
): Promise<void> {
  const { formats } = clipboard;
  const contents: [number, Uint8Array<ArrayBuffer>][] = [];
  if (text !== undefined) contents.push([formats.text, toWide(text)]);
  if (html !== undefined) contents.push([formats.html, formatHtml(joinBytes(html))]);
  if (png !== undefined) {
    contents.push([formats.png, joinBytes(png)]);
    const bitmap = await bitmapOfPng(joinBytes(png));
    if (bitmap !== undefined) contents.push([formats.bitmap, bitmap]);
  }
  if (files !== undefined) contents.push([formats.files, formatDropFiles(files)]);
  if (isPassing) contents.push([formats.noHistory, new Uint8Array(4)]);
  using open = await clipboard.open();
  open.empty();
  for (const [format, bytes] of contents) open.write(format, bytes);
}

function read(
  open: OpenClipboard,
  native: NativeFormats,
  { formats, maxBytes }: Pick<ClipboardReading, "formats" | "maxBytes">,
): ReadClipboard {
  const there = open.list();
  const has = (format: number) => there.includes(format);
  const available: ClipboardFormat[] = [
    ...(has(native.text) ? ["text" as const] : []),
    ...(has(native.html) ? ["html" as const] : []),
    ...(has(native.png) || has(native.bitmap) ? ["png" as const] : []),
    ...(has(native.files) ? ["files" as const] : []),
  ];
  const content: { -readonly [F in ClipboardFormat]?: ClipboardContent[F] } = {};
  for (const format of formats.filter((each) => available.includes(each))) {
    // UTF-16 takes up to twice the bytes of UTF-8
    if (format === "text") addParts("text", open.read(native.text, 2 * maxBytes + 2), fromWide);
    if (format === "html") addParts("html", open.read(native.html, maxBytes), parseHtml);
    if (format === "png") {
      addParts("png", open.read(native.png, maxBytes), untilEnd);
      if (content.png === undefined) {
        addParts("png", open.read(native.bitmap, 4 * maxBytes), pngOfBitmap);
      }
    }
    if (format === "files") {
      content.files = parseDropFiles(open.read(native.files, maxBytes) ?? new Uint8Array());
    }
  }
  return { content, available, types: there.map((format) => open.name(format)) };

  function addParts(
    format: "text" | "html" | "png",
    bytes: Uint8Array<ArrayBuffer> | undefined,
    parse: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | undefined,
  ): void {
    const parsed = bytes && parse(bytes);
    if (parsed !== undefined) content[format] = [parsed];
  }
}

/** Lines of Windows end with CR LF, without which its oldest fields show one line. */
function toWide(text: Parts): Uint8Array<ArrayBuffer> {
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(joinBytes(text));
  return wideText(lines.replace(/\r\n|\n/g, "\r\n"));
}

function fromWide(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const units = new Uint16Array(bytes.buffer, 0, bytes.length >> 1);
  const nul = units.indexOf(0);
  const text = new TextDecoder("utf-16le", { ignoreBOM: true })
    .decode(units.subarray(0, nul < 0 ? units.length : nul));
  return new TextEncoder().encode(text.replaceAll("\r\n", "\n"));
}

/** The memory of Windows can be longer than what is in it. */
function untilEnd(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (let end = bytes.length; end >= PNG_END.length; end--) {
    const at = end - PNG_END.length;
    if (PNG_END.every((byte, index) => bytes[at + index] === byte)) return bytes.subarray(0, end);
  }
  return bytes;
}

// Copied files as Windows has them: DROPFILES, and behind it the paths, each ended by NUL.

export function formatDropFiles(paths: readonly string[]): Uint8Array<ArrayBuffer> {
  const list = wideText(paths.map((path) => `${path}\0`).join(""));
  const bytes = new Uint8Array(DROPFILES.size + list.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(DROPFILES.pFiles, DROPFILES.size, true);
  view.setUint32(DROPFILES.fWide, 1, true);
  bytes.set(list, DROPFILES.size);
  return bytes;
}

export function parseDropFiles(bytes: Uint8Array<ArrayBuffer>): string[] {
  if (bytes.length < DROPFILES.size) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWide = view.getUint32(DROPFILES.fWide, true) !== 0;
  const list = bytes.subarray(view.getUint32(DROPFILES.pFiles, true));
  const text = new TextDecoder(isWide ? "utf-16le" : "windows-1252").decode(list);
  return text.slice(0, (text + "\0\0").indexOf("\0\0")).split("\0").filter((path) => path !== "");
}

// The clipboard format "HTML Format": a header of byte offsets before the HTML, in UTF-8.
// https://learn.microsoft.com/windows/win32/dataxchg/html-clipboard-format

const BEFORE = "<html><body>\r\n<!--StartFragment-->";
const AFTER = "<!--EndFragment-->\r\n</body></html>";
const encoder = new TextEncoder();

export function formatHtml(fragment: Uint8Array): Uint8Array<ArrayBuffer> {
  const [before, after] = [encoder.encode(BEFORE), encoder.encode(AFTER)];
  const start = header({ StartHTML: 0, EndHTML: 0, StartFragment: 0, EndFragment: 0 }).length;
  const from = start + before.length;
  const to = from + fragment.length;
  const end = to + after.length;
  const bytes = new Uint8Array(end + 1); // programs expect a NUL
  bytes.set(header({ StartHTML: start, EndHTML: end, StartFragment: from, EndFragment: to }));
  bytes.set(before, start);
  bytes.set(fragment, from);
  bytes.set(after, to);
  return bytes;
}

/** The fragment, or all HTML where no fragment is marked. */
export function parseHtml(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const start = new TextDecoder().decode(bytes.subarray(0, 1_024));
  const offset = (name: string) => {
    const text = new RegExp(`^${name}:\\s*(-?\\d+)`, "m").exec(start)?.[1];
    return text === undefined || Number(text) < 0 ? undefined : Number(text);
  };
  const from = offset("StartFragment") ?? offset("StartHTML") ?? 0;
  const nul = bytes.indexOf(0, from);
  const to = offset("EndFragment") ?? offset("EndHTML") ?? (nul < 0 ? bytes.length : nul);
  return bytes.subarray(from, Math.max(from, to));
}

function header(offsets: Readonly<Record<string, number>>): Uint8Array {
  const lines = Object.entries(offsets)
    .map(([name, offset]) => `${name}:${String(offset).padStart(10, "0")}`);
  return encoder.encode(["Version:0.9", ...lines, ""].join("\r\n"));
}

// Pictures as most programs of Windows take them: a device-independent bitmap without its file header.

/** Three masks behind the header. */
const MASKS_BYTES = 12;

/** More pixels would take more memory than is right for a copy. */
const MAX_PIXELS = 50_000_000;

/**
 * 32 bits per pixel, the bottom row first; `undefined` for a PNG that is damaged, huge, or of a kind
 * that is not read here.
 */
export async function bitmapOfPng(
  png: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const header = readImageHeader(png);
  if (header === undefined || header.width * header.height > MAX_PIXELS) return undefined;
  const picture = await decodeImage({ ...header, bytes: png }, "png")
    .catch(throwUnless((error) => error instanceof FieldError));
  return picture && toBitmap(picture);
}

function toBitmap({ width, height, pixels }: Picture): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER.size + width * height * 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(HEADER.biSize, HEADER.size, true);
  view.setInt32(HEADER.biWidth, width, true);
  view.setInt32(HEADER.biHeight, height, true);
  view.setUint16(HEADER.biPlanes, 1, true);
  view.setUint16(HEADER.biBitCount, 32, true);
  view.setUint32(HEADER.biSizeImage, width * height * 4, true);
  const rows = new Uint32Array(bytes.buffer, HEADER.size);
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), (height - 1 - y) * width);
  }
  return bytes;
}

/** `undefined` for bitmaps with palettes, or compressed ones, which no program of today copies. */
export function pngOfBitmap(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const picture = readBitmap(bytes);
  return picture && encodePng(picture);
}

function readBitmap(bytes: Uint8Array<ArrayBuffer>): Picture | undefined {
  if (bytes.length < HEADER.size) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getInt32(HEADER.biWidth, true);
  const signedHeight = view.getInt32(HEADER.biHeight, true);
  const height = Math.abs(signedHeight);
  const step = view.getUint16(HEADER.biBitCount, true) / 8;
  const compression = view.getUint32(HEADER.biCompression, true);
  const size = view.getUint32(HEADER.biSize, true);
  const hasMasks = compression === BI_BITFIELDS && size === HEADER.size;
  const start = size + (hasMasks ? MASKS_BYTES : 0) + view.getUint32(HEADER.biClrUsed, true) * 4;
  const stride = roundUp(width * step, 4);
  if (step !== 3 && step !== 4 || compression !== BI_RGB && compression !== BI_BITFIELDS) return;
  if (width <= 0 || height === 0 || start + stride * height > bytes.length) return undefined;
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = start + stride * (signedHeight < 0 ? y : height - 1 - y);
    for (let x = 0; x < width; x++) {
      const at = row + x * step;
      pixels[y * width + x] = bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16;
    }
  }
  return { width, height, pixels };
}

// The clipboard of Windows, for a thread of its own: a program that owns a content can take its time
// to make it.

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

interface NativeFormats {
  readonly text: number;
  readonly html: number;
  readonly png: number;
  readonly bitmap: number;
  readonly files: number;
  /** Keeps a content out of the history of the clipboard, and of cloud clipboards. */
  readonly noHistory: number;
}

class NativeClipboard {
  readonly formats: NativeFormats;

  constructor(private readonly calls: NativeCalls) {
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

class OpenClipboard implements Disposable {
  constructor(private readonly calls: NativeCalls) {}

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
