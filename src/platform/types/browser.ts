/** What a web browser displays and reports, as the port in `browser_jobs.ts` has it. */

import type { Point, Region, Size } from "../../core/geometry.ts";

/** Names a tab for as long as it is open: `t3`. Never given to another one. */
export type TabId = string;

export interface BrowserTab {
  readonly id: TabId;
  readonly title: string;
  readonly url: string;
  /** Whether it is the visible one; of several windows, in the one that was used last. */
  readonly active: boolean;
}

/** The tab that something happens in; the active one if absent, unless a job says otherwise. */
export interface InTab {
  readonly tab?: TabId | undefined;
}

/** Names an element of one document; a document that is loaded anew has new ones. */
export interface PageElement {
  /** The tab, as the browser names it. */
  readonly target: string;
  readonly frame: string;
  /** The loading of the document in that frame. */
  readonly loader: string;
  readonly node: number;
  readonly role: string;
  /** As `identifyText` has it: elements are kept for long, and names can be. */
  readonly name: string;
  /** A number for the texts in an element that only reacts to clicks, in place of its name. */
  readonly texts?: string;
}

/** One line of a snapshot: `- button "Save"`, its ref, and `[disabled]`. */
export interface SnapshotLine {
  readonly level: number;
  readonly role: string;
  /** More than is shown, by the `margin` of the reading: what a cut text loses when it is redacted. */
  readonly name: string;
  readonly states: readonly string[];
  /** Empty where it says no more than the name, and for passwords. */
  readonly value: string;
  /** Absent for text, which has no ref. */
  readonly element?: PageElement;
}

export type PageFilter = "all" | "visible" | "interactive";

export interface PageReading extends InTab {
  readonly filter: PageFilter;
  readonly maxDepth: number;
  readonly maxElements: number;
  readonly maxCharacters: number;
  readonly margin: number;
  /** Only what is inside this element. */
  readonly root?: PageElement | undefined;
  readonly timeMs: number;
}

export interface PageSnapshot {
  readonly tab: BrowserTab;
  readonly lines: readonly SnapshotLine[];
  /** Of the element that was asked for, with its line breaks; absent where it has none, and for passwords. */
  readonly value?: string;
  /** What left something out. */
  readonly truncated: readonly ("elements" | "characters" | "depth" | "size")[];
}

export interface PageSearch extends InTab {
  /** Words of the name, text, value or role, in any case. */
  readonly query: string;
  readonly role?: string | undefined;
  readonly max: number;
  readonly margin: number;
  readonly timeMs: number;
}

export type NavigateTo =
  | { readonly url: string }
  | { readonly history: "back" | "forward" | "reload" };

export interface Navigation {
  readonly tab: BrowserTab;
  /** Of the document's response; absent where it has none, as a page from the cache. */
  readonly httpStatus?: number;
  /** Whether the page has loaded; `false` when the time was up before. */
  readonly loaded: boolean;
  /** What came in place of a page. */
  readonly download?: BrowserDownload;
}

/** What is done to an element next, which it must be able to take. */
export type ElementUse = "click" | "text" | "secret";

/** Where an element is visible, in pixels of the page's viewport. */
export interface VisibleElement {
  readonly area: Region;
  readonly middle: Point;
  /** Whether it had to be scrolled into view. */
  readonly scrolled: boolean;
}

/** The same in pixels of the display. */
export interface ElementOnScreen extends VisibleElement {
  readonly viewport: Region;
  readonly window: PageWindow;
}

/** What the browser and the page report of the window that the page is in. */
export interface PageWindow {
  readonly bounds: Region;
  /** The title of the window, as far as the page gives it. */
  readonly title: string;
  readonly pid: number | undefined;
}

export type FillValue = string | number | boolean | readonly string[];

export interface Filled {
  readonly result: "confirmed" | "unverified";
  readonly reason: string;
}

export type PointerTarget = { readonly element: PageElement } | { readonly point: Point };

export type PageButton = "left" | "middle" | "right" | "back" | "forward";

export interface PageScreenshot extends InTab {
  readonly format: "png" | "jpeg" | "webp";
  readonly quality: number;
  /** In pixels of the viewport; all of it if absent. */
  readonly region?: Region | undefined;
  readonly fullPage: boolean;
}

export interface PagePicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the viewport, in its own pixels. */
  readonly viewport: Size;
}

export interface ConsoleEntry {
  /** Counts the entries of the tab. */
  readonly number: number;
  readonly level: string;
  readonly text: string;
  readonly source: string;
  /** ISO 8601. */
  readonly time: string;
}

export interface NetworkEntry {
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly type: string;
  /** HTTP status; `null` until there is an answer. */
  readonly status: number | null;
  /** Why it failed, such as `net::ERR_CONNECTION_REFUSED`. */
  readonly error: string | null;
  readonly time: string;
}

export interface PageDialog {
  readonly tab: TabId;
  readonly kind: "alert" | "confirm" | "prompt" | "beforeunload";
  readonly message: string;
}

export interface BrowserDownload {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly state: "running" | "completed" | "failed";
  readonly path: string | null;
  readonly bytes: number;
}

export interface PageCondition extends InTab {
  readonly text?: string | undefined;
  readonly textGone?: string | undefined;
  readonly url?: string | undefined;
  readonly gone?: PageElement | undefined;
  readonly loaded?: boolean | undefined;
  readonly timeMs: number;
}
