/**
 * The messages of a live picture.
 *
 * One with pixels is binary, little endian: `u32 id, u16 count, u16 0`, then for each part `u8 codec,
 * u8 0, u16 x, u16 y, u16 width, u16 height, u32 length` and as many bytes. Parts are drawn in their
 * order. Codec 0 is QOI, 1 is JPEG, which is stretched to the part where it is smaller; 255 copies what
 * the viewer has: `i16 dx, i16 dy` says from how far to the right and how far below. Coordinates are
 * pixels of the view. The others are plain JSON.
 */

import type { Point, Region } from "../../core/geometry.ts";
import type { Copy } from "./frame.ts";

export const CODECS = { qoi: 0, jpeg: 1, copy: 255 } as const;

export interface Encoded {
  readonly codec: typeof CODECS["qoi" | "jpeg"];
  readonly bytes: Uint8Array;
  /** Whether it is only nearly right. */
  readonly isLossy: boolean;
}

export type LiveMessage = ArrayBuffer | LiveNote;

export type LiveNote =
  /** The picture begins anew, black, in this size. `x` and `y`: where it is on the display. */
  | { readonly kind: "size" } & Region
  /**
   * Where the cursor's hot spot is in the view, which can be outside, and how it looks. Displays that
   * do not report their cursor draw it into the picture, and send none of these.
   */
  | Point & {
    readonly kind: "cursor";
    readonly visible: boolean;
    /** A PNG file in base64, and its hot spot; absent while it looks as before. */
    readonly image?: CursorLook | undefined;
  }
  /** The display, or the window, cannot be seen now. What was sent stays true as far as known. */
  | { readonly kind: "gone"; readonly reason: string }
  /** It can be seen again. */
  | { readonly kind: "back" };

export interface CursorLook {
  readonly png: string;
  readonly hot_x: number;
  readonly hot_y: number;
}

export const HEADER_BYTES = 8;
export const PART_BYTES = 14;
const COPY_BYTES = 4;

export interface Part extends Encoded, Region {}

interface Pixels {
  readonly id: number;
  readonly copies: readonly Copy[];
  readonly parts: readonly Part[];
}

/** @param origin where the view is on the display, from which all coordinates count */
export function composeMessage({ id, copies, parts }: Pixels, origin: Point): ArrayBuffer {
  const bytes = parts.reduce((sum, part) => sum + PART_BYTES + part.bytes.length, 0);
  const out = new Uint8Array(HEADER_BYTES + copies.length * (PART_BYTES + COPY_BYTES) + bytes);
  const view = new DataView(out.buffer);
  view.setUint32(0, id, true);
  view.setUint16(4, copies.length + parts.length, true);
  let at = HEADER_BYTES;
  const begin = (codec: number, part: Region, length: number) => {
    view.setUint8(at, codec);
    view.setUint16(at + 2, part.x - origin.x, true);
    view.setUint16(at + 4, part.y - origin.y, true);
    view.setUint16(at + 6, part.width, true);
    view.setUint16(at + 8, part.height, true);
    view.setUint32(at + 10, length, true);
    at += PART_BYTES;
  };
  for (const copy of copies) {
    begin(CODECS.copy, copy, COPY_BYTES);
    view.setInt16(at, 0, true);
    view.setInt16(at + 2, copy.dy, true);
    at += COPY_BYTES;
  }
  for (const part of parts) {
    begin(part.codec, part, part.bytes.length);
    out.set(part.bytes, at);
    at += part.bytes.length;
  }
  return out.buffer;
}
