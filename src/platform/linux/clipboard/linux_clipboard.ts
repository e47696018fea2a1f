/** The clipboard of a Linux display, with the formats of the service. */

import type {
  Clipboard,
  ClipboardContent,
  ClipboardFormat,
  ClipboardReading,
  Parts,
  Pasting,
  ReadClipboard,
} from "../../types/mod.ts";
import { toUtf8 } from "./encodings.ts";
import { FORMAT_TYPES, formatsOf, typesFor } from "./formats.ts";
import { offeredHtml, readHtml } from "./html.ts";
import { LatePages } from "./late_pages.ts";
import { ClipboardPasting } from "./pasting.ts";
import { tooManyFiles } from "./reading_errors.ts";
import {
  MAX_TYPES,
  type TypedClipboard,
  type TypedContent,
  type TypeReading,
} from "./typed_clipboard.ts";
import { formatCopiedFiles, formatUriList, parseUriList } from "./uri_list.ts";

/** A list of copied files goes into the answer as a whole. */
const MAX_FILES_BYTES = 1024 * 1024;

export class LinuxClipboard implements Clipboard {
  #opened: Promise<TypedClipboard> | undefined;
  readonly #latePages = new LatePages();

  /** @param openTyped is called at the first use, and again when the connection was lost */
  constructor(private readonly openTyped: () => Promise<TypedClipboard>) {}

  async read(reading: ClipboardReading): Promise<ReadClipboard> {
    const clipboard = await this.#open();
    const types = [...new Set(await clipboard.types(reading))].slice(0, MAX_TYPES);
    const content: { -readonly [F in ClipboardFormat]?: ClipboardContent[F] } = {};
    for (const format of new Set(reading.formats)) {
      const parts = await readFormat(clipboard, format, { types, reading });
      if (parts === undefined) continue;
      if (format === "files") content.files = await parseUriList(parts);
      else content[format] = parts;
    }
    return { content, types, available: formatsOf(types) };
  }

  async write(content: ClipboardContent, signal: AbortSignal): Promise<void> {
    const typed = toTyped(content);
    await this.#replace(typed, signal);
  }

  async clear(signal: AbortSignal): Promise<void> {
    await this.#replace(new Map(), signal);
  }

  beginPasting(press: () => Promise<void>): Pasting {
    return new ClipboardPasting(() => this.#open(), press, this.#latePages);
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    await this.#latePages.close();
    await opened?.close();
  }

  async #replace(content: TypedContent, signal: AbortSignal): Promise<void> {
    const clipboard = await this.#open();
    signal.throwIfAborted();
    await this.#latePages.forget();
    await clipboard.offer(content);
  }

  /** Several who find the connection lost open one new connection together. */
  async #open(): Promise<TypedClipboard> {
    const before = this.#opened;
    const opened = await before;
    if (opened?.connected) return opened;
    if (this.#opened !== before) return await this.#open();
    const opening = this.#opened = this.openTyped();
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    return await opening;
  }
}

interface FormatReading {
  readonly types: readonly string[];
  readonly reading: TypeReading;
}

/** The first type of a format that the owner gives, as UTF-8 if it is text. */
async function readFormat(
  clipboard: TypedClipboard,
  format: ClipboardFormat,
  { types, reading: allowed }: FormatReading,
): Promise<Parts | undefined> {
  const isBounded = format === "files" && allowed.maxBytes > MAX_FILES_BYTES;
  const reading = isBounded ? { ...allowed, maxBytes: MAX_FILES_BYTES } : allowed;
  for (const { type, encoding } of typesFor(format, types)) {
    const read = await clipboard.readType(type, reading).catch((error) => {
      throw isBounded && error?.code === "too_large" ? tooManyFiles(MAX_FILES_BYTES) : error;
    });
    if (read === undefined) continue;
    const given = FORMAT_TYPES.find((each) => each.type === read.type)?.encoding ?? encoding;
    const parts = await toUtf8(read.parts, given);
    return format === "html" ? readHtml(parts) : parts;
  }
}

function toTyped({ text, html, png, files }: ClipboardContent): TypedContent {
  const typed = new Map<string, Parts>();
  if (text !== undefined) {
    for (const type of ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "TEXT"]) {
      typed.set(type, text);
    }
  }
  if (html !== undefined) typed.set("text/html", offeredHtml(html));
  if (png !== undefined) typed.set("image/png", png);
  if (files !== undefined) {
    typed.set("text/uri-list", [encode(formatUriList(files))]);
    typed.set("x-special/gnome-copied-files", [encode(formatCopiedFiles(files))]);
  }
  return typed;
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
