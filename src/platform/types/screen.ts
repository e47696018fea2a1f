/** The ports for reading a screen and following what changes on it. */

import type { Region, Size } from "../../core/geometry.ts";
import type { Picture } from "../../imaging/picture.ts";

export type { Picture } from "../../imaging/picture.ts";

/** What reads a screen, as `GET /api/system/info` names it. */
export type ScreenBackend = "x11" | MeasuredBackend;

/** What reads the screens of displays that do not tell of changes. */
export type MeasuredBackend = "screencapture" | "gdi";

/** A plain value, fit to be sent to a worker, that `openScreen()` of `screens.ts` turns into a {@link Screen}. */
export interface ScreenAddress<B extends ScreenBackend = ScreenBackend> {
  readonly backend: B;
  /** The system's own name of the display. */
  readonly name: string;
}

/** A screen that can be read; one that was opened from an address has a connection of its own. */
export interface Screen {
  /**
   * Reads a region that lies on the screen, and gives it to `use`, which must be done with the pixels
   * when it returns: the next picture takes their place.
   * @throws ServiceError `conflict`: the screen has changed its size meanwhile.
   */
  capture<T>(region: Region, options: CaptureOptions, use: UsePicture<T>): Promise<T>;
  /** Whether it can still be read; one that cannot must be opened anew. */
  readonly connected: boolean;
  /** How it is read, where there are several ways; it may change with a capture. */
  readonly reading?: Reading;
  close(): void;
}

/** A screen that says how large it is and where the cursor is, because its display does not tell of changes. */
export interface MeasuredScreen extends Screen {
  /** @throws ServiceError `unavailable`: the screen is not there. */
  size(): Size;
  cursor(): CursorState;
}

/** How the pictures of a display are read, and why so. */
export interface Reading {
  readonly way: "shared_memory" | "socket";
  /** Half a sentence. */
  readonly reason: string;
}

/** What is done with a picture; the second is the cursor that was drawn into it, if one was. */
export type UsePicture<T> = (picture: Picture, cursor?: CursorState) => T;

export interface CaptureOptions {
  /** Whether the cursor is drawn into the picture. */
  readonly cursor: "shown" | "hidden";
}

/** What changes on a display. */
export interface Changes {
  /** `events`: the display tells, and a look costs nothing; `comparison`: each look takes a picture of all of it. */
  readonly source: "events" | "comparison";
  /** Resolves when everything that has changed until now is counted. */
  look(): Promise<ChangeState>;
  /** Areas of the screen that may have changed after `count`, or `undefined` when that is no longer known. */
  since(count: number): readonly Region[] | undefined;
  /** Resolves when something may have changed after `count`; rejects when `signal` aborts. */
  next(count: number, signal: AbortSignal): Promise<void>;
  /** The cursor as it is shown now. */
  cursor(): Promise<CursorState>;
}

export interface ChangeState {
  /** Names the run of the counter: another run may count from the start again. */
  readonly run: string;
  /** Grows with every change that is seen. */
  readonly count: number;
  readonly size: Size;
}

export interface CursorState {
  /** Where it covers the screen, in pixels; it may hang over the edges. */
  readonly box: Region;
  /** Differs whenever the cursor looks or stands differently. */
  readonly key: string;
}
