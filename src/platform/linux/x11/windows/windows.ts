/**
 * The windows of an X display, as its window manager lists them (Extended Window Manager Hints 1.5);
 * without one, as the server has them.
 */

import { pause } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { overlap } from "../../../../imaging/boxes.ts";
import { ALL_CHANGES } from "../../../listed_windows.ts";
import type {
  CaptureOptions,
  Picture,
  Region,
  Screen,
  ScreenAddress,
  UsePicture,
  WindowId,
  Windows,
} from "../../../types/mod.ts";
import type { Callback, XEvent } from "../client.ts";
import { type Damage, type Fixes, requireExtension, X11Connection } from "../connection.ts";
import { describeOpenFailure } from "../setup.ts";
import { cursorState, drawCursor, readCursor, X11Screen } from "../screen.ts";
import { OpenWindows } from "./open_windows.ts";
import { parseId, withBorder } from "./request_change.ts";
import { WindowRequests } from "./requests.ts";
import { readGeometry } from "./window_facts.ts";

export class X11Windows implements Windows, AsyncDisposable {
  readonly changes = ALL_CHANGES;
  #opening: Promise<OpenWindows> | undefined;
  #opened: OpenWindows | undefined;

  constructor(private readonly xDisplay: string) {}

  readonly list: Windows["list"] = (signal) => this.#on(signal, (open) => open.list());
  readonly active: Windows["active"] = (signal) => this.#on(signal, (open) => open.active());
  readonly popups = (signal: AbortSignal) => this.#on(signal, (open) => open.popups());
  readonly at: Windows["at"] = (point, signal) => this.#on(signal, (open) => open.at(point));
  readonly find: Windows["find"] = (id, signal) => this.#on(signal, (open) => open.find(id));
  readonly change: Windows["change"] = (id, change, signal) =>
    this.#on(signal, (open) => open.change(id, change));
  readonly changed: Windows["changed"] = (signal) =>
    this.#on(signal, (open) => open.changed(signal));
  readonly hasKeyboard = (id: WindowId, signal: AbortSignal) =>
    this.#on(signal, (open) => open.hasKeyboard(id));

  async screenOf(id: WindowId, signal: AbortSignal): Promise<ScreenAddress | undefined> {
    const window = await this.#on(signal, (open) => open.drawnWindow(id));
    if (window === undefined) return undefined;
    return { backend: "x11_window", name: `${this.xDisplay} ${window}` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    (await this.#opening?.catch(() => undefined))?.close();
  }

  /** On a connection of its own: input waits for no list, and hears no events of windows. */
  async #on<T>(signal: AbortSignal, use: (open: OpenWindows) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#opened?.connected === false) this.#opening = this.#opened = undefined;
    return await use(await (this.#opening ??= this.#connect()));
  }

  async #connect(): Promise<OpenWindows> {
    try {
      return this.#opened = await X11Connection.openFor(this.xDisplay, OpenWindows.open);
    } catch (cause) {
      this.#opening = undefined;
      const why = describeOpenFailure(this.xDisplay, cause);
      throw new ServiceError("unavailable", `Cannot list windows: ${why}`, { cause });
    }
  }
}

// The picture of one window, whatever covers it: the Composite extension (version 0.4) lets the server
// draw the window separately from the screen.

/** A program that has drawn nothing for so long has drawn all that was covered. */
const QUIET_MS = 100;
const MAX_DRAWING_MS = 1_000;

interface Composite {
  readonly Redirect: { readonly Automatic: number };
  QueryVersion(major: number, minor: number, callback: Callback<readonly number[]>): void;
  RedirectWindow(window: number, update: number): void;
  NameWindowPixmap(window: number, pixmap: number): void;
}

/** @param name the X display and the child of the root: `:1 0x600003` */
export function openWindowScreen(name: string): Promise<Screen> {
  const [display = "", id = ""] = name.split(" ");
  return Promise.resolve(new WindowScreen(display, parseId(id) ?? 0));
}

/** Serves one picture: a window that is drawn separately costs its program and the server something. */
class WindowScreen implements Screen {
  connected = true;

  constructor(private readonly display: string, private readonly window: number) {}

  async capture<T>(region: Region, options: CaptureOptions, use: UsePicture<T>): Promise<T> {
    this.close();
    using connection = await X11Connection.open(this.display);
    try {
      const picture = await this.#read(connection, region);
      const fixes = options.cursor === "shown"
        ? await requireExtension<Fixes>(connection, "fixes")
        : undefined;
      const image = fixes && await readCursor(connection, fixes);
      if (image) drawCursor(picture, region, image);
      return use(picture, image && cursorState(image));
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      const why = (cause as Error).message;
      const message = `Cannot read the window: it was closed or resized in the meantime (${why})`;
      throw new ServiceError("conflict", message, { cause });
    }
  }

  close(): void {
    this.connected = false;
  }

  async #read(connection: X11Connection, region: Region): Promise<Picture> {
    const composite = await requireExtension<Composite>(connection, "composite");
    if (composite === undefined) {
      throw new ServiceError("unsupported", "The X server has no Composite extension");
    }
    await connection.call<readonly number[]>((done) => composite.QueryVersion(0, 4, done));
    composite.RedirectWindow(this.window, composite.Redirect.Automatic); // until the connection ends
    await this.#drawn(connection);
    const pixmap = connection.client.AllocID();
    composite.NameWindowPixmap(this.window, pixmap);
    const requests = new WindowRequests(connection);
    const asked = readGeometry(requests, this.window);
    requests.flush();
    const area = withBorder(await asked);
    const visible = overlap(region, area);
    if (visible === undefined) return blank(region);
    const inside = { ...visible, x: visible.x - area.x, y: visible.y - area.y };
    const screen = new X11Screen(connection, "a window is read rarely", pixmap);
    return placeIn(region, visible, await screen.pixels(inside));
  }

  /** Resolves when the program has drawn what was covered. */
  async #drawn(connection: X11Connection): Promise<void> {
    const damage = await requireExtension<Damage>(connection, "damage");
    if (damage === undefined) return await pause(MAX_DRAWING_MS);
    const id = connection.client.AllocID();
    let lastDrawn = performance.now();
    connection.onEvent((event: XEvent) => {
      if (event.name !== "DamageNotify") return;
      lastDrawn = performance.now();
      damage.Subtract(id, 0, 0);
      connection.client.pack_stream.flush();
    });
    damage.Create(id, this.window, damage.ReportLevel.NonEmpty);
    await connection.confirm();
    const end = performance.now() + MAX_DRAWING_MS;
    while (performance.now() < Math.min(lastDrawn + QUIET_MS, end)) await pause(QUIET_MS / 4);
  }
}

function blank({ width, height }: Region): Picture {
  return { width, height, pixels: new Uint32Array(width * height) };
}

function placeIn(region: Region, part: Region, pixels: Uint32Array): Picture {
  const picture = blank(region);
  for (let row = 0; row < part.height; row++) {
    const from = pixels.subarray(row * part.width, (row + 1) * part.width);
    picture.pixels.set(from, (part.y - region.y + row) * region.width + part.x - region.x);
  }
  return picture;
}
