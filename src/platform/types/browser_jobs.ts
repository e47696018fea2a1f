/** What a browser does for its callers, by name. */

import type { Point } from "../../core/geometry.ts";
import type {
  BrowserDownload,
  BrowserTab,
  ConsoleEntry,
  ElementOnScreen,
  ElementUse,
  Filled,
  FillValue,
  InTab,
  NavigateTo,
  Navigation,
  NetworkEntry,
  PageButton,
  PageCondition,
  PageDialog,
  PageElement,
  PagePicture,
  PageReading,
  PageScreenshot,
  PageSearch,
  PageSnapshot,
  PointerTarget,
  TabId,
} from "./browser.ts";

/** What a browser does, by name: its input and its output. */
export interface BrowserJobs {
  tabs: [Record<never, never>, readonly BrowserTab[]];
  open: [{ readonly url?: string | undefined; readonly timeMs: number }, Navigation];
  activate: [{ readonly tab: TabId }, BrowserTab];
  close: [{ readonly tab: TabId }, void];
  navigate: [InTab & { readonly to: NavigateTo; readonly timeMs: number }, Navigation];
  snapshot: [PageReading, PageSnapshot];
  find: [PageSearch, PageSnapshot];
  text: [{ readonly tab?: TabId | undefined; readonly maxCharacters: number }, {
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
  drag: [{
    readonly tab?: TabId | undefined;
    readonly path: readonly Point[];
    readonly modifiers: readonly string[];
  }, void];
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
    { readonly tab?: TabId | undefined; readonly expression: string; readonly timeMs: number },
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
