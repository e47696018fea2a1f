/** The completion script of fish. */

import type { FlagWord, Word, Words } from "./words.ts";

const COMPLETE = "complete -c computer-control";

/** @returns a file for `~/.config/fish/completions`, which can also be sourced */
export function fishScript({ commands, flags, arguments: following }: Words): string {
  const names = commands.map(({ word }) => word);
  return [
    "# Completion of computer-control for fish.",
    "",
    "# The command, and after call the operation; serve where there is no command.",
    "function __computer_control_context",
    "  set -l words (commandline -opc)",
    "  set -l context serve",
    "  if test (count $words) -gt 1; and contains -- $words[2] " + names.join(" "),
    "    set context $words[2]",
    "  end",
    '  if test "$context" = call; and test (count $words) -gt 2',
    '    set context "call $words[3]"',
    "  end",
    "  echo $context",
    "end",
    "",
    "function __computer_control_in",
    "  contains -- (__computer_control_context) $argv",
    "end",
    "",
    "function __computer_control_words",
    "  test (count (commandline -opc)) -eq $argv[1]; and begin; test $argv[1] -eq 1; or __computer_control_in $argv[2]; end",
    "end",
    "",
    `${COMPLETE} -f`,
    ...commands.map((word) => wordLine("1", word)),
    ...[...following].flatMap(([command, words]) =>
      words.map((word) => wordLine(`2 ${command}`, word))
    ),
    ...flagLines(flags),
  ].join("\n");
}

function wordLine(where: string, { word, help }: Word): string {
  return `${COMPLETE} -n ${quote(`__computer_control_words ${where}`)} -a ${quote(word)} -d ${
    quote(help)
  }`;
}

/** One line for a flag that is the same in several contexts. */
function flagLines(flags: Words["flags"]): string[] {
  const contexts = new Map<string, string[]>();
  for (const [context, own] of flags) {
    for (const flag of own) {
      const line = flagPart(flag);
      contexts.set(line, [...contexts.get(line) ?? [], `"${context}"`]);
    }
  }
  return [...contexts].map(([part, of]) =>
    `${COMPLETE} -n ${quote(`__computer_control_in ${of.join(" ")}`)} ${part}`
  );
}

function flagPart({ flag, help, value, values, isPath }: FlagWord): string {
  const name = `-l ${flag.slice(2)} -d ${quote(help)}`;
  if (isPath) return `${name} -r -F`;
  const words = values.length === 0 ? "" : ` -a ${quote(values.join(" "))}`;
  if (value === "always") return `${name} -x${words}`;
  return `${name}${words}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
