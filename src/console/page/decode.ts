/**
 * Decodes the messages of the live picture and draws them. Runs in the page of the console, and in
 * tests: it needs nothing but typed arrays.
 *
 * The messages are described in `src/features/live/message.ts`.
 */

import { CODECS, HEADER_BYTES, PART_BYTES } from "../../features/live/message.ts";

/** What is drawn on: a canvas, or memory. All methods are called in the order of the message. */
export interface Surface {
  /** Puts pixels: red, green, blue, 255. */
  put(x: number, y: number, width: number, height: number, rgba: Uint8ClampedArray): void;
  /** Draws the picture of a file, stretched to the area. */
  draw(x: number, y: number, width: number, height: number, picture: unknown): void;
  /** Copies to (x, y) what is at (x + dx, y + dy). */
  copy(x: number, y: number, width: number, height: number, dx: number, dy: number): void;
}

/** Decodes a JPEG file; a browser does so by `createImageBitmap`. */
export type DecodeFile = (bytes: Uint8Array) => Promise<unknown>;

type Step = (surface: Surface) => void;

/** A message that is decoded and not drawn yet. */
export interface Decoded {
  /** What is acknowledged once it is drawn. */
  readonly id: number;
  /** Draws all of it. */
  drawOn(surface: Surface): void;
}

/** @throws RangeError when the message is damaged; the error of `decodeFile` */
export async function decodeMessage(
  message: ArrayBuffer,
  decodeFile: DecodeFile,
): Promise<Decoded> {
  const { id, parts } = readParts(message);
  const steps = await Promise.all(parts.map((part) => decodePart(part, decodeFile)));
  return {
    id,
    drawOn(surface) {
      for (const step of steps) step(surface);
    },
  };
}

interface Part {
  readonly codec: number;
  readonly area: readonly [x: number, y: number, width: number, height: number];
  readonly bytes: Uint8Array;
}

function readParts(message: ArrayBuffer): { readonly id: number; readonly parts: readonly Part[] } {
  const view = new DataView(message);
  const count = view.getUint16(4, true);
  const parts: Part[] = [];
  for (let at = HEADER_BYTES; parts.length < count;) {
    const number = (offset: number) => view.getUint16(at + offset, true);
    const area = [number(2), number(4), number(6), number(8)] as const;
    const bytes = new Uint8Array(message, at + PART_BYTES, view.getUint32(at + 10, true));
    parts.push({ codec: view.getUint8(at), area, bytes });
    at += PART_BYTES + bytes.length;
  }
  return { id: view.getUint32(0, true), parts };
}

async function decodePart({ codec, area, bytes }: Part, decodeFile: DecodeFile): Promise<Step> {
  if (codec === CODECS.qoi) {
    const rgba = decodeQoi(bytes, area[2], area[3]);
    return (surface) => surface.put(...area, rgba);
  }
  if (codec === CODECS.copy) {
    const by = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const [dx, dy] = [by.getInt16(0, true), by.getInt16(2, true)];
    return (surface) => surface.copy(...area, dx, dy);
  }
  if (codec !== CODECS.jpeg) throw new RangeError(`Unknown codec ${codec}`);
  const picture = await decodeFile(bytes);
  return (surface) => surface.draw(...area, picture);
}

const QOI_HEADER_BYTES = 14;
const BLACK = 0xff000000;

/**
 * Decodes a QOI file (qoiformat.org, version 1.0) without transparency. One that is cut off is black
 * from there.
 * @returns red, green, blue, 255 for each pixel
 * @throws RangeError when the file has another size
 */
export function decodeQoi(file: Uint8Array, width: number, height: number): Uint8ClampedArray {
  const header = new DataView(file.buffer, file.byteOffset, file.length);
  if (header.getUint32(4) !== width || header.getUint32(8) !== height) {
    throw new RangeError("The picture has another size than its part of the message");
  }
  const pixels = new Uint32Array(width * height).fill(BLACK); // little endian: 0xffBBGGRR
  const seen = new Uint32Array(64);
  let at = QOI_HEADER_BYTES, red = 0, green = 0, blue = 0, pixel = BLACK;
  for (let to = 0; to < pixels.length && at < file.length;) {
    const tag = file[at++]!;
    if (tag >= 0xc0 && tag < 0xfe) {
      const end = Math.min(pixels.length, to + (tag & 63) + 1);
      pixels.fill(pixel, to, end);
      to = end;
      continue;
    }
    if (tag === 0xfe) {
      red = file[at]!;
      green = file[at + 1]!;
      blue = file[at + 2]!;
      at += 3;
    } else if (tag < 0x40) {
      const known = seen[tag]!;
      red = known & 255;
      green = known >>> 8 & 255;
      blue = known >>> 16 & 255;
    } else if (tag < 0x80) {
      red = red + (tag >> 4 & 3) - 2 & 255;
      green = green + (tag >> 2 & 3) - 2 & 255;
      blue = blue + (tag & 3) - 2 & 255;
    } else {
      const more = file[at++]!;
      const step = (tag & 63) - 32;
      red = red + step - 8 + (more >> 4) & 255;
      green = green + step & 255;
      blue = blue + step - 8 + (more & 15) & 255;
    }
    pixel = (BLACK | blue << 16 | green << 8 | red) >>> 0;
    seen[(red * 3 + green * 5 + blue * 7 + 255 * 11) & 63] = pixel;
    pixels[to++] = pixel;
  }
  return new Uint8ClampedArray(pixels.buffer);
}
