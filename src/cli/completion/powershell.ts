/** The completion script of PowerShell. */

import type { FlagWord, Word, Words } from "./words.ts";

/** @returns a script for the profile */
export function powershellScript({ commands, flags, arguments: following }: Words): string {
  return [
    "# Completion of computer-control for PowerShell.",
    "",
    "Register-ArgumentCompleter -Native -CommandName computer-control, computer-control.exe -ScriptBlock {",
    "  param($wordToComplete, $commandAst, $cursorPosition)",
    `  $commands = ${wordTable(commands)}`,
    "  $following = @{",
    ...[...following].map(([command, words]) => `    ${quote(command)} = ${wordTable(words)}`),
    "  }",
    "  $flags = @{",
    ...[...flags].map(([context, own]) =>
      `    ${quote(context)} = @(${own.map(flagRow).join(", ")})`
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
    words.map(({ word, help }) => `${quote(word)} = ${quote(help)}`).join("; ")
  }}`;
}

/** PowerShell completes paths by itself where nothing is found. */
function flagRow({ flag, help, value, values }: FlagWord): string {
  const rest = `value = ${quote(value)}; values = @(${values.map(quote).join(", ")})`;
  return `@{flag = ${quote(flag)}; help = ${quote(help)}; ${rest}}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
