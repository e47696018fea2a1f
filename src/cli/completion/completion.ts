/**
 * `completion`: prints the script by which a shell completes our command line. Each script asks
 * `computer-control __complete` what can follow, and leaves paths to its shell.
 */

import { ConfigError } from "../../config/option.ts";
import type { CommandLineResult } from "../command.ts";
import { FILES, SHELLS } from "./words.ts";

const HELP = `Usage: computer-control completion bash|zsh|fish|powershell

Prints a script that completes commands, flags, operations, their fields and
values:

  bash         mkdir -p ~/.local/share/bash-completion/completions
               computer-control completion bash \\
                 > ~/.local/share/bash-completion/completions/computer-control
  zsh          computer-control completion zsh > "\${fpath[1]}/_computer-control"
  fish         computer-control completion fish \\
                 > ~/.config/fish/completions/computer-control.fish
  powershell   computer-control completion powershell >> $PROFILE

For this terminal only: source <(computer-control completion bash)`;

/** @throws ConfigError for a shell that is not known */
export function printCompletion(args: readonly string[]): CommandLineResult {
  if (args.includes("--help") || args.includes("-h")) return { code: 0, lines: [HELP] };
  const [shell, ...more] = args;
  if (shell !== undefined && more.length === 0 && Object.hasOwn(SCRIPTS, shell)) {
    return { code: 0, lines: SCRIPTS[shell as keyof typeof SCRIPTS] };
  }
  throw new ConfigError(`completion needs one shell: ${SHELLS.join(", ")}`);
}

/** From bash 3.2 on, and without the package bash-completion. */
const BASH = [
  "# Completion of computer-control for bash.",
  "",
  "_computer_control() {",
  "  local cur=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\\~\\//$HOME/} word help",
  "  COMPREPLY=()",
  "  while IFS=$'\\t' read -r word help; do",
  `    if [[ $word != ${FILES} ]]; then COMPREPLY+=("$word"); continue; fi`,
  '    [[ $cur == "=" ]] && cur= # a word of its own, before the value of a flag',
  "    compopt -o filenames 2>/dev/null",
  "    local IFS=$'\\n'",
  '    COMPREPLY=($(compgen -f -- "$cur"))',
  `  done < <(command "$program" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" \\`,
  "    2>/dev/null </dev/null)",
  "}",
  "",
  "complete -F _computer_control computer-control",
];

/** For a folder of `fpath`; it can also be sourced. */
const ZSH = [
  "#compdef computer-control",
  "# Completion of computer-control for zsh.",
  "",
  "_computer_control() {",
  "  local line program=${words[1]/#\\~\\//$HOME/}",
  "  local -a lines found",
  `  lines=("\${(@f)$(command "$program" __complete -- "\${(@)words[2,CURRENT]}" \\`,
  '    2>/dev/null </dev/null)}")',
  `  if [[ $lines[1] == ${FILES} ]]; then compset -P 1 "--*="; _files; return; fi`,
  "  for line in $lines; do",
  "    found+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\")",
  "  done",
  "  _describe computer-control found",
  "}",
  "",
  'if [[ $funcstack[1] == _computer-control ]]; then _computer_control "$@"',
  "else compdef _computer_control computer-control; fi",
];

/** For `~/.config/fish/completions`; it can also be sourced. */
const FISH = [
  "# Completion of computer-control for fish.",
  "",
  "function __computer_control_complete",
  "  set -l words (commandline -opc)",
  "  set -l current (commandline -ct)",
  "  set -l program (string replace -r '^~' $HOME -- $words[1])",
  `  set -l lines (command $program __complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)`,
  `  if test "$lines[1]" != ${FILES}`,
  "    printf '%s\\n' $lines",
  "    return",
  "  end",
  "  set -l flag (string match -r '^--[^=]*=' -- $current)",
  "  for path in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- $current))",
  "    printf '%s\\n' \"$flag$path\"",
  "  end",
  "end",
  "",
  "complete -c computer-control -f -a '(__computer_control_complete)'",
];

/** For the profile. PowerShell completes paths by itself where nothing is found. */
const POWERSHELL = [
  "# Completion of computer-control for PowerShell.",
  "",
  "Register-ArgumentCompleter -Native -CommandName computer-control, computer-control.exe -ScriptBlock {",
  "  param($wordToComplete, $commandAst, $cursorPosition)",
  "  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })",
  "  # after a space; older versions than 7.3 leave out an argument that is empty",
  "  if ($wordToComplete -eq '') { $words += '\"\"' }",
  `  & $commandAst.GetCommandName() __complete -- @words 2>$null | ForEach-Object {`,
  `    if ($_ -eq '${FILES}') { return }`,
  '    $word, $help = $_ -split "`t", 2',
  "    if (-not $help) { $help = $word }",
  "    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $help)",
  "  }",
  "}",
];

const SCRIPTS = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
} satisfies Record<typeof SHELLS[number], readonly string[]>;
