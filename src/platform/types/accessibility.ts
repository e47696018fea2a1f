/**
 * The port for what programs report to assistive technology: their windows and controls as a tree of
 * elements, and the actions that these take.
 */

import type { Region } from "../../core/geometry.ts";
import type { WindowId } from "./windows.ts";

/**
 * Names one element for as long as its program runs; a system builds it from what does not come back
 * for another element (Linux: the name on the bus, and the path). Opaque to everyone else.
 */
export type ElementId = string;

/** Roles of WAI-ARIA where there is one, such as `button`, `textbox`, `menuitem`; else the system's own, in lower case with hyphens. */
export type Role = string;

export type ElementState =
  | "focused"
  | "checked"
  | "mixed"
  | "selected"
  | "expanded"
  | "collapsed"
  | "pressed"
  | "unpressed" // a button that can be switched on, and is off
  | "disabled"
  | "readonly"
  | "editable"
  | "focusable"
  | "modal"
  | "multiline"
  | "required"
  | "invalid"
  | "protected"
  | "offscreen"
  | "active";

/** What can be done with an element, as far as its program says. */
export type ElementAbility = "click" | "focus" | "set value" | "select" | "scroll to" | "expand";

/** One element as it was when it was read. */
export interface Element {
  readonly id: ElementId;
  readonly role: Role;
  /** The label, trimmed; empty if it has none. */
  readonly name: string;
  readonly description?: string;
  /** The text or number that it holds. Never the content of a `protected` field. */
  readonly value?: string;
  /** How many characters a `protected` field holds, if its program says so. */
  readonly length?: number;
  readonly states: ReadonlySet<ElementState>;
  readonly abilities: ReadonlySet<ElementAbility>;
  /** Where it is on the display, in pixels of the display; absent where the program does not say. It can lie beyond the screen. */
  readonly bounds?: Region;
  /** How many children its program says that it has; more than `children` where they were not read. */
  readonly childCount: number;
  readonly children: readonly Element[];
  /** The process of its program, if known. */
  readonly pid?: number;
  /** Present at the top element of a window that the window port knows. */
  readonly window?: WindowId;
  /** The menu, panel or hint in which it is visible, where that is a window that no list has. */
  readonly popup?: WindowId;
  /**
   * A click that its program is asked for can open a dialog during which that answers nothing, and
   * after which it can hang; a value that it is asked for is displayed, and may not be kept. Real input
   * does neither.
   */
  readonly needsInput?: true;
}

/** What is read. */
export type TreeScope =
  | "focused window"
  | "all windows"
  | { readonly window: WindowId }
  | { readonly element: ElementId };

export interface TreeReading {
  readonly scope: TreeScope;
  /** Also elements that are not visible. */
  readonly hidden: boolean;
  /** Most elements that are read. */
  readonly maxElements: number;
  /** Levels below the top elements. */
  readonly maxDepth: number;
  /** Characters that are read of a value beyond those shown: it loses them where it is cut. */
  readonly margin?: number;
  /** How long may be read, in milliseconds; what is there by then is returned. */
  readonly timeMs: number;
  /**
   * The most that is waited for pages that a browser reports only once it is asked for them, in
   * milliseconds; 0 for those who read again anyway. Default: as long as a browser takes.
   */
  readonly pageWaitMs?: number | undefined;
  readonly signal: AbortSignal;
}

export interface ReadTree {
  /** The top elements: windows, or the element of the scope. */
  readonly roots: readonly Element[];
  /** What ended the reading before everything was read. */
  readonly truncated: readonly ("elements" | "depth" | "size" | "time")[];
  /** Programs that did not answer, or not in a way that can be used, by name or number of the process. */
  readonly unresponsive: readonly string[];
}

/** What a program is asked to do with an element by its own interface, without mouse or keys. */
export type ElementAction =
  | { readonly kind: "click" }
  | { readonly kind: "focus" }
  | { readonly kind: "set value"; readonly value: string }
  | { readonly kind: "select"; readonly selected: boolean }
  | { readonly kind: "scroll to" }
  | { readonly kind: "expand"; readonly expanded: boolean };

export interface Accessibility {
  /**
   * @throws ServiceError `unavailable`: the accessibility bus or the window is gone; `timed_out`:
   *   the only program that was asked does not answer; `not_found`: there is no such window; the
   *   signal's reason
   */
  read(reading: TreeReading): Promise<ReadTree>;
  /**
   * Reads elements again, without children; `undefined` for each that is gone or is no
   * longer visible as part of its window.
   * @throws ServiceError `timed_out`: a program does not answer
   */
  refresh(
    ids: readonly ElementId[],
    signal: AbortSignal,
  ): Promise<readonly (Element | undefined)[]>;
  /**
   * Asks the program; resolves with what it answered, which proves nothing. `undefined`: it gave no
   * answer within a second, as when a dialog opens.
   * @throws ServiceError `conflict`: the element is gone; `unsupported`: it does not take this
   */
  perform(id: ElementId, action: ElementAction, signal: AbortSignal): Promise<boolean | undefined>;
  /**
   * The visible element at a point of the display; `undefined` where the program does not report it, `null` where
   * something around `near` scrolls, and ends before the point: `near` is not visible there.
   */
  elementAt(
    point: { readonly x: number; readonly y: number },
    near: ElementId,
    signal: AbortSignal,
  ): Promise<ElementId | null | undefined>;
  /** Whether `inner` is `outer` or lies inside it. */
  contains(outer: ElementId, inner: ElementId, signal: AbortSignal): Promise<boolean>;
  /** Resolves when a program has reported a change of any element since the last call; an event stream where there is one. */
  changed(signal: AbortSignal): Promise<void>;
}
