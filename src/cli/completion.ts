/**
 * `completion`: prints the script by which a shell completes our command line. Each script asks
 * `computer-control __complete` what can follow, and leaves paths to its shell.
 */

import { ConfigError } from "../config/option.ts";
import { OPTION_GROUPS } from "../config/options.ts";
import { type Entry, takesValue } from "./arguments.ts";
import {
  CALL_OPTIONS,
  type CommandLineResult,
  type CommandName,
  COMMANDS,
  takesFlag,
} from "./command.ts";
import { GRANTS, TOKEN_ACTIONS } from "./command_line.ts";

/** The line that leaves it to the shell to complete a path. */
const FILES = ":files";
const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

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

// `__complete -- words`: prints what the last word of a command line can become.

interface Word {
  readonly word: string;
  readonly help: string;
}

/**
 * Prints a line for each candidate: the word, a tab, and what it means.
 * @param args the words behind the name of the program, up to the one at the cursor, as they were
 * typed; bash gives an equals sign as a word of its own
 */
export async function printCandidates(args: readonly string[]): Promise<CommandLineResult> {
  const candidates = await findCandidates(args[0] === "--" ? args.slice(1) : args);
  if (candidates === FILES) return { code: 0, lines: [FILES] };
  return {
    code: 0,
    lines: candidates.map(({ word, help }) => `${word}\t${help.replaceAll(/\s+/g, " ")}`),
  };
}

export async function findCandidates(
  words: readonly string[],
): Promise<readonly Word[] | typeof FILES> {
  const { before, typed, assigned, replaced } = readPosition(words);
  const flags = await flagsAfter(before);
  const flag = flags.find(({ word }) => word === (assigned ?? before.at(-1)));
  if (flag?.isPath) return FILES;
  const values = (flag?.values ?? []).map((word) => ({ word: replaced + word, help: flag!.help }));
  const isValue = assigned !== undefined || flag?.value === "always";
  const isRecording = before.length === 1 && before[0] === "replay" && !typed.startsWith("-");
  if (isRecording) return FILES;
  const following = isValue || typed.startsWith("-") ? [] : await argumentsAfter(before);
  const others = isValue ? [] : following.length > 0 ? following : flags;
  return [...values, ...others].filter(({ word }) => word.startsWith(replaced + typed));
}

interface Position {
  readonly before: readonly string[];
  /** What a candidate must begin with. */
  readonly typed: string;
  /** The flag whose value is typed after an equals sign. */
  readonly assigned?: string;
  /** What stands before the value in the same word of the shell: `--format=`. */
  readonly replaced: string;
}

function readPosition(given: readonly string[]): Position {
  const words = given.map((word) => word.replaceAll(/["']/g, ""));
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  const typed = last === "=" ? "" : last;
  const equals = last === "=" ? before.length : before.length - 1;
  if (equals > 0 && words[equals] === "=") {
    return {
      before: words.slice(0, equals - 1),
      typed,
      assigned: words[equals - 1]!,
      replaced: "",
    };
  }
  const [replaced, assigned] = /^(--[^=]+)=/.exec(last) ?? [];
  if (replaced === undefined) return { before, typed, replaced: "" };
  return { before, typed: last.slice(replaced.length), assigned: assigned!, replaced };
}

/** The words that can follow a command; commands where there is none. */
async function argumentsAfter([command, ...more]: readonly string[]): Promise<Word[]> {
  if (more.length > 0) return [];
  switch (command) {
    case undefined:
      return wordsOf(COMMANDS);
    case "grant":
      return wordsOf(GRANTS);
    case "token":
      return wordsOf(TOKEN_ACTIONS);
    case "completion":
      return SHELLS.map((word) => ({ word, help: `for ${word}` }));
    case "call":
      return [...(await loadOperations()).operations]
        .map(([word, { summary: help }]) => ({ word, help }));
    default:
      return [];
  }
}

function wordsOf(table: Readonly<Record<string, string>>): Word[] {
  return Object.entries(table).map(([word, help]) => ({ word, help }));
}

// The flags that can stand behind the words, from the tables of options and operations.

/** A flag as a shell completes it: `--port`. */
interface FlagWord extends Word {
  readonly value: ReturnType<typeof takesValue>;
  readonly values: readonly string[];
  readonly isPath: boolean;
}

const HELP_FLAG = fromOption({ flag: "help", help: "print the help" });

/** Files are what these fields of operations name. */
const PATH_FIELDS = ["path", "root_path", "image_path", "source", "destination", "cwd"];

async function flagsAfter([first, second]: readonly string[]): Promise<FlagWord[]> {
  if (first === "call") {
    const ofFields = second === undefined ? [] : await flagsOfOperation(second);
    const options = Object.values(CALL_OPTIONS).map(fromOption)
      .filter(({ word }) => !ofFields.some((field) => field.word === word));
    return [...ofFields, ...options, HELP_FLAG];
  }
  const isCommand = first !== undefined && Object.hasOwn(COMMANDS, first);
  const command = isCommand ? first as CommandName : "serve";
  const taken = OPTION_GROUPS.flatMap(({ options }) => options)
    .filter(({ flag }) => flag !== "help" && takesFlag(command, flag));
  return [...taken.map(fromOption), HELP_FLAG];
}

function fromOption(entry: Entry): FlagWord {
  const { flag, help, values = [], isPath = false } = entry;
  const isFile = isPath || flag === "output" || flag === "executable";
  return { word: `--${flag}`, help, value: takesValue(entry), values, isPath: isFile };
}

async function flagsOfOperation(name: string): Promise<FlagWord[]> {
  const { operations, findOperation, fieldsOf } = await loadOperations();
  const operation = findOperation(operations, name);
  if (operation === undefined) return [];
  return fieldsOf(operation).map((field) => ({
    word: field.flag,
    help: firstSentence(field.description),
    value: field.isBoolean ? "perhaps" : "always",
    values: field.values,
    isPath: PATH_FIELDS.includes(field.name) && field.takes === "<text>", // a drag's is a list
  }));
}

/** Loaded for `call` only: all other words are known without the modules of the service. */
async function loadOperations() {
  const { DEFAULT_LIMITS } = await import("../config/limits.ts");
  const { findOperation, operationsByName } = await import("./call/call.ts");
  const { fieldsOf } = await import("./call/arguments.ts");
  return { operations: await operationsByName(DEFAULT_LIMITS), findOperation, fieldsOf };
}

function firstSentence(text: string): string {
  return /^.*?[.;](?=\s|$)/s.exec(text)?.[0].slice(0, -1) ?? text;
}
