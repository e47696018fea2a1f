/**
 * The refs that snapshots have given out: short names such as `e12` for elements of programs and of
 * pages. A ref names the same element for as long as it is known, and is never given to another one.
 */

import { z } from "zod";
import { FieldError, ServiceError } from "../../../core/errors.ts";
import type { Point, Region } from "../../../platform/types/mod.ts";

/** What a ref stands for; accessibility trees and pages of a browser give them alike. */
export interface RefTarget {
  /** Identifies the element: the same key gets the same ref again. */
  readonly key: string;
  /** The display that it is on. */
  readonly displayNum: number;
  /** For messages: `button "Save"`; never the content of a field. */
  readonly description: string;
  /**
   * Scrolls it into view where needed, and returns where it can be clicked. It is called while an
   * input operation holds the lock, so it runs no other one, which would wait for that.
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
   * Sees that the mouse reaches it: programs draw things of their own over their contents, which
   * nothing reports. Resolves with the cursor at the point. Absent where it cannot be known.
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

/** Whether it is an element, and no point. */
export function isElement(at: Point | RefTarget): at is RefTarget {
  return "reveal" in at;
}

/** An element cannot take what was to be done: `The button "Save" is disabled: nothing was clicked`. */
export function conflictOf(
  { description }: Pick<RefTarget, "description">,
  why: string,
): ServiceError {
  return new ServiceError("conflict", `The ${description} ${why}`);
}

/** What is typed into an element once it has the focus. */
export type TextUse = "text" | "secret";

/** Moves the cursor to a point of the display; resolves when that has been delivered. */
export type MoveTo = (to: Point) => Promise<void>;

/** Clicks with the left button at a point of the display; resolves when that has been delivered. */
export type ClickAt = (at: Point) => Promise<void>;

/** In pixels of the display. */
export interface Revealed {
  /** The visible part. */
  readonly area: Region;
  readonly middle: Point;
  /** Whether it had to be scrolled into view, which can have moved everything else. */
  readonly scrolled: boolean;
}

/** Elements whose refs are remembered. */
const MAX_REFS = 50_000;

export class Refs {
  /** In order of the last snapshot that had them, oldest first. */
  readonly #targets = new Map<string, RefTarget>();
  readonly #byKey = new Map<string, string>();
  #last = 0;

  /** The ref of an element, by which it can be found from now on. */
  add(target: RefTarget): string {
    const ref = this.#byKey.getOrInsertComputed(target.key, () => `e${++this.#last}`);
    this.#targets.delete(ref);
    this.#targets.set(ref, target);
    if (this.#targets.size > MAX_REFS) this.#forget(this.#targets.keys().next().value!);
    return ref;
  }

  /** @throws ServiceError `conflict` when no snapshot that is still known has given out this ref. */
  get(ref: string): RefTarget {
    const target = this.#targets.get(ref);
    if (target) return target;
    throw new ServiceError(
      "conflict",
      `Element "${ref}" no longer exists: take a new snapshot and use its refs`,
    );
  }

  /** `undefined` for a ref that is not known any more. */
  find(ref: string): RefTarget | undefined {
    return this.#targets.get(ref);
  }

  #forget(ref: string): void {
    this.#byKey.delete(this.#targets.get(ref)!.key);
    this.#targets.delete(ref);
  }
}

// The field that names an element in place of a point, and which fields go together with it.

const MAX_REF = 64;

const MEANING = "The ref of an element in a snapshot, such as `e12`";

/** In place of `x` and `y`. */
export const Ref = z.string().min(1).max(MAX_REF).optional().describe(
  `${MEANING}, in place of \`x\` and \`y\`: the middle of its visible part, after it was scrolled into view. If it is gone or covered, nothing is done.`,
);

/** The element that gets the keyboard. */
export const FocusRef = z.string().min(1).max(MAX_REF).optional().describe(
  `${MEANING}: it gets the keyboard focus first. If it does not take the focus, nothing is done.`,
);

/** The field of a form. */
export const FieldRef = z.string().min(1).max(MAX_REF).optional().describe(
  `${MEANING}: the field that the stored value is typed into, which gets the keyboard focus first.`,
);

/** An element where a list or an object has another form for a point. */
export const RequiredRef = z.string().min(1).max(MAX_REF).describe(
  `${MEANING}: the middle of its visible part, after it was scrolled into view.`,
);

/** In JSON schema terms: `x` and `y`, or neither; neither of them, nor a picture, beside `ref`. */
export const POSITION_SCHEMA = {
  dependentRequired: { x: ["y"], y: ["x"] },
  not: { anyOf: ["x", "y", "frame"].map(bothGiven) },
};

/** The properties are named for linters. */
function bothGiven(name: string) {
  return { required: ["ref", name], properties: { ref: {}, [name]: {} } };
}

/** The same where there must be one. */
export const REQUIRED_POSITION_SCHEMA = {
  ...POSITION_SCHEMA,
  oneOf: [{ required: ["x", "y"] }, { required: ["ref"] }],
};

/** Where an operation acts; at the cursor where nothing is given. */
export interface PositionFields {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly ref?: string | undefined;
  /** The picture that the points refer to. */
  readonly frame?: string | undefined;
}

/** Also where other fields are wrong: all errors are listed. */
export const ALWAYS = { when: () => true };

/** Refuses `ref` beside a point or a picture. */
export function checkPosition(
  { x, y, ref, frame }: PositionFields,
  context: z.RefinementCtx,
): void {
  if (ref === undefined) return;
  const other = x !== undefined || y !== undefined
    ? "x and y"
    : frame !== undefined
    ? "frame"
    : undefined;
  if (other === undefined) return;
  const message = `Give either ref or ${other}, not both`;
  context.addIssue({ code: "custom", path: ["ref"], message });
}

/** {@link checkPosition} where there must be a point or an element; a missing one is a missing point. */
export function checkRequiredPosition(fields: PositionFields, context: z.RefinementCtx): void {
  if (fields.ref !== undefined) return checkPosition(fields, context);
  for (const name of ["x", "y"] as const) {
    if (fields[name] !== undefined) continue;
    context.addIssue({ code: "invalid_type", expected: "number", input: undefined, path: [name] });
  }
}

// Keeps an operation with several elements on one display.

/** An element of a request. */
export interface Named {
  readonly target: RefTarget;
  /** The field with its ref. */
  readonly field: readonly (string | number)[];
}

/**
 * The display that all elements are on; `displayNum` if there are none.
 * @param displayNum the display of the request, which 1, the default, leaves open
 * @param isFixed whether points of the request are on that display in any case
 * @throws FieldError on the ref of an element that is on another one
 */
export function findOneDisplay(
  elements: readonly Named[],
  { displayNum, isFixed }: { readonly displayNum: number; readonly isFixed: boolean },
): number {
  const isOpen = displayNum === 1 && !isFixed;
  const wanted = isOpen ? elements[0]?.target.displayNum ?? displayNum : displayNum;
  const other = elements.find(({ target }) => target.displayNum !== wanted);
  if (other === undefined) return wanted;
  throw new FieldError(
    other.field,
    `The element is on display ${other.target.displayNum}, not on ${wanted}`,
  );
}
