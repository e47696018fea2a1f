/** Reads the buffers of a stream: where the pixels are, and the cursor. */

import {
  BUFFER,
  CHUNK,
  CHUNK_CORRUPTED,
  DATA,
  DATA_TYPE,
  META,
  META_BITMAP,
  META_CURSOR,
  META_TYPE,
} from "../../../../ffi/linux/pipewire.ts";
import { drawOver, swapRedAndBlue } from "../../../imaging/picture.ts";
import type { CursorState, Picture, Point, Region } from "../../types/mod.ts";

/** What a stream and this side agreed on. */
export interface VideoFormat {
  /** Whether the four bytes of a pixel begin with red; otherwise they begin with blue. */
  readonly isRedFirst: boolean;
  readonly width: number;
  readonly height: number;
}

/** Of `enum spa_video_format`: RGBx and RGBA. */
export const RED_FIRST: readonly number[] = [7, 11];

/** The pixels of a frame, in memory that stays valid while its buffer is held. */
export interface FramePixels extends VideoFormat {
  readonly address: bigint;
  /** Bytes per row. */
  readonly stride: number;
}

/** An image of the cursor; its pixels are those of a picture, with premultiplied alpha on top. */
export interface CursorImage {
  readonly width: number;
  readonly height: number;
  /** `0xAARRGGBB` */
  readonly pixels: Uint32Array<ArrayBuffer>;
  /** The pixel of the image that points. */
  readonly hotspot: Point;
}

/** What a buffer says of the cursor: `image` only when that is new. */
export interface CursorNews {
  readonly isVisible: boolean;
  readonly position: Point;
  readonly image: CursorImage | undefined;
}

type View = Deno.UnsafePointerView;

/** A cursor beyond it is damaged. */
const MAX_CURSOR_SIDE = 1024;

export class FrameBuffer {
  readonly #buffer: View;

  /** @param pointer `struct pw_buffer *`, of which the first member is a `struct spa_buffer *` */
  constructor(pointer: Deno.PointerObject) {
    this.#buffer = viewAt(new Deno.UnsafePointerView(pointer).getPointer(0))!;
  }

  /** `undefined` where the buffer brings news of the cursor only, or its memory cannot be read. */
  pixels(format: VideoFormat): FramePixels | undefined {
    if (this.#buffer.getUint32(BUFFER.n_datas) === 0) return undefined;
    const data = viewAt(this.#buffer.getPointer(BUFFER.datas));
    const chunk = viewAt(data?.getPointer(DATA.chunk) ?? null);
    const memory = data?.getPointer(DATA.data) ?? null;
    if (!data || !chunk || memory === null || data.getUint32(DATA.type) === DATA_TYPE.dmaBuf) {
      return undefined;
    }
    const size = chunk.getUint32(CHUNK.size);
    if (size === 0 || chunk.getInt32(CHUNK.flags) & CHUNK_CORRUPTED) return undefined;
    const offset = chunk.getUint32(CHUNK.offset);
    const stride = chunk.getInt32(CHUNK.stride) || format.width * 4;
    const isComplete = stride >= format.width * 4 &&
      offset + stride * format.height <= data.getUint32(DATA.maxsize);
    if (!isComplete) return undefined; // it is of another size: the next format is under way
    return { ...format, stride, address: Deno.UnsafePointer.value(memory) + BigInt(offset) };
  }

  cursor(): CursorNews | undefined {
    const meta = this.#meta(META_TYPE.cursor);
    if (meta === undefined || meta.size < META_CURSOR.bytes) return undefined;
    const { view } = meta;
    const position = { x: view.getInt32(META_CURSOR.x), y: view.getInt32(META_CURSOR.y) };
    return { isVisible: view.getUint32(META_CURSOR.id) !== 0, position, image: cursorImage(meta) };
  }

  #meta(type: number): { readonly view: View; readonly size: number } | undefined {
    const list = this.#buffer.getPointer(BUFFER.metas);
    if (list === null) return undefined;
    const metas = new Deno.UnsafePointerView(list);
    for (let i = 0; i < this.#buffer.getUint32(BUFFER.n_metas); i++) {
      const at = i * META.bytes;
      const view = viewAt(metas.getPointer(at + META.data));
      const size = metas.getUint32(at + META.size);
      if (metas.getUint32(at + META.type) === type && view) return { view, size };
    }
    return undefined;
  }
}

function cursorImage({ view, size }: { view: View; size: number }): CursorImage | undefined {
  const at = view.getUint32(META_CURSOR.bitmap);
  if (at < META_CURSOR.bytes || at + META_BITMAP.bytes > size) return undefined;
  const format = view.getUint32(at + META_BITMAP.format);
  const width = view.getUint32(at + META_BITMAP.width);
  const height = view.getUint32(at + META_BITMAP.height);
  const stride = view.getInt32(at + META_BITMAP.stride);
  const from = at + view.getUint32(at + META_BITMAP.offset);
  const isSane = width > 0 && height > 0 && Math.max(width, height) <= MAX_CURSOR_SIDE &&
    stride >= width * 4 && from + stride * height <= size;
  if (!isSane) return undefined;
  const pixels = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    view.copyInto(pixels.subarray(row * width, (row + 1) * width), from + row * stride);
  }
  if (RED_FIRST.includes(format)) swapRedAndBlue(pixels);
  const hotspot = { x: view.getInt32(META_CURSOR.hotX), y: view.getInt32(META_CURSOR.hotY) };
  return { width, height, pixels, hotspot };
}

function viewAt(pointer: Deno.PointerValue): View | undefined {
  return pointer === null ? undefined : new Deno.UnsafePointerView(pointer);
}

// Copies a part of a frame, in the pixel format of all pictures.

/** The region must be inside the frame, whose buffer must be held. */
export function copyPixels(frame: FramePixels, region: Region): Uint32Array<ArrayBuffer> {
  const { x, y, width, height } = region;
  const { stride } = frame;
  const pixels = new Uint32Array(width * height);
  const view = new Deno.UnsafePointerView(Deno.UnsafePointer.create(frame.address)!);
  if (stride === width * 4) view.copyInto(pixels, y * stride);
  else {
    for (let row = 0; row < height; row++) {
      view.copyInto(pixels.subarray(row * width, (row + 1) * width), (y + row) * stride + x * 4);
    }
  }
  if (frame.isRedFirst) swapRedAndBlue(pixels);
  return pixels;
}

// The cursor of a stream: its state, and how it is drawn into pictures.

/** The cursor on the screen; `key` changes with its image and its position. */
export interface VisibleCursor {
  readonly position: Point;
  /** Absent where the compositor sends none. */
  readonly image: CursorImage | undefined;
  readonly key: string;
}

export const HIDDEN_CURSOR: CursorState = {
  box: { x: 0, y: 0, width: 0, height: 0 },
  key: "hidden",
};

export function cursorState({ position, image, key }: VisibleCursor): CursorState {
  if (image === undefined) return { box: { ...position, width: 0, height: 0 }, key };
  const { width, height } = image;
  return { box: { ...topLeft(position, image.hotspot), width, height }, key };
}

/** Draws the cursor over a picture whose top left pixel is at `origin` on the screen. */
export function drawCursor(
  picture: Picture,
  origin: Point,
  { position, image }: VisibleCursor,
): void {
  if (image === undefined) return;
  const { x, y } = topLeft(position, image.hotspot);
  drawOver(picture, image, { x: x - origin.x, y: y - origin.y });
}

function topLeft({ x, y }: Point, hotspot: Point): Point {
  return { x: x - hotspot.x, y: y - hotspot.y };
}
