/** Produces the file of a picture: captures, scales, encodes. */

import { ServiceError } from "../../core/errors.ts";
import type { CursorState, Picture, Region, Screen, Seen, Size } from "../../platform/types/mod.ts";
import { blackened, type Box, drawBoxes } from "../../imaging/boxes.ts";
import { type Encode, openEncoder } from "../../imaging/encode.ts";
import type { Format } from "../../imaging/image_file.ts";
import { scaleSize } from "../../imaging/fit.ts";
import { sumOf } from "../../imaging/picture_comparer.ts";
import { scaleDown, sourceRegion } from "../../imaging/scale.ts";

export interface RenderJob {
  /** On the screen. */
  readonly region: Region;
  /** The size of the whole region in pixels of the picture. */
  readonly size: Size;
  /** The requested part of it. */
  readonly window: Region;
  readonly format: Format;
  /** 1 to 100, for JPEG and WebP. */
  readonly quality: number;
  readonly cursor: "shown" | "hidden";
  /** Whether it is to be said what the picture shows; see {@link Rendered.seen}. */
  readonly isSummed?: boolean;
  /** Upper bound of the file size; the picture is made smaller to meet it. */
  readonly maxBytes: number | undefined;
  /** Drawn into the picture; on the screen. */
  readonly boxes?: readonly Box[];
  /** What is black in the picture, because stored secrets were filled in there; on the screen. */
  readonly masks?: readonly Region[];
}

export interface Rendered {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As in the job, unless the picture was made smaller. */
  readonly size: Size;
  readonly window: Region;
  /** The cursor, if it was drawn. */
  readonly cursor: CursorState | undefined;
  /** What the picture was made of, if that was asked for, and is known: not where the system draws the cursor. */
  readonly seen?: Seen | undefined;
}

/** How many times a picture is made smaller before giving up. */
const MAX_TRIES = 12;
/** Aims below the bound, because smaller pictures compress worse. */
const MARGIN = 0.93;

export async function render(screen: Screen, job: RenderJob): Promise<Rendered> {
  const encode = await openEncoder(job.format, job.quality);
  const { region, size, window } = job;
  const source = sourceRegion({ from: region, to: size, window });
  const area = { ...source, x: region.x + source.x, y: region.y + source.y };
  let seen: Seen | undefined;
  const note = (picture: Picture) => {
    if (job.isSummed) seen = { region: area, sum: sumOf(picture) };
  };
  const capture = <T>(use: (picture: Picture) => T) =>
    screen.capture(area, { cursor: job.cursor, beforeCursor: note }, (picture, cursor) => {
      if (cursor === undefined) note(picture);
      return [use(picture), cursor] as const;
    });
  const bound = job.maxBytes;
  if (bound === undefined) {
    const [bytes, cursor] = await capture((picture) =>
      encode(drawn(blackened(picture, area, job.masks ?? []), job))
    );
    return { bytes, size, window, cursor, seen };
  }
  const [picture, cursor] = await capture((now) =>
    copyPicture(blackened(now, area, job.masks ?? []))
  );
  return { ...shrink(picture, job, { encode, bound }), cursor, seen };
}

/** Shrinks the picture until the file is small enough. */
function shrink(
  picture: Picture,
  job: RenderJob,
  { encode, bound }: { encode: Encode; bound: number },
): Omit<Rendered, "cursor" | "seen"> {
  let scale = 1;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const size = scaleSize(job.size, scale);
    const window = { x: 0, y: 0, ...size };
    const bytes = encode(drawn(picture, { ...job, size, window }));
    if (bytes.length <= bound) return { bytes, size, window };
    scale *= Math.sqrt(bound / bytes.length) * MARGIN;
  }
  throw new ServiceError(
    "too_large",
    `Cannot make a picture of at most ${bound} bytes: allow more, or request a smaller region`,
  );
}

function drawn(picture: Picture, job: RenderJob): Picture {
  const { boxes = [] } = job;
  return boxes.length === 0 ? scaled(picture, job) : drawBoxes(scaled(picture, job), boxes, job);
}

/**
 * Returns the picture unchanged when there is nothing to scale: a picture of the screen itself is
 * not copied.
 */
function scaled(picture: Picture, { region, size, window }: RenderJob): Picture {
  if (picture.width === window.width && picture.height === window.height) return picture;
  return scaleDown(picture, { from: region, to: size, window });
}

function copyPicture({ width, height, pixels }: Picture): Picture {
  return { width, height, pixels: pixels.slice() };
}
