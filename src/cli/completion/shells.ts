/** The completion script of bash, from 3.2 on and without the package bash-completion. */

import type { FlagWord, Word, Words } from "./words.ts";

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
    ...[...flags].map(bashCase),
    "  esac",
    "  case $context,$prev in",
    ...bashValueCases(flags),
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

function bashCase([context, flags]: [string, readonly FlagWord[]]): string {
  const all = flags.map(({ flag }) => flag).join(" ");
  const takes = flags.filter(({ value }) => value === "always").map(({ flag }) => flag).join(" ");
  return `    "${context}") flags="${all}" takes="${takes}" ;;`;
}

/** One line for all flags of all contexts that have the same values. */
function bashValueCases(flags: Words["flags"]): string[] {
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

// The completion script of fish.

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
  return `${COMPLETE} -n ${quoteFish(`__computer_control_words ${where}`)} -a ${
    quoteFish(word)
  } -d ${quoteFish(help)}`;
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
    `${COMPLETE} -n ${quoteFish(`__computer_control_in ${of.join(" ")}`)} ${part}`
  );
}

function flagPart({ flag, help, value, values, isPath }: FlagWord): string {
  const name = `-l ${flag.slice(2)} -d ${quoteFish(help)}`;
  if (isPath) return `${name} -r -F`;
  const words = values.length === 0 ? "" : ` -a ${quoteFish(values.join(" "))}`;
  if (value === "always") return `${name} -x${words}`;
  return `${name}${words}`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

// The completion script of PowerShell.

/** @returns a script for the profile */
export function powershellScript({ commands, flags, arguments: following }: Words): string {
  return [
    "# Completion of computer-control for PowerShell.",
    "",
    "Register-ArgumentCompleter -Native -CommandName computer-control, computer-control.exe -ScriptBlock {",
    "  param($wordToComplete, $commandAst, $cursorPosition)",
    `  $commands = ${wordTable(commands)}`,
    "  $following = @{",
    ...[...following].map(([command, words]) =>
      `    ${quotePowerShell(command)} = ${wordTable(words)}`
    ),
    "  }",
    "  $flags = @{",
    ...[...flags].map(([context, own]) =>
      `    ${quotePowerShell(context)} = @(${own.map(flagRow).join(", ")})`
    ),
    "  }",
    "  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })",
    "  # the word at the cursor, which is empty after a space",
    "  $at = if ($wordToComplete -eq '') { $words.Count } else { $words.Count - 1 }",
    "  $context = 'serve'",
    "  if ($at -gt 1 -and $commands.Contains($words[1])) { $context = $words[1] }",
    "  if ($context -eq 'call' -and $at -gt 2) { $context = \"call $($words[2])\" }",
    "  $own = @($flags[$context])",
    "  $flag = $own | Where-Object { $at -gt 0 -and $_.flag -eq $words[$at - 1] } | Select-Object -First 1",
    "  $found = [ordered]@{}",
    "  if ($flag) { foreach ($value in $flag.values) { $found[$value] = $flag.help } }",
    "  if (-not ($flag -and $flag.value -eq 'always')) {",
    "    $next = if ($at -eq 1) { $commands } elseif ($at -eq 2) { $following[$context] }",
    "    if ($next -and $wordToComplete -notlike '-*') {",
    "      foreach ($each in $next.Keys) { $found[$each] = $next[$each] }",
    "    } else { foreach ($each in $own) { if ($each) { $found[$each.flag] = $each.help } } }",
    "  }",
    '  $found.Keys | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {',
    "    $help = if ($found[$_]) { $found[$_] } else { $_ }",
    "    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $help)",
    "  }",
    "}",
  ].join("\n");
}

/** `[ordered]@{'stop' = 'stop the running service'; ...}` */
function wordTable(words: readonly Word[]): string {
  return `[ordered]@{${
    words.map(({ word, help }) => `${quotePowerShell(word)} = ${quotePowerShell(help)}`).join("; ")
  }}`;
}

/** PowerShell completes paths by itself where nothing is found. */
function flagRow({ flag, help, value, values }: FlagWord): string {
  const rest = `value = ${quotePowerShell(value)}; values = @(${
    values.map(quotePowerShell).join(", ")
  })`;
  return `@{flag = ${quotePowerShell(flag)}; help = ${quotePowerShell(help)}; ${rest}}`;
}

function quotePowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

// The completion script of zsh.

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
    ...[...flags].map(zshCase),
    "  esac",
    '  if [[ $PREFIX == --*=* ]]; then prev=${PREFIX%%=*}; compset -P "*="; fi',
    "  case $context,$prev in",
    ...zshValueCases(flags),
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

function zshCase([context, flags]: [string, readonly FlagWord[]]): string {
  const takes = flags.filter(({ value }) => value === "always").map(({ flag }) => flag).join(" ");
  const all = flags.map(({ flag, help }) => description({ word: flag, help }).trim());
  return `    "${context}") takes="${takes}" flags=(${all.join(" ")}) ;;`;
}

/** `'mouse.move:Move the cursor'` */
function description({ word, help }: Word): string {
  return `    ${quoteZsh(`${word}:${help}`)}`;
}

function quoteZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** One line for all flags of all contexts that have the same values. */
function zshValueCases(flags: Words["flags"]): string[] {
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
