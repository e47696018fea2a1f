/** Reads and writes the formats of the service on the clipboard of Windows. */

import type { ClipboardContent, ClipboardFormat, Parts, ReadClipboard } from "../../types/mod.ts";
import { bitmapOfPng, pngOfBitmap } from "./bitmap.ts";
import { formatDropFiles, parseDropFiles } from "./drop_files.ts";
import { formatHtml, parseHtml } from "./html_format.ts";
import type { NativeClipboard, NativeFormats, OpenClipboard } from "./native_clipboard.ts";

export type ClipboardJob =
  | { readonly do: "read"; readonly formats: readonly ClipboardFormat[]; readonly maxBytes: number }
  | { readonly do: "write"; readonly content: ClipboardContent; readonly isPassing: boolean }
  | { readonly do: "sequence" };

export interface ClipboardResult {
  readonly read?: ReadClipboard;
  /** Changes with every change of the content. */
  readonly sequence: number;
}

/** A PNG ends with this chunk: its length, its name, its checksum. */
const PNG_END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

export async function runClipboardJob(
  clipboard: NativeClipboard,
  job: ClipboardJob,
): Promise<ClipboardResult> {
  if (job.do === "sequence") return { sequence: clipboard.sequence };
  if (job.do === "write") {
    await write(clipboard, job.content, job.isPassing);
    return { sequence: clipboard.sequence };
  }
  using open = await clipboard.open();
  return { read: read(open, clipboard.formats, job), sequence: clipboard.sequence };
}

async function write(
  clipboard: NativeClipboard,
  { text, html, png, files }: ClipboardContent,
  isPassing: boolean,
): Promise<void> {
  const { formats } = clipboard;
  const contents: [number, Uint8Array<ArrayBuffer>][] = [];
  if (text !== undefined) contents.push([formats.text, toWide(text)]);
  if (html !== undefined) contents.push([formats.html, formatHtml(join(html))]);
  if (png !== undefined) {
    contents.push([formats.png, join(png)]);
    const bitmap = await bitmapOfPng(join(png));
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
  { formats, maxBytes }: Extract<ClipboardJob, { do: "read" }>,
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
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(join(text));
  const units = lines.replace(/\r\n|\n/g, "\r\n");
  const bytes = new Uint8Array((units.length + 1) * 2);
  const view = new Uint16Array(bytes.buffer);
  for (let i = 0; i < units.length; i++) view[i] = units.charCodeAt(i);
  return bytes;
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

function join(parts: Parts): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
