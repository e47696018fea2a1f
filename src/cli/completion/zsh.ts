/** The completion script of zsh. */

import type { FlagWord, Word, Words } from "./words.ts";

/** @returns a file for `fpath`, which can also be sourced */
export function zshScript({ commands, flags, arguments: following }: Words): string {
  const names = commands.map(({ word }) => word);
  return [
    "#compdef computer-control",
    "# Completion of computer-control for zsh.",
    "",
    "_computer_control() {",
    "  local prev=${words[CURRENT-1]} first=${words[2]} context=serve takes= values= path_=",
    "  local -a flags following",
    `  case $first in ${names.join("|")}) (( CURRENT > 2 )) && context=$first ;; esac`,
    '  [[ $context == call ]] && (( CURRENT > 3 )) && context="call ${words[3]}"',
    "  case $context in",
    ...[...flags].map(contextCase),
    "  esac",
    '  if [[ $PREFIX == --*=* ]]; then prev=${PREFIX%%=*}; compset -P "*="; fi',
    "  case $context,$prev in",
    ...valueCases(flags),
    "  esac",
    "  if [[ -n $path_ ]]; then _files; return; fi",
    "  [[ -n $values ]] && compadd -- ${=values}",
    '  [[ " $takes " == *" $prev "* ]] && return',
    "  if (( CURRENT == 2 )); then following=(",
    ...commands.map(description),
    "  ); fi",
    ...[...following].flatMap(([command, words]) => [
      `  if [[ $context == ${command} ]] && (( CURRENT == 3 )); then following=(`,
      ...words.map(description),
      "  ); fi",
    ]),
    "  if (( ${#following} )) && [[ $PREFIX != -* ]]; then _describe command following",
    "  else _describe flag flags; fi",
    "}",
    "",
    'if [[ $funcstack[1] == _computer-control ]]; then _computer_control "$@"',
    "else compdef _computer_control computer-control; fi",
  ].join("\n");
}

function contextCase([context, flags]: [string, readonly FlagWord[]]): string {
  const takes = flags.filter(({ value }) => value === "always").map(({ flag }) => flag).join(" ");
  const all = flags.map(({ flag, help }) => description({ word: flag, help }).trim());
  return `    "${context}") takes="${takes}" flags=(${all.join(" ")}) ;;`;
}

/** `'mouse.move:Move the cursor'` */
function description({ word, help }: Word): string {
  return `    ${quote(`${word}:${help}`)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** One line for all flags of all contexts that have the same values. */
function valueCases(flags: Words["flags"]): string[] {
  const patterns = new Map<string, string[]>();
  for (const [context, own] of flags) {
    for (const { flag, values, isPath } of own) {
      if (values.length === 0 && !isPath) continue;
      const action = isPath ? "path_=yes" : `values="${values.join(" ")}"`;
      patterns.set(action, [...patterns.get(action) ?? [], `"${context},${flag}"`]);
    }
  }
  return [...patterns].map(([action, of]) => `    ${of.join("|")}) ${action} ;;`);
}
