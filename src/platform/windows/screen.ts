/** Reads one monitor as a screen, with GDI. */

import {
  BI_RGB,
  BITMAP,
  BITMAPINFOHEADER,
  CAPTUREBLT,
  DIB_RGB_COLORS,
  type Gdi32,
  openGdi32,
  SRCCOPY,
} from "../../../ffi/windows/graphics.ts";
import {
  CURSOR_SHOWING,
  CURSORINFO,
  DESKTOP_READOBJECTS,
  DI_NORMAL,
  DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2,
  ICONINFO,
  IDC_ARROW,
  MONITORENUMPROC,
  MONITORINFOEXW,
  MONITORINFOF_PRIMARY,
  openUser32,
  type User32,
} from "../../../ffi/windows/user32.ts";
import { ServiceError } from "../../core/errors.ts";
import type {
  CaptureOptions,
  CursorState,
  Picture,
  Point,
  Region,
  Screen,
  Size,
  UsePicture,
} from "../types/mod.ts";

export interface ScreenLibraries {
  readonly user32: User32;
  readonly gdi32: Gdi32;
}

class WindowsScreen implements Screen {
  readonly #memory: PictureMemory;
  #closed = false;

  /** @param name of the monitor, `\\.\DISPLAY1` */
  constructor(private readonly libraries: ScreenLibraries, private readonly name: string) {
    this.#memory = new PictureMemory(libraries.gdi32);
  }

  get connected(): boolean {
    return !this.#closed;
  }

  capture<T>(region: Region, options: CaptureOptions, use: UsePicture<T>): Promise<T> {
    return Promise.resolve().then(() => use(...this.#picture(region, options)));
  }

  /** @throws ServiceError `unavailable`: the monitor is gone */
  size(): Size {
    const { width, height } = this.#monitor();
    return { width, height };
  }

  cursor(): CursorState {
    return cursorState(readCursor(this.libraries), this.#monitor());
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#memory.close();
  }

  /** Takes the picture, and draws the cursor into it if one is given. */
  #picture(
    region: Region,
    { cursor, beforeCursor }: CaptureOptions,
  ): [picture: Picture, cursor: CursorState | undefined] {
    const monitor = this.#monitor();
    if (region.x + region.width > monitor.width || region.y + region.height > monitor.height) {
      throw new ServiceError("conflict", "Cannot read the screen: it was resized in the meantime");
    }
    const bitmap = this.#memory.bitmap(region);
    if (bitmap === undefined) throw this.#failure("Windows has not enough memory for the picture");
    const origin = { x: monitor.x + region.x, y: monitor.y + region.y };
    this.#copy(bitmap.context, { ...origin, width: region.width, height: region.height });
    this.libraries.gdi32.GdiFlush(); // otherwise parts may not be drawn yet
    const picture = { width: region.width, height: region.height, pixels: bitmap.pixels };
    const drawn = cursor === "shown" ? readCursor(this.libraries) : undefined;
    if (drawn) {
      beforeCursor?.(picture);
      drawCursor(this.libraries, drawn, { context: bitmap.context, origin });
      this.libraries.gdi32.GdiFlush();
    }
    return [picture, drawn && cursorState(drawn, monitor)];
  }

  #copy(to: Deno.PointerObject, { x, y, width, height }: Region): void {
    const { user32, gdi32 } = this.libraries;
    const screen = user32.GetDC(null);
    if (screen === null) throw this.#failure("there is no screen");
    try {
      const done = gdi32.BitBlt(to, 0, 0, width, height, screen, x, y, SRCCOPY | CAPTUREBLT);
      if (done === 0) throw this.#failure("Windows refused to copy it");
    } finally {
      user32.ReleaseDC(null, screen);
    }
  }

  #monitor(): Monitor {
    const monitors = this.#closed ? [] : listMonitors(this.libraries.user32);
    const monitor = monitors.find(({ name }) => name === this.name);
    if (monitor === undefined) throw this.#failure(`monitor "${this.name}" is not connected`);
    return monitor;
  }

  #failure(reason: string): ServiceError {
    const action = "Cannot read the screen";
    const otherwise = new ServiceError("unavailable", `${action}: ${reason}`);
    return desktopFailure(this.libraries.user32, action, otherwise);
  }
}

// Holds the bitmap that the screen is copied into; reused while pictures have the same size.

interface Bitmap extends Size {
  /** A device context that draws into the bitmap. */
  readonly context: Deno.PointerObject;
  /** One number per pixel, `0x00RRGGBB`, top row first; valid until the bitmap is closed. */
  readonly pixels: Uint32Array;
}

