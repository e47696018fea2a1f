/** The port for a web browser: what it displays and reports, and what it does for its callers. */

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

// What a browser does for its callers, by name.

/** What a browser does, by name: its input and its output. */
export interface BrowserJobs {
  tabs: [Record<never, never>, readonly BrowserTab[]];
  open: [{ readonly url?: string | undefined; readonly timeMs: number }, Navigation];
  activate: [{ readonly tab: TabId }, BrowserTab];
  close: [{ readonly tab: TabId }, void];
  navigate: [InTab & { readonly to: NavigateTo; readonly timeMs: number }, Navigation];
  snapshot: [PageReading, PageSnapshot];
  find: [PageSearch, PageSnapshot];
  text: [InTab & { readonly maxCharacters: number }, {
    readonly tab: BrowserTab;
    readonly text: string;
    readonly truncated: boolean;
  }];
  place: [
    { readonly element: PageElement; readonly use?: ElementUse | undefined },
    ElementOnScreen,
  ];
  /**
   * Gives it the focus of its page, and the page the keyboard of its window, which the browser can have
   * in its address bar.
   */
  focus: [{ readonly element: PageElement; readonly use?: ElementUse | undefined }, void];
  /**
   * Whether keys of the display reach it: it has the focus of its page, and that of the browser. Valid
   * after `focus` only: a page reports it, too, when it was sent input that did not come by the display.
   */
  hasFocus: [{ readonly element: PageElement }, boolean];
  /** Types a stored value into a field that has the focus of its page, whatever the page does meanwhile. */
  enterSecret: [
    { readonly element: PageElement; readonly text: string; readonly clear: boolean },
    void,
  ];
  /** Listens for the mouse of the display over it, until `sawMouse` or for some seconds. */
  watchMouse: [{ readonly element: PageElement }, void];
  /**
   * Whether the mouse was moved over it since `watchMouse`; waits for that for some time. Before a
   * click it is refused when something else is there in the next frame.
   */
  sawMouse: [
    {
      readonly element: PageElement;
      readonly timeMs: number;
      readonly isLast: boolean;
      readonly use?: "click" | undefined;
    },
    boolean,
  ];
  /** Refused when something else has got the click of the display after `sawMouse`. */
  sawPress: [{ readonly element: PageElement }, void];
  click: [{
    readonly tab?: TabId | undefined;
    readonly at: PointerTarget;
    readonly button: PageButton;
    readonly count: number;
    readonly modifiers: readonly string[];
  }, void];
  pointer: [{
    readonly tab?: TabId | undefined;
    readonly action: "move" | "down" | "up";
    readonly at: PointerTarget;
    readonly button: PageButton;
  }, {
    readonly tab: TabId;
    /** Tells a press from others of the same button; absent where nothing was pressed. */
    readonly press?: number | undefined;
  }];
  /**
   * Releases what `pointer` holds down; of one press only if no other one holds the button. Without
   * a tab, everywhere, and ends all input that runs.
   */
  release: [
    InTab & {
      readonly button?: PageButton | undefined;
      readonly press?: number | undefined;
    },
    void,
  ];
  drag: [InTab & { readonly path: readonly Point[]; readonly modifiers: readonly string[] }, void];
  scroll: [{
    readonly tab?: TabId | undefined;
    readonly at?: PointerTarget | undefined;
    readonly right: number;
    readonly down: number;
  }, void];
  type: [{
    readonly tab?: TabId | undefined;
    /** Gets the focus first; its tab is taken in place of `tab`. */
    readonly element?: PageElement | undefined;
    readonly text: string;
  }, void];
  keys: [{
    readonly tab?: TabId | undefined;
    readonly keys: readonly string[];
    readonly repeat: number;
    readonly durationMs: number;
  }, void];
  fill: [{ readonly element: PageElement; readonly value: FillValue }, Filled];
  upload: [{ readonly element: PageElement; readonly paths: readonly string[] }, Filled];
  screenshot: [PageScreenshot, PagePicture];
  wait: [PageCondition, { readonly met: boolean; readonly elapsedMs: number }];
  evaluate: [
    InTab & { readonly expression: string; readonly timeMs: number },
    { readonly text: string; readonly truncated: boolean; readonly threw: boolean },
  ];
  console: [InTab & { readonly since: number; readonly max: number }, {
    readonly entries: readonly ConsoleEntry[];
    readonly dropped: number;
  }];
  network: [InTab & { readonly since: number; readonly max: number }, {
    readonly entries: readonly NetworkEntry[];
    readonly dropped: number;
  }];
  dialogs: [Record<never, never>, readonly PageDialog[]];
  answerDialog: [
    InTab & { readonly accept: boolean; readonly text?: string | undefined },
    PageDialog,
  ];
  downloads: [Record<never, never>, readonly BrowserDownload[]];
  /** All cookies, and the local storage of the open pages; the text is for `loadState` alone. */
  saveState: [Record<never, never>, SavedCounts & { readonly text: string }];
  loadState: [{ readonly text: string }, SavedCounts];
}

interface SavedCounts {
  readonly cookies: number;
  readonly origins: number;
}

export type BrowserJobName = keyof BrowserJobs;

export interface Browser extends AsyncDisposable {
  /**
   * Does something in the browser, which is started or connected to first where it is not running.
   * @param redact what pages say is searched without stored values, whose parts would be found
   * @throws ServiceError `unavailable`: there is no browser now, or it ended meanwhile; `not_found`:
   *   no such tab; `conflict`: the element or the tab is gone or covered, or a dialog of the page is
   *   open; `timed_out`: the page does not answer; the signal's reason
   */
  run<N extends BrowserJobName>(
    name: N,
    input: BrowserJobs[N][0],
    signal: AbortSignal,
    redact?: RedactTexts,
  ): Promise<BrowserJobs[N][1]>;
}

/** Resolves with the texts without stored values, in the same order. */
export type RedactTexts = (texts: readonly string[]) => Promise<readonly string[]>;

/** What presses something or moves the focus runs one after the other, in the order of arrival. */
export const INPUT_JOBS: ReadonlySet<BrowserJobName> = new Set([
  ...["click", "pointer", "drag", "scroll", "focus", "type", "keys", "fill"] as const,
]);
