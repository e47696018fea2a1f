/**
 * The windows of an X display, as its window manager lists them (Extended Window Manager Hints 1.5);
 * without one, as the server has them.
 */

import { ServiceError } from "../../../../core/errors.ts";
import type {
  Point,
  ScreenAddress,
  Window,
  WindowChange,
  WindowId,
  Windows,
} from "../../../types/mod.ts";
import { X11Connection } from "../connection.ts";
import { describeOpenFailure } from "../open_failure.ts";
import { type OpenWindows, openWindows } from "./open_windows.ts";

export class X11Windows implements Windows, AsyncDisposable {
  readonly changes: ReadonlySet<WindowChange["kind"]> = new Set(
    ["focus", "minimize", "maximize", "restore", "close", "move", "resize"] as const,
  );
  #opening: Promise<OpenWindows> | undefined;
  #opened: OpenWindows | undefined;

  constructor(private readonly xDisplay: string) {}

  async list(signal: AbortSignal): Promise<readonly Window[]> {
    return await (await this.#open(signal)).list();
  }

  async active(signal: AbortSignal): Promise<Window | null> {
    return await (await this.#open(signal)).active();
  }

  async hasKeyboard(id: WindowId, signal: AbortSignal): Promise<boolean | "never"> {
    return await (await this.#open(signal)).hasKeyboard(id);
  }

  async find(id: WindowId, signal: AbortSignal): Promise<Window> {
    return await (await this.#open(signal)).find(id);
  }

  async change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void> {
    await (await this.#open(signal)).change(id, change);
  }

  async at(point: Point, signal: AbortSignal): Promise<WindowId | undefined> {
    return await (await this.#open(signal)).at(point);
  }

  async popups(signal: AbortSignal): Promise<readonly Window[]> {
    return await (await this.#open(signal)).popups();
  }

  async screenOf(id: WindowId, signal: AbortSignal): Promise<ScreenAddress | undefined> {
    const window = await (await this.#open(signal)).drawnWindow(id);
    if (window === undefined) return undefined;
    return { backend: "x11_window", name: `${this.xDisplay} ${window}` };
  }

  async changed(signal: AbortSignal): Promise<void> {
    await (await this.#open(signal)).changed(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    (await this.#opening?.catch(() => undefined))?.close();
  }

  /** On a connection of its own: input waits for no list, and hears no events of windows. */
  #open(signal: AbortSignal): Promise<OpenWindows> {
    signal.throwIfAborted();
    if (this.#opened?.connected === false) this.#opening = this.#opened = undefined;
    return this.#opening ??= this.#connect();
  }

  async #connect(): Promise<OpenWindows> {
    try {
      return this.#opened = await X11Connection.openFor(this.xDisplay, openWindows);
    } catch (cause) {
      this.#opening = undefined;
      const why = describeOpenFailure(this.xDisplay, cause);
      throw new ServiceError("unavailable", `Cannot look at windows: ${why}`, { cause });
    }
  }
}
