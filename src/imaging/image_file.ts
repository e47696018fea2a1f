/** Reads an image file that is searched for, as far as to know that it is one and how large: nothing is decompressed here. */

import { ServiceError, ValueFault } from "../core/errors.ts";
import type { Limits } from "../core/limits.ts";
import type { Size } from "../core/geometry.ts";
import { type FileAction, fromDenoError } from "../features/filesystem/file_errors.ts";
import { openReader } from "../features/filesystem/file_reader.ts";
import { resolvePath } from "../features/filesystem/path.ts";

/** Read at once, in bytes, where the size is not known. */
const PIECE = 64 * 1024;

/** Segments and padding before the picture itself: a file of nothing else must hold up nobody. */
const MAX_STEPS = 100_000;

export type ImageFormat = "png" | "jpeg" | "webp";

export interface ImageFile extends Size {
  readonly format: ImageFormat;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** @throws ServiceError for a file that cannot be read; ValueFault on `field` for one that is no image. */
export async function readImage(
  path: string,
  { home, field, limits }: { home: string; field: string | readonly string[]; limits: Limits },
): Promise<ImageFile> {
  const { maxImageBytes, maxImagePixels } = limits;
  const file = resolvePath(path, home, field);
  const bytes = await readFile(file, { path, field, maxBytes: maxImageBytes });
  const header = headerOf(bytes);
  if (!header) {
    throw new ValueFault(field, `"${path}" is no image: it should be a PNG, JPEG or WebP file`);
  }
  const { width, height } = header;
  if (width * height > maxImagePixels) {
    throw new ServiceError(
      "too_large",
      `"${path}" has ${width}x${height} pixels, more than the ${maxImagePixels} that are read`,
    );
  }
  return { ...header, bytes };
}

async function readFile(
  file: string,
  { path, field, maxBytes }: { path: string; field: string | readonly string[]; maxBytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { isDirectory, isFile, size } = await Deno.stat(file);
    if (isDirectory) {
      throw new ServiceError("is_a_directory", `"${path}" is a folder, not an image`);
    }
    if (!isFile) {
      throw new ValueFault(field, `"${path}" is no regular file, but a FIFO, a socket or a device`);
    }
    const bytes = await readUpTo({ action: "Cannot read", path: file, field }, size, maxBytes);
    if (bytes !== undefined) return bytes;
    const message = `"${path}" has ${Math.max(size, maxBytes + 1)} bytes, more than ${maxBytes}`;
    throw new ServiceError("too_large", message);
  } catch (error) {
    throw readError(error, { path, field });
  }
}

/** Never waits for bytes that may never come; `undefined` when there are more than `maxBytes`. */
async function readUpTo(
  tried: FileAction,
  size: number,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (size > maxBytes) return undefined;
  await using reader = await openReader(tried);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let length = 0; length <= maxBytes;) {
    const part = new Uint8Array(Math.max(PIECE, size - length));
    const read = await reader.read(part);
    if (read === null) return parts.length === 1 ? parts[0]! : joined(parts, length);
    parts.push(part.subarray(0, read));
    length += read;
  }
  return undefined;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function readError(
  error: unknown,
  { path, field }: { path: string; field: string | readonly string[] },
): unknown {
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
    return new ServiceError("not_found", `Cannot read "${path}": there is no such file`);
  }
  return fromDenoError(error, { action: "Cannot read", path, field });
}

/** What the first bytes say; `undefined` for a file of another kind. */
function headerOf(bytes: Uint8Array): Size & { format: ImageFormat } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = pngSize(view) ?? jpegSize(view) ?? webpSize(view);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it ends in the middle of the header
    throw error;
  }
}

type Sized = Size & { format: ImageFormat };

/** Signature and IHDR (PNG specification, 5.2 and 11.2.2). */
function pngSize(view: DataView): Sized | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined;
  return { format: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

/** The start-of-frame segment (ITU-T T.81, B.2.2), after however many others. */
function jpegSize(view: DataView): Sized | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let steps = 0;
  for (let at = 2;; at += 2 + view.getUint16(at + 2)) {
    while (view.getUint16(at) === 0xffff && ++steps < MAX_STEPS) at++; // padding
    if (++steps >= MAX_STEPS) return undefined;
    const marker = view.getUint16(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf &&
      ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (marker < 0xff00) return undefined;
    if (isFrame) {
      return { format: "jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
  }
}

/** The first chunk of the RIFF file (WebP container specification; RFC 6386, 9.1; lossless specification, 3). */
function webpSize(view: DataView): Sized | undefined {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return undefined;
  const int24 = (at: number) => view.getUint16(at, true) | view.getUint8(at + 2) << 16;
  switch (view.getUint32(12)) {
    case 0x56503858: // VP8X
      return { format: "webp", width: int24(24) + 1, height: int24(27) + 1 };
    case 0x56503820: // VP8
      return {
        ...{ format: "webp", width: view.getUint16(26, true) & 0x3fff },
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 0x5650384c: { // VP8L
      const bits = view.getUint32(21, true);
      return { format: "webp", width: (bits & 0x3fff) + 1, height: (bits >>> 14 & 0x3fff) + 1 };
    }
    default:
      return undefined;
  }
}
