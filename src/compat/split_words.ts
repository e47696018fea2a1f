/** Splits a command into words as a POSIX shell does, without running one: Python's `shlex.split`. */

import { OperationFailure } from "./compat.ts";

/** A run of quoted or unquoted characters of a word, or the blanks between words. */
const TOKEN = /[ \t\r\n]+|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^ \t\r\n'"\\]+)/y;

/** In UTF-16 code units: no system takes a longer command. */
const MAX_LENGTH = 128 * 1024;

/**
 * Quotes and backslashes are removed; `#`, `$`, `*` and operators have no meaning.
 * @throws OperationFailure `invalid` (422) for a quote without an end, and a command that is too long
 */
export function splitWords(command: string): string[] {
  if (command.length > MAX_LENGTH) {
    const message = `The command has more than ${MAX_LENGTH} characters`;
    throw new OperationFailure(422, "invalid", message);
  }
  const words: string[] = [];
  let word: string | undefined;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < command.length) {
    const begin = command[TOKEN.lastIndex];
    const token = TOKEN.exec(command);
    if (token === null) {
      const missing = begin === "\\" ? "No escaped character" : "No closing quotation";
      throw new OperationFailure(422, "invalid", missing);
    }
    const [, literal, quoted, escaped, plain] = token;
    const text = literal ?? quoted?.replaceAll(/\\(["\\])/g, "$1") ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? "") + text;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
