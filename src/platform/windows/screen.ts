/** Reads one monitor as a screen, with GDI. */

import { ServiceError } from "../../core/errors.ts";
import { CAPTUREBLT, type Gdi32, SRCCOPY } from "../../../ffi/windows/gdi32.ts";
import type { User32 } from "../../../ffi/windows/user32.ts";
import type {
  CaptureOptions,
  CursorState,
  Picture,
  Region,
  Screen,
  Size,
  UsePicture,
} from "../types/mod.ts";
import { cursorState, drawCursor, readCursor } from "./cursor.ts";
import { desktopFailure } from "./desktop.ts";
import { type Monitor, MonitorList } from "./monitors.ts";
import { PictureMemory } from "./picture_memory.ts";

export interface ScreenLibraries {
  readonly user32: User32;
  readonly gdi32: Gdi32;
}

export class WindowsScreen implements Screen {
  readonly #monitors: MonitorList;
  readonly #memory: PictureMemory;
  #closed = false;

  /** @param name of the monitor, `\\.\DISPLAY1` */
  constructor(private readonly libraries: ScreenLibraries, private readonly name: string) {
    this.#monitors = new MonitorList(libraries.user32);
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
    this.#monitors[Symbol.dispose]();
  }

  /** Takes the picture, and draws the cursor into it if one is given. */
  #picture(
    region: Region,
    { cursor }: CaptureOptions,
  ): [picture: Picture, cursor: CursorState | undefined] {
    const monitor = this.#monitor();
    if (region.x + region.width > monitor.width || region.y + region.height > monitor.height) {
      throw new ServiceError("conflict", "Cannot read the screen: it changed its size meanwhile");
    }
    const bitmap = this.#memory.bitmap(region);
    if (bitmap === undefined) throw this.#failure("Windows has no memory for the picture");
    const origin = { x: monitor.x + region.x, y: monitor.y + region.y };
    this.#copy(bitmap.context, { ...origin, width: region.width, height: region.height });
    const shown = cursor === "shown" ? readCursor(this.libraries) : undefined;
    if (shown) drawCursor(this.libraries, shown, { context: bitmap.context, origin });
    this.libraries.gdi32.GdiFlush(); // otherwise parts may not be drawn yet
    const picture = { width: region.width, height: region.height, pixels: bitmap.pixels };
    return [picture, shown && cursorState(shown, monitor)];
  }

  #copy(to: Deno.PointerObject, { x, y, width, height }: Region): void {
    const { user32, gdi32 } = this.libraries;
    const screen = user32.GetDC(null);
    if (screen === null) throw this.#failure("there is no screen");
    try {
      const done = gdi32.BitBlt(to, 0, 0, width, height, screen, x, y, SRCCOPY | CAPTUREBLT);
      if (done === 0) throw this.#failure("Windows refuses to copy it");
    } finally {
      user32.ReleaseDC(null, screen);
    }
  }

  #monitor(): Monitor {
    const monitor = this.#monitors.read().find(({ name }) => name === this.name);
    if (monitor === undefined) throw this.#failure(`monitor "${this.name}" is not connected`);
    return monitor;
  }

  #failure(reason: string): ServiceError {
    const action = "Cannot read the screen";
    const otherwise = new ServiceError("unavailable", `${action}: ${reason}`);
    return desktopFailure(this.libraries.user32, action, otherwise);
  }
}
