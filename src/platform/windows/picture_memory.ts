/** Holds the bitmap that the screen is copied into; reused while pictures have the same size. */

import {
  BI_RGB,
  BITMAPINFOHEADER,
  DIB_RGB_COLORS,
  type Gdi32,
} from "../../../ffi/windows/gdi32.ts";
import type { Size } from "../types/mod.ts";

export interface Bitmap extends Size {
  /** A device context that draws into the bitmap. */
  readonly context: Deno.PointerObject;
  /** One number per pixel, `0x00RRGGBB`, top row first; valid until the bitmap is closed. */
  readonly pixels: Uint32Array;
}

export class PictureMemory {
  #bitmap: Bitmap & { close(): void } | undefined;

  constructor(private readonly gdi32: Gdi32) {}

  /** A bitmap of exactly this size; `undefined` when Windows lacks the memory. */
  bitmap(size: Size): Bitmap | undefined {
    const { width, height } = this.#bitmap ?? {};
    if (width === size.width && height === size.height) return this.#bitmap;
    this.close();
    return this.#bitmap = this.#create(size);
  }

  close(): void {
    this.#bitmap?.close();
    this.#bitmap = undefined;
  }

  #create({ width, height }: Size): Bitmap & { close(): void } | undefined {
    const { gdi32 } = this;
    const context = gdi32.CreateCompatibleDC(null);
    if (context === null) return undefined;
    const bits = new BigUint64Array(1);
    const header = bitmapHeader({ width, height });
    const bitmap = gdi32.CreateDIBSection(context, header, DIB_RGB_COLORS, bits, null, 0);
    const start = Deno.UnsafePointer.create(bits[0]!);
    if (bitmap === null || start === null) {
      gdi32.DeleteDC(context);
      return undefined;
    }
    const before = gdi32.SelectObject(context, bitmap);
    const memory = Deno.UnsafePointerView.getArrayBuffer(start, width * height * 4);
    return {
      context,
      width,
      height,
      pixels: new Uint32Array(memory),
      close() {
        gdi32.SelectObject(context, before);
        gdi32.DeleteObject(bitmap);
        gdi32.DeleteDC(context);
      },
    };
  }
}

/** The header of a picture with 32 bits per pixel, top row first. */
export function bitmapHeader({ width, height }: Size): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(BITMAPINFOHEADER.size);
  const view = new DataView(bytes.buffer);
  view.setUint32(BITMAPINFOHEADER.biSize, BITMAPINFOHEADER.size, true);
  view.setInt32(BITMAPINFOHEADER.biWidth, width, true);
  view.setInt32(BITMAPINFOHEADER.biHeight, -height, true);
  view.setUint16(BITMAPINFOHEADER.biPlanes, 1, true);
  view.setUint16(BITMAPINFOHEADER.biBitCount, 32, true);
  view.setUint32(BITMAPINFOHEADER.biCompression, BI_RGB, true);
  return bytes;
}
