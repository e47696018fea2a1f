/** Keeps an operation with several elements on one display. */

import { ValueFault } from "../../core/errors.ts";
import type { RefTarget } from "./refs.ts";

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
 * @throws ValueFault on the ref of an element that is on another one
 */
export function findOneDisplay(
  elements: readonly Named[],
  { displayNum, isFixed }: { readonly displayNum: number; readonly isFixed: boolean },
): number {
  const isOpen = displayNum === 1 && !isFixed;
  const wanted = isOpen ? elements[0]?.target.displayNum ?? displayNum : displayNum;
  const other = elements.find(({ target }) => target.displayNum !== wanted);
  if (other === undefined) return wanted;
  throw new ValueFault(
    other.field,
    `The element is on display ${other.target.displayNum}, not on ${wanted}`,
  );
}
