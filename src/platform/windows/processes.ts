/** Commands on Windows: run by `cmd`, each in a job that ends with the service. */

import { homedir } from "node:os";
import { win32 as paths } from "node:path";
import { wideText } from "../../../ffi/memory.ts";
import {
  INVALID_HANDLE,
  type Kernel32,
  MAX_COMMAND_LINE,
  PROCESS_QUERY_LIMITED_INFORMATION,
} from "../../../ffi/windows/kernel32.ts";
import type { Config } from "../../config/config.ts";
import { FieldError, ServiceError } from "../../core/errors.ts";
import { commandEnvironment } from "../environment.ts";
import type { Host } from "../host.ts";
import { checkFolder, startFailure } from "../capability.ts";
import type { Command, CommandLine, Processes, ProcessTable } from "../types/mod.ts";
import { WindowsCommand } from "./command.ts";
import { openWin32, type Win32 } from "./pipe.ts";

export function openWindowsProcesses(
  host: Host,
  config: Pick<Config, "shell" | "token">,
): Processes {
  const win32 = openWin32();
  const systemFolder = paths.join(
    findVariable(host.env, "SystemRoot") ?? "C:\\Windows",
    "System32",
  );
  const options = {
    env: commandEnvironment(host.env, { token: config.token }),
    home: findVariable(host.env, "USERPROFILE") || homedir(),
    shell: chooseShell(host, config.shell) ?? paths.join(systemFolder, "cmd.exe"),
    systemFolder,
  };
  return {
    home: options.home,
    opener: [paths.join(systemFolder, "rundll32.exe"), "url.dll,FileProtocolHandler"],
    start: (line) => start(win32, line, options),
    [Symbol.asyncDispose]: () => win32[Symbol.asyncDispose](),
  };
}

interface StartOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** Path or name of the shell. */
  readonly shell: string;
  /** The folder of `chcp.com`: `C:\Windows\System32`. */
  readonly systemFolder: string;
}

/**
 * The requested shell, by its full path if found, so that Windows does not search the caller's
 * folder for it.
 */
function chooseShell(host: Host, asked: string | undefined): string | undefined {
  if (asked === undefined) return findVariable(host.env, "ComSpec");
  return host.which(asked.replace(/\.exe$/i, "")) ?? asked;
}

function start(win32: Win32, command: CommandLine, options: StartOptions): Command {
  const folder = command.cwd ?? options.home;
  const { program } = command;
  const line = program === undefined ? shellLine(command.command, options) : programLine(program);
  const environment = environmentBlock({ ...options.env, ...command.env });
  if (program === undefined) checkShellFolder(folder, options.shell);
  checkFolder(folder);
  try {
    return new WindowsCommand(win32, { line, folder, environment, input: command.input });
  } catch (error) {
    throw startFailure(error, folder);
  }
}

// Environment variables of Windows, whose names are case-insensitive.

/** The value of a variable, found by its name in any case. */
export function findVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const wanted = upperCase(name);
  return Object.entries(env).find(([each]) => upperCase(each) === wanted)?.[1];
}

/**
 * Encodes variables for CreateProcessW: `NAME=value` and a NUL each, sorted by name, with a NUL at
 * the end. If two names differ only in case, the last one counts.
 * @throws ServiceError `too_large`: a variable is longer than the system accepts
 */
export function environmentBlock(
  variables: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const byName = new Map(
    Object.entries(variables).map(([name, value]) => [upperCase(name), `${name}=${value}`]),
  );
  const entries = [...byName].sort(([one], [other]) => one < other ? -1 : 1).map(([, text]) =>
    text
  );
  const [long] = entries.find((entry) => entry.length >= MAX_COMMAND_LINE)?.split("=") ?? [];
  if (long === undefined) return wideText(entries.length === 0 ? "\0" : `${entries.join("\0")}\0`);
  throw new ServiceError(
    "too_large",
    `Cannot start the command: variable "${long}" is longer than ${MAX_COMMAND_LINE} characters with its name`,
  );
}

/**
 * Upper case as Windows does it, for each UTF-16 unit separately: `ß` stays, and a non-ASCII letter
 * never becomes ASCII.
 */
function upperCase(name: string): string {
  return name.split("").map((unit) => {
    const upper = unit.toUpperCase();
    return upper.length === 1 && (unit < "\x80") === (upper < "\x80") ? upper : unit;
  }).join("");
}

// Builds the command line for a shell of Windows, where a program receives one string instead of a
// list of arguments.