class PictureMemory {
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

// Reads the cursor's position and shape, and draws it into a picture.

interface CursorCalls {
  readonly user32: Pick<User32, "GetCursorInfo" | "GetIconInfo" | "DrawIconEx" | "LoadCursorW">;
  readonly gdi32: Pick<Gdi32, "GetObjectW" | "DeleteObject">;
}

type Cursor = NonNullable<ReturnType<typeof readCursor>>;

/** The visible cursor, at its position on the virtual screen; `undefined` when none is visible. */
function readCursor(calls: CursorCalls) {
  const bytes = new Uint8Array(CURSORINFO.size);
  const view = new DataView(bytes.buffer);
  view.setUint32(CURSORINFO.cbSize, CURSORINFO.size, true);
  if (calls.user32.GetCursorInfo(bytes) === 0) return undefined;
  if ((view.getUint32(CURSORINFO.flags, true) & CURSOR_SHOWING) === 0) return undefined;
  const cursor = pointerAt(view, CURSORINFO.hCursor);
  if (cursor === null) return undefined;
  // an arrow stands in for the cursor of a program that does not share its image, as under wine
  const arrow = () => calls.user32.LoadCursorW(null, Deno.UnsafePointer.create(IDC_ARROW));
  const shape = readShape(calls, cursor) ?? readShape(calls, arrow());
  if (shape === undefined) return undefined;
  const { handle } = shape;
  const x = view.getInt32(CURSORINFO.ptScreenPos, true) - shape.hotspot.x;
  const y = view.getInt32(CURSORINFO.ptScreenPos + 4, true) - shape.hotspot.y;
  return { handle, topLeft: { x, y }, size: shape.size };
}

/** Draws it into a picture whose top left pixel is `origin` of the virtual screen. */
function drawCursor(
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
function cursorState(cursor: Cursor | undefined, origin: Point): CursorState {
  if (cursor === undefined) return { box: { x: 0, y: 0, width: 0, height: 0 }, key: "hidden" };
  const [x, y] = [cursor.topLeft.x - origin.x, cursor.topLeft.y - origin.y];
  return {
    box: { x, y, ...cursor.size },
    key: `${x},${y},${Deno.UnsafePointer.value(cursor.handle)}`,
  };
}

/** GetIconInfo creates two bitmaps, which we must delete. */
function readShape({ user32, gdi32 }: CursorCalls, handle: Deno.PointerValue) {
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

// Opens a monitor by its name, with its own libraries, so that any thread can do it.

export function openWindowsScreen(name: string): WindowsScreen {
  return new WindowsScreen({ user32: openUser32().symbols, gdi32: openGdi32().symbols }, name);
}

// Makes Windows use physical pixels, with each monitor's own scale.

/** For the whole process; has no effect when the manifest or an earlier call has already set it. */
export function becomeDpiAware(user32: User32): void {
  const context = Deno.UnsafePointer.create(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2);
  user32.SetProcessDpiAwarenessContext(context);
}

// Lists the monitors and their places on the virtual screen.

export interface Monitor extends Region {
  /** `\\.\DISPLAY1` */
  readonly name: string;
  readonly primary: boolean;
}

/** The primary monitor first, the others in the order of Windows; empty without a desktop. */
export function listMonitors(user32: User32): Monitor[] {
  const found: Monitor[] = [];
  const each = new Deno.UnsafeCallback(MONITORENUMPROC, (monitor) => {
    const bytes = new Uint8Array(MONITORINFOEXW.size);
    new DataView(bytes.buffer).setUint32(MONITORINFOEXW.cbSize, MONITORINFOEXW.size, true);
    if (user32.GetMonitorInfoW(monitor, bytes) !== 0) found.push(decodeMonitor(bytes));
    return 1;
  });
  try {
    user32.EnumDisplayMonitors(null, null, each.pointer, 0n);
  } finally {
    each.close();
  }
  return found.sort((a, b) => Number(b.primary) - Number(a.primary));
}

export function decodeMonitor(bytes: Uint8Array<ArrayBuffer>): Monitor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { rcMonitor, dwFlags, szDevice, CCHDEVICENAME } = MONITORINFOEXW;
  const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => view.getInt32(rcMonitor + at, true));
  const name = new TextDecoder("utf-16le")
    .decode(bytes.subarray(szDevice, szDevice + CCHDEVICENAME * 2));
  return {
    name: name.split("\0", 1)[0]!,
    primary: (view.getUint32(dwFlags, true) & MONITORINFOF_PRIMARY) !== 0,
    x: left!,
    y: top!,
    width: right! - left!,
    height: bottom! - top!,
  };
}

// Finds out whether this process can see and control the current desktop.

const SECURE = "Windows shows its secure desktop (a locked screen, the sign-in or a prompt for " +
  "administrator rights), or the service runs outside of a desktop session: unlock the screen, or " +
  "start the service in the session of the user";

/**
 * The error for an action that failed on the desktop: `unavailable` when this process has no access
 * to the desktop now.
 */
export function desktopFailure(
  user32: Pick<User32, "OpenInputDesktop" | "CloseDesktop">,
  action: string,
  otherwise: ServiceError,
): ServiceError {
  const desktop = user32.OpenInputDesktop(0, 0, DESKTOP_READOBJECTS);
  if (desktop === null) return new ServiceError("unavailable", `${action}: ${SECURE}`);
  user32.CloseDesktop(desktop);
  return otherwise;
}
