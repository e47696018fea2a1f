/**
 * The refs that snapshots have given out: short names such as `e12` for elements of programs and of
 * pages. A ref names the same element for as long as it is known, and is never given to another one.
 */

import { ServiceError } from "../../core/errors.ts";
import type { Point, Region } from "../../platform/types/mod.ts";

/** What a ref stands for; accessibility trees and pages of a browser give them alike. */
export interface RefTarget {
  /** Identifies the element: the same key gets the same ref again. */
  readonly key: string;
  /** The display that it is on. */
  readonly displayNum: number;
  /** For messages: `button "Save"`; never the content of a field. */
  readonly description: string;
  /**
   * Scrolls it into view where needed, and returns where it can be clicked. It is called within the
   * turn of an input operation, so it runs no other one, which would wait for that turn.
   * @param use what follows; refused where the element cannot take it
   * @throws ServiceError `conflict`: it is gone, is another element now, or something covers it; it
   *   is disabled, and a click would follow
   */
  reveal(signal: AbortSignal, use?: "click"): Promise<Revealed>;
  /**
   * Gives it the keyboard focus; resolves when it has it. It is called as {@link RefTarget.reveal} is.
   * @param click for an element that takes the focus only so, and that a click does not set off
   * @param use `text`: refused where the element is disabled or read-only; `secret`: and where it is
   *   no field for text
   * @throws ServiceError as {@link RefTarget.reveal}; `conflict`: it does not take the focus, or not
   *   what follows
   */
  focus(signal: AbortSignal, click: ClickAt, use?: TextUse): Promise<void>;
  /**
   * Keys that are sent now reach it.
   * @throws ServiceError `conflict`: something else has the focus, in its window or on the display
   */
  checkFocus(signal: AbortSignal): Promise<void>;
  /**
   * Types a stored value into it once it has the focus: into this element, or not at all, unlike keys,
   * which go where the focus is when they arrive. Absent where its program offers only keys.
   * @param clear whether to empty it first
   * @throws ServiceError `conflict`: something else has the focus, or it does not keep the value
   */
  enterSecret?(text: string, clear: boolean, signal: AbortSignal): Promise<void>;
  /**
   * Sees that the mouse reaches it: programs draw things of their own over their contents, of which
   * nobody is told. Resolves with the cursor at the point. Absent where nobody can tell.
   * @param use what follows; refused where the move has made the program put something else there
   * @throws ServiceError `conflict`: something else gets the mouse there
   */
  checkMouse?(at: Point, move: MoveTo, signal: AbortSignal, use?: "click"): Promise<void>;
  /**
   * Sees which element has got the click after `checkMouse`.
   * @throws ServiceError `conflict`: another one
   */
  checkPress?(signal: AbortSignal): Promise<void>;
}

/** What is typed into an element once it has the focus. */
export type TextUse = "text" | "secret";

/** Moves the cursor to a point of the display; resolves when that has been delivered. */
export type MoveTo = (to: Point) => Promise<void>;

/** Clicks with the left button at a point of the display; resolves when that has been delivered. */
export type ClickAt = (at: Point) => Promise<void>;

/** In pixels of the display. */
export interface Revealed {
  /** The part that shows. */
  readonly area: Region;
  readonly middle: Point;
  /** Whether it had to be scrolled into view, which can have moved everything else. */
  readonly scrolled: boolean;
}

export class Refs<Target extends RefTarget = RefTarget> {
  /** In order of the last snapshot that had them, oldest first. */
  readonly #targets = new Map<string, Target>();
  readonly #byKey = new Map<string, string>();
  #last = 0;

  /** @param max the number of elements to remember */
  constructor(private readonly max: number) {}

  /** The ref of an element, by which it can be found from now on. */
  add(target: Target): string {
    const ref = this.#byKey.get(target.key) ?? `e${++this.#last}`;
    this.#targets.delete(ref);
    this.#targets.set(ref, target);
    this.#byKey.set(target.key, ref);
    if (this.#targets.size > this.max) this.#forget(this.#targets.keys().next().value!);
    return ref;
  }

  /** @throws ServiceError `conflict` when no snapshot that is still known has given out this ref. */
  get(ref: string): Target {
    const target = this.#targets.get(ref);
    if (target) return target;
    throw new ServiceError(
      "conflict",
      `There is no element "${ref}" any more: take a new snapshot and use its refs`,
    );
  }

  #forget(ref: string): void {
    this.#byKey.delete(this.#targets.get(ref)!.key);
    this.#targets.delete(ref);
  }
}
