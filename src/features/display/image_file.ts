/**
 * Reads the image file to search for, and rejects invalid or oversized images before anything is
 * decompressed.
 */

import { ServiceError, ValueFault } from "../../core/errors.ts";
import type { Config } from "../../config/config.ts";
import { type ImageFile, readImageHeader } from "../../imaging/header.ts";
import { type FileAction, fromDenoError } from "../filesystem/file_errors.ts";
import { openReader } from "../filesystem/file_reader.ts";
import { resolvePath } from "../filesystem/path.ts";
import { requireGroup } from "../switched_off.ts";

/** Bytes per read where the size is unknown. */
const PIECE = 64 * 1024;

/**
 * @throws ServiceError for a file that cannot be read, `forbidden` where files are switched off; ValueFault on `field` for one that is not an
 * image.
 */
export async function readImage(
  path: string,
  { config, field }: {
    readonly config: Pick<Config, "home" | "limits" | "disabled">;
    readonly field: string | readonly string[];
  },
): Promise<ImageFile> {
  requireGroup(config, "filesystem");
  const { maxImageBytes, maxImagePixels } = config.limits;
  const file = resolvePath(path, config.home, field);
  const bytes = await readFile(file, { path, field, maxBytes: maxImageBytes });
  const header = readImageHeader(bytes);
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

/** Never waits for bytes that may not arrive; `undefined` when there are more than `maxBytes`. */
async function readUpTo(
  attempt: FileAction,
  size: number,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (size > maxBytes) return undefined;
  await using reader = await openReader(attempt);
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
