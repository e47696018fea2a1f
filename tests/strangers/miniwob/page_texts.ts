/** Reading pages: which texts stand where, and what reacts to a click without saying so. */

import { type Line, textIn } from "./hand.ts";

/** A text of a line that was cut ends with this. */
const CUT = /…\u2060?$/;

/** Whether a text or value goes on where its line ends. */
export function isCut(text: string): boolean {
  return CUT.test(text);
}

/** What is shown of a text that was cut. */
export function withoutCut(text: string): string {
  return text.replace(CUT, "");
}

/** What says something and has nothing in it. */
export function textLines(lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ inside, name }) => inside.length === 0 && name.trim() !== "");
}

/** The last text before an element. @throws Error when there is none */
export function textBefore(lines: readonly Line[], element: Line): string {
  const last = textLines(lines.slice(0, lines.indexOf(element))).at(-1);
  if (!last) throw new Error("Nothing stands before it");
  return last.name.trim();
}

export function isClickable({ states }: Line): boolean {
  return states.includes("clickable");
}

/** Whether it reacts to a click, and says nothing. */
export function isIcon(line: Line): boolean {
  return isClickable(line) && textIn(line) === "" && !hasClickable(line);
}

/** The innermost elements that react to a click and whose text fits. */
export function findClickable(lines: readonly Line[], text: RegExp): readonly Line[] {
  return lines.filter((line) =>
    isClickable(line) && !hasClickable(line) && text.test(textIn(line).trim())
  );
}

/** The innermost elements with a fitting text: what reacts to a click, or a text where texts have refs. */
export function findPressable(lines: readonly Line[], text: RegExp): readonly Line[] {
  const fits = (line: Line) => line.ref !== undefined && text.test(textIn(line).trim());
  return lines.filter((line) => fits(line) && !line.inside.some(fits));
}

/** The element around a text that reacts to a click; the text itself where there is none. */
export function pressableAround(text: Line): Line {
  for (let line: Line | undefined = text; line; line = line.parent) {
    if (isClickable(line)) return line;
  }
  return text;
}

function hasClickable({ inside }: Line): boolean {
  return inside.some((line) => isClickable(line) || hasClickable(line));
}
