/** The ports for reading a screen and following what changes on it. */

import type { Point, Region, Size } from "../../core/geometry.ts";
import type { Picture } from "../../imaging/picture.ts";

export type { Picture } from "../../imaging/picture.ts";

/** What reads a screen, as `GET /api/system/info` names it. */
export type ScreenBackend = "x11" | "x11_window" | "pipewire" | MeasuredBackend;

/**
 * The readers for displays that send no change events, or in whose case that depends on the version
 * of the compositor.
 */
export type MeasuredBackend = "screencapture" | "gdi" | "wlroots" | "kde";

/**
 * A plain value that can be posted to a worker; `openScreen()` of `screens.ts` turns it into a
 * {@link Screen}.
 */
export interface ScreenAddress<B extends ScreenBackend = ScreenBackend> {
  readonly backend: B;
  /** The system's own name of the display. */
  readonly name: string;
}

/** A screen that can be read. One that was opened from an address has its own connection. */
export interface Screen {
  /**
   * Reads a region within the screen and passes the picture to `use`. `use` must not keep the
   * pixels after it returns: the next capture overwrites them.
   * @throws ServiceError `conflict`: the screen size has changed in the meantime.
   */
  capture<T>(region: Region, options: CaptureOptions, use: UsePicture<T>): Promise<T>;
  /**
   * The cursor as it looks now; `undefined` while it is hidden or on another screen. Absent where
   * the system reports no image of it: there it can only be drawn into pictures.
   */
  cursorPicture?(): Promise<CursorPicture | undefined>;
  /** Whether the screen can still be read; if not, it must be opened again. */
  readonly connected: boolean;
  /** How the screen is read, where there are several ways; a capture can change it. */
  readonly reading?: Reading;
  close(): void;
}

/** A screen that reports its own size and cursor, because its display sends no change events. */
export interface MeasuredScreen extends Screen {
  /** @throws ServiceError `unavailable`: the screen does not exist now. */
  size(): Size;
  cursor(): CursorState;
}

/** How the pictures of a display are read, and the reason. */
export interface Reading {
  readonly way: "shared_memory" | "socket";
  /** Half a sentence. */
  readonly reason: string;
}

/** Uses a picture; `cursor` is the cursor that was drawn into it, if any. */
export type UsePicture<T> = (picture: Picture, cursor?: CursorState) => T;

export interface CaptureOptions {
  readonly cursor: "shown" | "hidden";
  /** Called with the picture before the cursor is drawn into it, where not the system draws it. */
  readonly beforeCursor?: ((picture: Picture) => void) | undefined;
}

/** What a picture shows of a part of the screen, without the cursor. */
export interface Seen {
  readonly region: Region;
  /** Of its colours: `sumOf()` of `picture_comparer.ts`. */
  readonly sum: number;
}

/** What changes on a display. */
export interface Changes {
  /**
   * `events`: the display sends change events, and a poll costs nothing. `comparison`: each poll
   * captures the full display and compares it.
   */
  readonly source: "events" | "comparison";
  /** Resolves when every change up to now is counted. */
  poll(): Promise<ChangeState>;
  /**
   * Areas of the screen that have possibly changed since `count`; `undefined` when the log no
   * longer reaches back that far.
   */
  since(count: number): readonly Region[] | undefined;
  /**
   * Where changes are found by comparing pictures: whether the last one compared shows this, too. Otherwise
   * it may have come and gone between two comparisons, so that no count tells of it.
   */
  shows?(seen: Seen): Promise<boolean>;
  /** Resolves when something has possibly changed since `count`; rejects when `signal` aborts. */
  next(count: number, signal: AbortSignal): Promise<void>;
  /** The cursor as it is drawn now. */
  cursor(): Promise<CursorState>;
}

export interface ChangeState {
  /** Identifies the run of the counter: another run can start from the beginning again. */
  readonly run: string;
  /** Increases with every change that is noticed. */
  readonly count: number;
  readonly size: Size;
}

export interface CursorPicture {
  /** Where its hot spot is on the screen, in pixels. */
  readonly position: Point;
  /** The pixel of the image that points. */
  readonly hotspot: Point;
  /** Premultiplied colours, `0xAARRGGBB`. */
  readonly image: Picture;
}

export interface CursorState {
  /** The area that the cursor covers, in pixels; it can extend beyond the screen. */
  readonly box: Region;
  /** Changes whenever the cursor's image or position changes. */
  readonly key: string;
}
