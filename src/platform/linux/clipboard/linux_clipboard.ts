/** The clipboard of a Linux display, with the formats of the service. */

import { Buffer } from "node:buffer";
import { fileURLToPath, pathToFileURL } from "node:url";
import { countBytes, joinBytes } from "../../../core/bytes.ts";
import { tryTo } from "../../../core/errors.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import type {
  Clipboard,
  ClipboardContent,
  ClipboardFormat,
  ClipboardReading,
  Parts,
  Pasting,
  ReadClipboard,
} from "../../types/mod.ts";
import { ClipboardPasting, LatePages } from "./pasting.ts";
import {
  type Encoding,
  FORMAT_TYPES,
  formatsOf,
  MAX_TYPES,
  tooManyFiles,
  type TypedClipboard,
  type TypedContent,
  type TypeReading,
  typesFor,
} from "./typed_clipboard.ts";

/** A list of copied files goes into the answer completely. */
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
    await this.#replace(toTyped(content), signal);
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
    await opened?.close?.();
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

/** The first type of a format that the owner gives, as UTF-8 if it is text. */
async function readFormat(
  clipboard: TypedClipboard,
  format: ClipboardFormat,
  { types, reading: allowed }: { readonly types: readonly string[]; readonly reading: TypeReading },
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
    const uris = files.map((path) => pathToFileURL(path).href);
    typed.set("text/uri-list", [encode(uris.map((uri) => `${uri}\r\n`).join(""))]);
    // as GNOME's, Xfce's and other file managers paste them
    typed.set("x-special/gnome-copied-files", [encode(["copy", ...uris].join("\n"))]);
  }
  return typed;
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

// HTML on clipboards: without a declaration programs guess its encoding, mostly wrongly.

/** As Chromium declares it. */
const DECLARATION = new TextEncoder().encode(
  '<meta http-equiv="content-type" content="text/html; charset=utf-8">',
);
/** Where a document declares its encoding (HTML standard, 13.2.3.2). */
const SEARCHED_BYTES = 1_024;

/** Declares UTF-8, unless the HTML declares an encoding itself. */
function offeredHtml(html: Parts): Parts {
  const start = new TextDecoder().decode(startOf(html, SEARCHED_BYTES));
  return /charset\s*=/i.test(start) ? html : [DECLARATION, ...html];
}

/** Without a declaration such as {@link offeredHtml} adds. */
function readHtml(html: Parts): Parts {
  const start = startOf(html, DECLARATION.length);
  const isDeclared = start.length === DECLARATION.length &&
    start.every((byte, index) => byte === DECLARATION[index]);
  return isDeclared ? dropStart(html, DECLARATION.length) : html;
}

// Converts what programs put on clipboards to UTF-8, part by part.

const BOM_UTF16LE = 0xfffe;
const BOM_UTF16BE = 0xfeff;

/**
 * The text as UTF-8. Where the encoding is not known, a byte order mark decides (Firefox puts HTML
 * there as UTF-16), else it is UTF-8.
 */
async function toUtf8(parts: Parts, encoding: Encoding): Promise<Parts> {
  const label = encoding === "latin-1" ? "latin1" : encoding === "unknown" && markedAs(parts);
  if (!label) return parts;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder(label);
  const yielder = new EventLoopYielder();
  const converted: Uint8Array<ArrayBuffer>[] = [];
  for (const part of parts) {
    converted.push(encoder.encode(decoder.decode(part, { stream: true })));
    await yielder.yieldIfDue();
  }
  return [...converted, encoder.encode(decoder.decode())];
}

function markedAs(parts: Parts): "utf-16le" | "utf-16be" | undefined {
  const [first, second] = startOf(parts, 2);
  const mark = first! << 8 | second!;
  return mark === BOM_UTF16LE ? "utf-16le" : mark === BOM_UTF16BE ? "utf-16be" : undefined;
}

/** The first bytes. */
function startOf(parts: Parts, length: number): Uint8Array<ArrayBuffer> {
  return Buffer.concat(parts, Math.min(length, countBytes(parts)));
}

/** Without the first `length` bytes. */
function dropStart(parts: Parts, length: number): Parts {
  let remaining = length;
  return parts.flatMap((part) => {
    const kept = part.subarray(remaining);
    remaining = Math.max(0, remaining - part.length);
    return kept.length === 0 ? [] : [kept];
  });
}

// Files as clipboards have them: `text/uri-list` (RFC 2483), and `x-special/gnome-copied-files`,
// which says `copy` or `cut` before the URIs.

/** More than the longest path of Linux has, 4,096 bytes, when each is written as `%20`. */
const MAX_URI_LENGTH = 16 * 1024;

/**
 * The paths of the local files of either list, which is UTF-8; comments, other URIs and what is no
 * URI are left out.
 */
async function parseUriList(parts: Parts): Promise<string[]> {
  const yielder = new EventLoopYielder();
  const paths: string[] = [];
  const text = new TextDecoder().decode(joinBytes(parts));
  for (const [line] of text.matchAll(/[^\r\n\0]+/g)) {
    const path = parseFileUri(line);
    if (path !== undefined) paths.push(path);
    await yielder.yieldIfDue();
  }
  return paths;
}

function parseFileUri(line: string): string | undefined {
  if (!line.startsWith("file:") || line.length > MAX_URI_LENGTH) return undefined;
  const url = URL.parse(line);
  if (url === null) return undefined;
  url.hostname = ""; // some programs name this computer
  return tryTo(() => fileURLToPath(url));
}
