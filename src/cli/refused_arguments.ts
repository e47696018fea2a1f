/** Says in one sentence what is wrong with the arguments of the program, and what would be right. */

import type { CommanderError } from "commander";
import { editDistance } from "../platform/keys.ts";

/**
 * The sentence for an error of the parser, on one line.
 * @param flags all flags, as in `--port`
 */
export function explainRefusal(error: CommanderError, flags: readonly string[]): string {
  const said = error.message.replace(/^error: /, "").trim().replace(/\s*\n\s*/g, " ");
  const quoted = /'([^']*)'/.exec(said)?.[1] ?? "";
  switch (error.code) {
    case "commander.unknownOption":
      return unknownFlag(quoted, flags);
    case "commander.optionMissingArgument":
      return `${quoted.split(" ")[0]} needs a value: ${quoted}`;
    case "commander.excessArguments":
      return `Too many words (${said.replace(/^.*: |\.$/g, "")}): at most one command, then flags`;
    default:
      return said.replace(/^.*is invalid for [^.]*\. /, "");
  }
}

function unknownFlag(given: string, flags: readonly string[]): string {
  const [name, value] = given.split("=", 2);
  if (value !== undefined && flags.includes(name!)) return `${name} takes no value`;
  return `There is no flag "${given}": ${hint(name!, flags)}"computer-control --help" lists all`;
}

/** The sentence for a word that is none of the commands. */
export function unknownCommand(word: string, commands: readonly string[]): string {
  const all = `the commands are ${commands.join(", ")}`;
  return `There is no command "${word}": ${hint(word, commands) || all}`.trimEnd();
}

/** The nearest name, if one is near enough to be meant. */
function hint(word: string, names: readonly string[]): string {
  const far = Math.ceil(word.replace(/^-+/, "").length / 2);
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(word.slice(0, 40).toLowerCase(), name) }))
    .filter(({ distance }) => distance <= far)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest === undefined ? "" : `did you mean "${nearest.name}"? `;
}
