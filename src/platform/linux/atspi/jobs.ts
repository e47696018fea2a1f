/** What the thread that talks with the accessibility bus does for the others. */

import type { Point, Region } from "../../../core/geometry.ts";
import type { ElementAction, ElementId, TreeReading, WindowId } from "../../types/mod.ts";
import type { Truncation } from "./budget.ts";
import type { AtspiClient } from "./client.ts";
import type { Toolkits } from "./describe.ts";
import type { SentElement } from "./element_id.ts";

/** A window of the display, as far as it helps to find the elements that belong to it. */
export interface KnownWindow {
  readonly id: WindowId;
  readonly title: string;
  readonly pid: number | null;
  /** Its content, in pixels of the display. */
  readonly bounds: Region | null;
  /** With the frame that the window manager draws, or without the shadow that the program draws. */
  readonly frame: Region | null;
  readonly isActive: boolean;
}

/** A menu, a panel or a hint that shows, and that no list of windows has. */
export interface KnownPopup {
  readonly id: WindowId;
  readonly pid: number | null;
  /** In pixels of the display. */
  readonly bounds: Region;
}

/** What the thread asks of the display; `null` where that is not known. */
export interface AtspiAnswers {
  windows: readonly KnownWindow[] | null;
  popups: readonly KnownPopup[] | null;
}
export type AtspiQuestion = keyof AtspiAnswers;

/** The origin of the coordinates of programs: the corner of the display, or of their window. */
export type Origin = "display" | "window";

export type AtspiJob = { readonly address: string; readonly origin: Origin } & AtspiTask;

export type AtspiTask =
  | { readonly task: "read"; readonly reading: Omit<TreeReading, "signal"> }
  | { readonly task: "refresh"; readonly ids: readonly ElementId[] }
  | { readonly task: "perform"; readonly id: ElementId; readonly action: ElementAction }
  | { readonly task: "at"; readonly point: Point; readonly near: ElementId }
  | { readonly task: "contains"; readonly outer: ElementId; readonly inner: ElementId }
  /** Waits a while for the count of events to differ from the one that was seen. */
  | { readonly task: "changed"; readonly seen: number | null }
  /** Closes all connections: the end of the thread alone would leave them open. */
  | { readonly task: "close" };

export interface AtspiResults {
  /** The elements themselves are sent in slices. */
  read: { readonly truncated: readonly Truncation[]; readonly unresponsive: readonly string[] };
  refresh: readonly (SentElement | undefined)[];
  perform: boolean | undefined;
  at: ElementId | null | undefined;
  contains: boolean;
  changed: number;
  close: null;
}

// What every task needs that asks programs.

export interface Asking {
  readonly client: AtspiClient;
  readonly toolkits: Toolkits;
  readonly origin: Origin;
  /** @throws Stopped when nobody waits for the result any more */
  checkStop(): void;
  /** The windows of the display; `null` where they are not known. */
  listWindows(): Promise<AtspiAnswers["windows"]>;
  /** The menus and panels that show and are windows by themselves; `null` where they are not known. */
  listPopups(): Promise<AtspiAnswers["popups"]>;
}
