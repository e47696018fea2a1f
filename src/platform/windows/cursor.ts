/** Reads the cursor's position and shape, and draws it into a picture. */

import { BITMAP, type Gdi32 } from "../../../ffi/windows/gdi32.ts";
import {
  CURSOR_SHOWING,
  CURSORINFO,
  DI_NORMAL,
  ICONINFO,
  IDC_ARROW,
  type User32,
} from "../../../ffi/windows/user32.ts";
import type { CursorState, Point, Size } from "../types/mod.ts";

/** The calls that the cursor needs. */
export interface CursorCalls {
  readonly user32: Pick<User32, "GetCursorInfo" | "GetIconInfo" | "DrawIconEx" | "LoadCursorW">;
  readonly gdi32: Pick<Gdi32, "GetObjectW" | "DeleteObject">;
}

export interface Cursor {
  readonly handle: Deno.PointerObject;
  /** The top left corner of its image, on the virtual screen. */
  readonly topLeft: Point;
  readonly size: Size;
}

/** The visible cursor; `undefined` when none is shown. */
export function readCursor(calls: CursorCalls): Cursor | undefined {
  const bytes = new Uint8Array(CURSORINFO.size);
  const view = new DataView(bytes.buffer);
  view.setUint32(CURSORINFO.cbSize, CURSORINFO.size, true);
  if (calls.user32.GetCursorInfo(bytes) === 0) return undefined;
  if ((view.getUint32(CURSORINFO.flags, true) & CURSOR_SHOWING) === 0) return undefined;
  const shown = pointerAt(view, CURSORINFO.hCursor);
  if (shown === null) return undefined;
  const shape = readShape(calls, shown) ?? readShape(calls, arrow(calls));
  if (shape === undefined) return undefined;
  const { handle } = shape;
  const x = view.getInt32(CURSORINFO.ptScreenPos, true) - shape.hotspot.x;
  const y = view.getInt32(CURSORINFO.ptScreenPos + 4, true) - shape.hotspot.y;
  return { handle, topLeft: { x, y }, size: shape.size };
}

/** Draws it into a picture whose top left pixel is `origin` of the virtual screen. */
export function drawCursor(
  { user32 }: CursorCalls,
  { handle, topLeft }: Cursor,
  on: { readonly context: Deno.PointerObject; readonly origin: Point },
): void {
  const [x, y] = [topLeft.x - on.origin.x, topLeft.y - on.origin.y];
  user32.DrawIconEx(on.context, x, y, handle, 0, 0, 0, null, DI_NORMAL);
}

/**
 * The part of a monitor that the cursor covers; the monitor's top left pixel is `origin` of the
 * virtual screen.
 */
export function cursorState(cursor: Cursor | undefined, origin: Point): CursorState {
  if (cursor === undefined) return { box: { x: 0, y: 0, width: 0, height: 0 }, key: "hidden" };
  const [x, y] = [cursor.topLeft.x - origin.x, cursor.topLeft.y - origin.y];
  return {
    box: { x, y, ...cursor.size },
    key: `${x},${y},${Deno.UnsafePointer.value(cursor.handle)}`,
  };
}

/** A stand-in for the cursor of a program that does not share its image, as under wine. */
function arrow({ user32 }: CursorCalls): Deno.PointerValue {
  return user32.LoadCursorW(null, Deno.UnsafePointer.create(IDC_ARROW));
}

interface Shape {
  readonly handle: Deno.PointerObject;
  readonly hotspot: Point;
  readonly size: Size;
}

/** GetIconInfo creates two bitmaps, which we must delete. */
function readShape({ user32, gdi32 }: CursorCalls, handle: Deno.PointerValue): Shape | undefined {
  const bytes = new Uint8Array(ICONINFO.size);
  if (handle === null || user32.GetIconInfo(handle, bytes) === 0) return undefined;
  const view = new DataView(bytes.buffer);
  const mask = pointerAt(view, ICONINFO.hbmMask);
  const colour = pointerAt(view, ICONINFO.hbmColor);
  const bitmap = new Uint8Array(BITMAP.size);
  gdi32.GetObjectW(colour ?? mask, BITMAP.size, bitmap);
  if (colour !== null) gdi32.DeleteObject(colour);
  if (mask !== null) gdi32.DeleteObject(mask);
  const size = new DataView(bitmap.buffer);
  const height = size.getInt32(BITMAP.bmHeight, true);
  return {
    handle,
    hotspot: {
      x: view.getUint32(ICONINFO.xHotspot, true),
      y: view.getUint32(ICONINFO.yHotspot, true),
    },
    // a monochrome cursor stores both masks in one bitmap, one above the other
    size: {
      width: size.getInt32(BITMAP.bmWidth, true),
      height: colour === null ? height / 2 : height,
    },
  };
}

function pointerAt(view: DataView, at: number): Deno.PointerValue {
  return Deno.UnsafePointer.create(view.getBigUint64(at, true));
}
