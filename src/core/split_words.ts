/** Splits a command line into words as a POSIX shell does, without running one. */

/** A run of quoted or unquoted characters of a word, or the blanks between words. */
const TOKEN = /[ \t\r\n]+|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^ \t\r\n'"\\]+)/y;

/** What a backslash escapes inside double quotes: as a shell has it, and as Python's `shlex.split`. */
export const IN_SHELL = /\\(["\\$`])/g;
export const IN_SHLEX = /\\(["\\])/g;

/**
 * Quotes and backslashes are removed; `#`, `$`, `*` and operators have no meaning.
 * @throws Error for a quote without an end, and a backslash at the end
 */
export function splitWords(line: string, escapes: RegExp): string[] {
  const words: string[] = [];
  let word: string | undefined;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < line.length) {
    const begin = line[TOKEN.lastIndex];
    const token = TOKEN.exec(line);
    if (token === null) {
      throw new Error(begin === "\\" ? "No escaped character" : "No closing quotation");
    }
    const [, literal, quoted, escaped, plain] = token;
    const text = literal ?? quoted?.replaceAll(escapes, "$1") ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? "") + text;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
