/** Splits a command line into words as a shell does, without any expansion. */

/**
 * Handles quotes and backslashes; variables, patterns, pipes and the like stay plain text.
 * @throws Error when a quote is not closed
 */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let rest = text; rest !== "";) {
    const [part] = PART.exec(rest) ?? [];
    if (part === undefined) throw new Error(`"${text}": a quote is not closed`);
    rest = rest.slice(part.length);
    if (part.trim() !== "" || part.startsWith("\\")) word = (word ?? "") + plain(part);
    else {
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** White space; a quoted part; an escaped character; plain characters. */
const PART = /^(?:\s+|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\]+)/s;

function plain(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replace(/\\(["\\$`])/g, "$1");
  return part.startsWith("\\") ? part.slice(1) : part;
}
