/** Breaks a text into lines for a terminal. */

/** Where a line can break: not between a number and its unit. */
const BREAK = /(?<!\d|\(default:) /;

/** The lines of a text, none wider than `width` if its words are not. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(BREAK)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
