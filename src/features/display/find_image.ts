/** Finds an image on a display; shared by locating and waiting. */

import type { Config } from "../../config/config.ts";
import { readAll } from "../../core/bytes.ts";
import { FieldError, ServiceError } from "../../core/errors.ts";
import { type ImageFile, readImageHeader } from "../../imaging/image_file.ts";
import type { Match } from "../../imaging/match/plane.ts";
import { sourceRegion } from "../../imaging/scale.ts";
import type { Display, Region } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { fromDenoError } from "../filesystem/file_errors.ts";
import { resolvePath } from "../filesystem/paths.ts";
import { openReader } from "../filesystem/read_file.ts";
import type { Frame } from "../input/frames.ts";
import { Pictures } from "./pictures.ts";

interface Wanted {
  readonly image: ImageFile;
  /** On the screen. */
  readonly region: Region;
  /** The picture whose pixels the request and the answer use. */
  readonly frame: Frame | undefined;
  /** Where to search in the picture; everywhere if absent. */
  readonly part: Region | undefined;
  readonly confidence: number;
  readonly all: boolean;
  /** The field that named the image. */
  readonly field: string | readonly string[];
  /** Aborts when the client disconnects or the time is up. */
  readonly signal: AbortSignal;
}

/** A match this good proves the scale of the image: only the right scale reaches it. */
const SURE = 0.98;

/**
 * The matches, best first, in pixels of the frame if there is one, otherwise of the screen. With a
 * scaled frame the image may come from that picture or from the screen; the better fit decides.
 * @throws FieldError on the field when the image is damaged or larger than the area searched.
 */
export async function findImage(
  { session }: Context,
  display: Display,
  wanted: Wanted,
): Promise<readonly Match[]> {
  const { image, region, frame, confidence, all, field, signal } = wanted;
  if (image.width > region.width || image.height > region.height) {
    throw new FieldError(
      field,
      `The image has ${image.width}x${image.height} pixels, more than the ${region.width}x${region.height} that are searched`,
    );
  }
  const job = { image, confidence, all, field };
  const scaled = frame === undefined ? undefined : scaledSearch(frame, wanted);
  let inPicture: readonly Match[] = [];
  if (scaled !== undefined) {
    const { left, top, ...where } = scaled;
    const found = await session.use(Pictures).run("locate", display, { ...job, ...where }, signal);
    inPicture = found.map((one) => ({ ...one, x: one.x + left, y: one.y + top }));
    if (bestConfidence(inPicture) >= SURE) return inPicture;
  }
  const found = await session.use(Pictures).run("locate", display, { ...job, region }, signal);
  if (bestConfidence(found) <= bestConfidence(inPicture)) return inPicture;
  return found.map((one) => inFrame(one, frame));
}

function bestConfidence([best]: readonly Match[]): number {
  return best?.confidence ?? -1;
}

/**
 * The search in a part of a scaled picture; `undefined` when the image is larger than that part.
 */
function scaledSearch(frame: Frame, { image, part }: Wanted) {
  const { region: from, size: to, window } = frame;
  if (from.width === to.width && from.height === to.height) return undefined;
  const { x: left, y: top, width, height } = part ?? { ...window, x: 0, y: 0 };
  if (image.width > width || image.height > height) return undefined;
  const scaling = { from, to, window: { x: window.x + left, y: window.y + top, width, height } };
  const source = sourceRegion(scaling);
  const region = { ...source, x: from.x + source.x, y: from.y + source.y };
  return { scaling, region, left, top };
}

/** Converts a match on the screen to pixels of the picture that the request refers to. */
function inFrame(match: Match, frame: Frame | undefined): Match {
  if (!frame) return match;
  const { region, size, window } = frame;
  const [scaleX, scaleY] = [size.width / region.width, size.height / region.height];
  return {
    // the edge may show half a pixel of it
    x: Math.max(0, Math.round((match.x - region.x) * scaleX) - window.x),
    y: Math.max(0, Math.round((match.y - region.y) * scaleY) - window.y),
    width: Math.max(1, Math.round(match.width * scaleX)),
    height: Math.max(1, Math.round(match.height * scaleY)),
    confidence: match.confidence,
  };
}

// Reads the image file to search for, and rejects invalid or oversized images before anything is
// decompressed.

/**
 * @throws ServiceError for a file that cannot be read; FieldError on `field` for one that is not an
 * image.
 */
export async function readImage(
  path: string,
  { config, field }: {
    readonly config: Pick<Config, "home" | "limits">;
    readonly field: string | readonly string[];
  },
): Promise<ImageFile> {
  const { maxImageBytes, maxImagePixels } = config.limits;
  const file = resolvePath(path, config.home, field);
  const bytes = await readFile(file, { path, field, maxBytes: maxImageBytes });
  const header = readImageHeader(bytes);
  if (!header) {
    throw new FieldError(field, `"${path}" is not an image: it should be a PNG, JPEG or WebP file`);
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
  const attempt = { action: "Cannot read", path: file, field };
  try {
    await using reader = await openReader(attempt);
    const bytes = reader.size > maxBytes ? undefined : await readAll(reader, reader.size, maxBytes);
    if (bytes !== undefined && bytes.length <= maxBytes) return bytes;
    const size = Math.max(reader.size, maxBytes + 1);
    const message = `"${path}" has ${size} bytes, more than ${maxBytes}`;
    throw new ServiceError("too_large", message);
  } catch (error) {
    const isOtherKind = error instanceof ServiceError && error.code === "not_a_file" &&
      error.cause === undefined; // a loop of links has one
    if (!isOtherKind) throw fromDenoError(error, attempt);
    const message = `"${path}" is not a regular file, but a FIFO, a socket or a device`;
    throw new FieldError(field, message);
  }
}
