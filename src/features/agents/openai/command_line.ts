/** One line for the shell that runs a program with exactly the given arguments. */

import { ServiceError } from "../../../core/errors.ts";
import type { Platform } from "../../../platform/types/mod.ts";

/** Characters that `cmd` would read as its own even between quotes, or that end the line. */
const CMD_SPECIAL = /["%!\r\n]/;
const CMD_QUOTED = /[\s&|<>^(),;=]|^$/;

/** @throws ServiceError for an argument that `cmd` cannot hand on */
export function commandLine(words: readonly string[], system: Platform["system"]): string {
  return words.map(system === "windows" ? quoteForCmd : quote).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function quoteForCmd(word: string): string {
  if (CMD_SPECIAL.test(word)) {
    const message = "an argument holds a quote, a percent sign, an exclamation mark or a line " +
      "break, which cmd does not hand on: write the command as a script";
    throw new ServiceError("unsupported", message);
  }
  return CMD_QUOTED.test(word) ? `"${word.replace(/(\\+)$/, "$1$1")}"` : word;
}
