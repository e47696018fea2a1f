/** How a command is handed to a shell of Windows, where a program gets one line instead of words. */

export interface ShellLine {
  readonly program: string;
  /** Each stands in the line as it is. */
  readonly args: readonly string[];
}

/** The line for `cmd`, PowerShell, or a shell that takes `-c`. */
export function shellLine(shell: string, command: string): ShellLine {
  const name = shell.split(/[\\/]/).at(-1)!.toLowerCase().replace(/\.exe$/, "");
  if (name === "cmd") {
    // with /s cmd takes off the first and the last quote and runs what is between them as it is
    return { program: shell, args: ["/d", "/s", "/c", `"${command}"`] };
  }
  if (name === "powershell" || name === "pwsh") {
    const args = ["-NoProfile", "-NonInteractive", "-Command", quoteArgument(command)];
    return { program: shell, args };
  }
  return { program: shell, args: ["-c", quoteArgument(command)] };
}

/** One argument by the rules of the C runtime: a backslash is special before a quote only. */
export function quoteArgument(text: string): string {
  const escaped = text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1");
  return `"${escaped}"`;
}