/**
 * The longest working directory of a program, in UTF-16 units: MAX_PATH includes a final backslash
 * and a NUL.
 */
const MAX_FOLDER = 258;
/** The longest line that cmd accepts, in UTF-16 units. */
const MAX_CMD_LINE = 8_191;
const UTF_8 = 65_001;

/**
 * The complete line for `cmd`, PowerShell, or a shell that accepts `-c`; its output is UTF-8.
 * @throws FieldError on `command`: cmd ignores everything after the first line break
 * @throws ServiceError `too_large`
 */
export function shellLine(
  command: string,
  { shell, systemFolder }: Pick<StartOptions, "shell" | "systemFolder">,
): string {
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
 * @throws FieldError on `args`: what cmd would read in them as more than text
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
    "treat as text: put them into a file or a variable that it reads";
  throw new FieldError("args", message);
}

/**
 * @throws FieldError on `cwd`: too long for any program, or, for cmd, without a drive letter: cmd
 * would run the command in `C:\Windows`
 */
export function checkShellFolder(folder: string, shell: string): void {
  if (folder.length > MAX_FOLDER) {
    const message = `Folder has ${folder.length} characters, and Windows starts programs in ` +
      `folders of up to ${MAX_FOLDER}: reach it by a junction (mklink /j) or a drive (subst)`;
    throw new FieldError("cwd", message);
  }
  if (shellName(shell) !== "cmd" || !/^[\\/]{2}/.test(folder)) return;
  const message = "Folder has no drive letter, and cmd would run the command in the folder of " +
    'Windows instead: begin the command with "pushd", or run the service with --shell';
  throw new FieldError("cwd", message);
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
  throw new FieldError("command", message);
}

function checked(line: string, longest: number): string {
  if (line.length <= longest) return line;
  const message = `Cannot start the command: its line has ${line.length} characters, ` +
    `and the shell accepts ${longest}`;
  throw new ServiceError("too_large", message);
}

// Which processes run: a handle to one stays valid, and its id stays its own.

/** The right to wait for its end. */
const SYNCHRONIZE = 0x100000;
const WAIT_TIMEOUT = 258;

/** A process that this user may not follow counts as none. */
export function openProcessTable(kernel32: Kernel32["symbols"]): ProcessTable {
  return {
    find: (name) => Promise.resolve(findProcess(kernel32, name)),
    follow(pid) {
      const rights = PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE;
      const handle = kernel32.OpenProcess(rights, 0, pid);
      if (handle === 0n) return undefined;
      const isAlive = () => kernel32.WaitForSingleObject(handle, 0) === WAIT_TIMEOUT;
      const close = () => void kernel32.CloseHandle(handle);
      if (isAlive()) return { isAlive, [Symbol.dispose]: close };
      close();
      return undefined;
    },
  };
}

// Finds processes by their names, in a picture of all processes (Tool Help Library).

const TH32CS_SNAPPROCESS = 0x2;
/** `PROCESSENTRY32W` of 64 bits: its size, and the offsets of `th32ProcessID` and `szExeFile`. */
const ENTRY = { size: 568, pid: 8, file: 44 } as const;
/** `szExeFile` has 260 units. */
const FILE_BYTES = 520;

/** The lowest id of a process of this name: in any case, with or without `.exe`. */
function findProcess(kernel32: Kernel32["symbols"], name: string): number | undefined {
  const wanted = plainName(name);
  let found: number | undefined;
  for (const { pid, file } of listProcesses(kernel32)) {
    if (plainName(file) === wanted && (found === undefined || pid < found)) found = pid;
  }
  return found;
}

function* listProcesses(kernel32: Kernel32["symbols"]) {
  const snapshot = kernel32.CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  if (snapshot === INVALID_HANDLE) {
    throw new ServiceError("unavailable", "Cannot list processes: Windows returned no list");
  }
  try {
    const entry = new Uint8Array(ENTRY.size);
    const view = new DataView(entry.buffer);
    view.setUint32(0, ENTRY.size, true);
    const text = new TextDecoder("utf-16le");
    let hasOne = kernel32.Process32FirstW(snapshot, entry) !== 0;
    for (; hasOne; hasOne = kernel32.Process32NextW(snapshot, entry) !== 0) {
      const file = text.decode(entry.subarray(ENTRY.file, ENTRY.file + FILE_BYTES));
      yield { pid: view.getUint32(ENTRY.pid, true), file: file.slice(0, file.indexOf("\0")) };
    }
  } finally {
    kernel32.CloseHandle(snapshot);
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.exe$/, "");
}
