/** The completion script of bash, from 3.2 on and without the package bash-completion. */

import type { FlagWord, Words } from "./words.ts";

/** @returns a script that defines and registers one function */
export function bashScript({ commands, flags, arguments: following }: Words): string {
  const names = commands.map(({ word }) => word);
  return [
    "# Completion of computer-control for bash.",
    "",
    "_computer_control() {",
    "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
    "  local first=${COMP_WORDS[1]} context=serve flags= takes= words= path=",
    '  if [[ $cur == "=" ]]; then cur=; # a word of its own, before the value of a flag',
    '  elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi',
    "  COMPREPLY=()",
    `  case $first in ${names.join("|")}) [[ $COMP_CWORD -gt 1 ]] && context=$first ;; esac`,
    '  if [[ $context == call && $COMP_CWORD -gt 2 ]]; then context="call ${COMP_WORDS[2]}"; fi',
    "  case $context in",
    ...[...flags].map(contextCase),
    "  esac",
    "  case $context,$prev in",
    ...valueCases(flags),
    "  esac",
    '  if [[ " $takes " != *" $prev "* ]]; then',
    "    path=${path:+perhaps}",
    "    if [[ $cur == -* ]]; then words=$flags",
    `    elif [[ $COMP_CWORD -eq 1 ]]; then words="${names.join(" ")}"`,
    ...[...following].map(([command, words]) =>
      `    elif [[ $context == ${command} && $COMP_CWORD -eq 2 ]]; then words="${
        words.map(({ word }) => word).join(" ")
      }"`
    ),
    '    else words="$words $flags"; fi',
    "  fi",
    "  local IFS=$' \\t\\n'",
    "  if [[ -n $path ]]; then",
    "    compopt -o filenames 2>/dev/null",
    "    IFS=$'\\n'",
    '    COMPREPLY=($(compgen -f -- "$cur"))',
    "  else",
    '    COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    "  fi",
    "}",
    "",
    "complete -F _computer_control computer-control",
  ].join("\n");
}

function contextCase([context, flags]: [string, readonly FlagWord[]]): string {
  const all = flags.map(({ flag }) => flag).join(" ");
  const takes = flags.filter(({ value }) => value === "always").map(({ flag }) => flag).join(" ");
  return `    "${context}") flags="${all}" takes="${takes}" ;;`;
}

/** One line for all flags of all contexts that have the same values. */
function valueCases(flags: Words["flags"]): string[] {
  const patterns = new Map<string, string[]>();
  for (const [context, own] of flags) {
    for (const { flag, values, isPath } of own) {
      if (values.length === 0 && !isPath) continue;
      const action = isPath ? "path=yes" : `words="${values.join(" ")}"`;
      patterns.set(action, [...patterns.get(action) ?? [], `"${context},${flag}"`]);
    }
  }
  return [...patterns].map(([action, of]) => `    ${of.join("|")}) ${action} ;;`);
}
