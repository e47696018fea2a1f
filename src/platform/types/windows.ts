/** The port for the windows of a display: what there is, and what a window manager does with them. */

import type { Point, Region } from "../../core/geometry.ts";
import type { ScreenAddress } from "./screen.ts";

/** Names one window for as long as it is open; X11: `0x3a00007`. Opaque to everyone else. */
export type WindowId = string;

export type WindowState =
  | "active"
  | "minimized"
  | "maximized"
  | "fullscreen"
  | "above"
  | "modal"
  | "attention"
  | "hidden";

export interface Window {
  readonly id: WindowId;
  readonly title: string;
  /** The program, as desktops name it: the class of WM_CLASS, an app id, a window class. */
  readonly app: string | null;
  readonly pid: number | null;
  /** The content, in pixels of the display; `null` where the system does not report it. */
  readonly bounds: Region | null;
  /** With the frame that the window manager draws. */
  readonly frame: Region | null;
  /** The number of its desktop, from 0; `null`: on all of them, or unknown. */
  readonly desktop: number | null;
  readonly states: readonly WindowState[];
  /** Whether it is visible only while its program starts. */
  readonly isSplash?: boolean;
}

export type WindowChange =
  | { readonly kind: "focus" | "minimize" | "maximize" | "restore" | "close" }
  | { readonly kind: "move"; readonly to: Point }
  | { readonly kind: "resize"; readonly width: number; readonly height: number };

export interface Windows {
  /** What {@link Windows.change} can do here; others are refused with the reason. */
  readonly changes: ReadonlySet<WindowChange["kind"]>;
  /** All windows that a person would call so, topmost first where the order is known. */
  list(signal: AbortSignal): Promise<readonly Window[]>;
  /** The window that has the keyboard, or `null`. */
  active(signal: AbortSignal): Promise<Window | null>;
  /**
   * Whether keys go to the window now; `never`: they do not, and nothing gives a new window the
   * keyboard. Absent where its states say so.
   */
  hasKeyboard?(id: WindowId, signal: AbortSignal): Promise<boolean | "never">;
  /** @throws ServiceError `not_found`: it is closed */
  find(id: WindowId, signal: AbortSignal): Promise<Window>;
  /**
   * Asks for a change; resolves when the request was sent. The caller waits for the effect.
   * @throws ServiceError `not_found`: it is closed; `unsupported`: not here, with the reason
   */
  change(id: WindowId, change: WindowChange, signal: AbortSignal): Promise<void>;
  /** The topmost window at a point, or `undefined` where none is or the system does not report it. */
  at(point: Point, signal: AbortSignal): Promise<WindowId | undefined>;
  /**
   * The visible menus, panels and hints, topmost first: windows that no list has, because programs
   * place them without the window manager. Absent where the system does not report them.
   */
  popups?(signal: AbortSignal): Promise<readonly Window[]>;
  /**
   * A screen on which the full window is visible, whatever covers it, at the same coordinates; `undefined`
   * where the system cannot do that. Absent where no system of this kind can.
   * @throws ServiceError `not_found`: it is closed
   */
  screenOf?(id: WindowId, signal: AbortSignal): Promise<ScreenAddress | undefined>;
  /** Resolves at the next change of the list, of a window or of the active one; by events where there are some. */
  changed(signal: AbortSignal): Promise<void>;
}
