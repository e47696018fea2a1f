/** Reads the places in actions of UI-TARS models: a point, or a box of which the centre is meant. */

import { ValueFault } from "../../../core/errors.ts";
import type { Point } from "../../../core/geometry.ts";

const TAGS = /<\|box_(?:start|end)\|>|<\/?(?:point|bbox)>|[()[\]]/g;
const NUMBER = /^-?\d{1,9}(?:\.\d{1,9})?$/;

/**
 * `(500,300)`, `[1, 2, 3, 4]`, `<point>500 300</point>`, `<bbox>1 2 3 4</bbox>`, also between
 * `<|box_start|>` and `<|box_end|>`.
 * @throws ValueFault on `field`
 */
export function parsePlace(text: string, field: string): Point {
  const words = text.replaceAll(TAGS, " ").split(/[\s,]+/).filter((word) => word !== "");
  const numbers = words.map(Number);
  const [x, y, right = x, bottom = y] = numbers;
  const isPlace = (numbers.length === 2 || numbers.length === 4) &&
    words.every((word) => NUMBER.test(word));
  if (!isPlace || x === undefined || y === undefined) {
    throw new ValueFault(field, "a point is written (x,y), and a box (x1,y1,x2,y2)");
  }
  return { x: (x + right!) / 2, y: (y + bottom!) / 2 };
}
