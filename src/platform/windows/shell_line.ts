/**
 * Builds the command line for a shell of Windows, where a program receives one string instead of a
 * list of arguments.
 */

import { ServiceError, ValueFault } from "../../core/errors.ts";
import { MAX_COMMAND_LINE } from "../../../ffi/windows/kernel32.ts";

/**
 * The longest working directory of a program, in UTF-16 units: MAX_PATH includes a final backslash
 * and a NUL.
 */
const MAX_FOLDER = 258;
/** The longest line that cmd accepts, in UTF-16 units. */
const MAX_CMD_LINE = 8_191;
const UTF_8 = 65_001;

export interface ShellLineOptions {
  /** Path or name of the shell. */
  readonly shell: string;
  /** The folder of `chcp.com`: `C:\Windows\System32`. */
  readonly systemFolder: string;
}

/**
 * The complete line for `cmd`, PowerShell, or a shell that accepts `-c`; its output is UTF-8.
 * @throws ValueFault on `command`: cmd ignores everything after the first line break
 * @throws ServiceError `too_large`
 */
export function shellLine(command: string, { shell, systemFolder }: ShellLineOptions): string {
  const program = quoteArgument(shell);
  const name = shellName(shell);
  if (name === "cmd") {
    // with /s cmd removes the first and the last quote and runs the text between them unchanged
    const line = `${program} /d /s /c "${inUtf8(systemFolder)}${oneLine(command)}"`;
    return checked(line, MAX_CMD_LINE);
  }
  if (name === "powershell" || name === "pwsh") {
    const script = `[Console]::OutputEncoding = New-Object Text.UTF8Encoding $false\n${command}`;
    const options = "-NoProfile -NonInteractive -Command";
    return checked(`${program} ${options} ${quoteArgument(script)}`, MAX_COMMAND_LINE - 1);
  }
  return checked(`${program} -c ${quoteArgument(command)}`, MAX_COMMAND_LINE - 1);
}

/**
 * The line of a program that runs without a shell.
 * @throws ValueFault on `args`: what cmd would read in them as more than text
 * @throws ServiceError `too_large`
 */
export function programLine(words: readonly string[]): string {
  checkBatchArguments(words);
  return checked(words.map(quoteArgument).join(" "), MAX_COMMAND_LINE - 1);
}

/** Windows ignores periods and spaces at the end of a file name. */
const BATCH_FILE = /\.(bat|cmd)[. ]*$/i;

/**
 * Windows runs batch files by cmd, which reads their arguments by rules of its own: within quotes
 * these characters still end the argument, the command or stand for the value of a variable.
 */
function checkBatchArguments([program = "", ...args]: readonly string[]): void {
  if (!BATCH_FILE.test(program) || !args.some((text) => /["%\r\n]/.test(text))) return;
  const message =
    'Arguments of a batch file cannot have ", % or line breaks, which cmd would not ' +
    "take as text: put them into a file or a variable that it reads";
  throw new ValueFault("args", message);
}

/**
 * @throws ValueFault on `cwd`: too long for any program, or, for cmd, without a drive letter: cmd
 * would run the command in `C:\Windows`
 */
export function checkShellFolder(folder: string, shell: string): void {
  if (folder.length > MAX_FOLDER) {
    const message = `Folder has ${folder.length} characters, and Windows starts programs in ` +
      `folders of up to ${MAX_FOLDER}: reach it by a junction (mklink /j) or a drive (subst)`;
    throw new ValueFault("cwd", message);
  }
  if (shellName(shell) !== "cmd" || !/^[\\/]{2}/.test(folder)) return;
  const message = "Folder has no drive letter, and cmd would run the command in the folder of " +
    'Windows instead: begin the command with "pushd", or run the service with --shell';
  throw new ValueFault("cwd", message);
}

/**
 * Quotes one argument by the rules of the C runtime: a backslash is special only before a quote.
 */
export function quoteArgument(text: string): string {
  const escaped = text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1");
  return `"${escaped}"`;
}

/** `C:\Windows\System32\CMD.EXE` -> `cmd` */
function shellName(shell: string): string {
  return shell.split(/[\\/]/).at(-1)!.toLowerCase().replace(/\.exe$/, "");
}

/**
 * Switches the console to UTF-8; otherwise cmd, and programs that ask the console, write in the
 * code page of the country.
 */
function inUtf8(systemFolder: string): string {
  return `"${systemFolder}\\chcp.com" ${UTF_8} >nul 2>&1&`;
}

function oneLine(command: string): string {
  const line = command.replace(/[\r\n]+$/, "");
  if (!/[\r\n]/.test(line)) return line;
  const message =
    'Command has more than one line, of which cmd would run the first only: join them with "&", ' +
    "or run the service with --shell";
  throw new ValueFault("command", message);
}

function checked(line: string, longest: number): string {
  if (line.length <= longest) return line;
  const message = `Cannot start the command: its line has ${line.length} characters, ` +
    `and the shell takes ${longest}`;
  throw new ServiceError("too_large", message);
}
