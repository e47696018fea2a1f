/** Which command takes which flag. */

import type { ValuesOf } from "../config/config.ts";
import { readAddress, readInteger } from "../config/flag_values.ts";
import { option } from "../config/option.ts";
import { OPTIONS } from "../config/options.ts";
import { ServiceError } from "../core/errors.ts";
import { findOwners } from "./arguments.ts";

/** The flags that choose running services. */
export const CHOICE = {
  port: option("port", "<number>", {
    help: OPTIONS.port.help,
    read: (text) => readInteger(text, { min: 1, max: 65_535 }),
  }),
  name: OPTIONS.name,
  stateDir: OPTIONS.stateDir,
};

export type Choice = ValuesOf<typeof CHOICE>;

/** Commands that take the flags of the service. */
const OF_SERVICE: readonly CommandName[] = ["serve", "install-service", "doctor", "mcp"];
const CHOICE_FLAGS: readonly string[] = Object.values(CHOICE).map(({ flag }) => flag);
const SERVICE_FLAGS: readonly string[] = [...CHOICE_FLAGS, OPTIONS.tokenFile.flag];

/** Commands take their own flags, and `stop` and `status` those that choose a service. */
export function takesFlag(command: CommandName, flag: string): boolean {
  const owners = findOwners(flag);
  if (owners !== undefined) return owners.includes(command);
  if (command === "stop" || command === "status") return CHOICE_FLAGS.includes(flag);
  if (command === "replay") return SERVICE_FLAGS.includes(flag);
  if (command === "grant" || command === "token") return flag === CHOICE.stateDir.flag;
  return OF_SERVICE.includes(command);
}

/** The options of `call` beside the fields of the operation. */
export const CALL_OPTIONS = {
  json: option("json", "<object|->", {
    help: "the fields as a JSON object, or - for standard input; flags override it",
    read: (text) => text,
  }),
  output: option("output", "<file|->", {
    help: "file for the answer, such as a picture; - is standard output",
    read: (text) => text,
  }),
  url: option("url", "<url>", {
    help: "address of the service, such as http://127.0.0.1:4242 or http://host:4242/name",
    read: readBase,
  }),
  tokenFile: { ...OPTIONS.tokenFile, help: "file with the token of the service (mode 600)" },
  port: { ...CHOICE.port, help: "port of the service, if several are running on this computer" },
  name: { ...CHOICE.name, help: "name of the service, if several are running on this computer" },
  stateDir: { ...CHOICE.stateDir, help: "state folder of the service, if it is not the default" },
};

/** `--json`, `--output` ... */
export const OPTION_FLAGS: readonly string[] = Object.values(CALL_OPTIONS)
  .map(({ flag }) => `--${flag}`);

/** The base address, without a slash at its end. */
function readBase(text: string): URL {
  const url = new URL(readAddress(text));
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

/** The commands of the program: the words that can precede the flags. */
export const COMMANDS = {
  "serve": "start the service (this is what happens without a command)",
  "mcp": "speak the Model Context Protocol on stdin and stdout",
  "install-service": "start the service at every login, with these flags",
  "uninstall-service": "stop starting the service at login",
  "stop": "stop the running service (choose by --port, --name, --all)",
  "status": "list running services (exit code 0: some, 3: none)",
  "grant": "let the service control Wayland: grant kde, grant portal",
  "token": "tokens with scopes and an end: token add, list, revoke",
  "call": "call an operation of a running service: see call --help",
  "replay": "perform an exported recording again: replay <folder>",
  "doctor": "check whether a start with these flags would work",
  "completion": "print a shell's completion script: see completion --help",
  "help": "print this help",
} as const;

export type CommandName = keyof typeof COMMANDS;

/** A command that cannot be carried out: one line for the terminal, exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** @throws CommandError in place of a ServiceError, with its message; every other error of `work` */
export async function orCommandError<T>(work: Promise<T>): Promise<T> {
  return await work.catch((cause) => {
    throw cause instanceof ServiceError ? new CommandError(cause.message, { cause }) : cause;
  });
}

/** The output of a command and the exit code of the program. */
export interface CommandLineResult {
  readonly code: number;
  readonly lines?: readonly string[];
  readonly errors?: readonly string[];
}

/** By which the API of OpenTelemetry finds what traces; Deno sets it before the program starts. */
const TRACING = Symbol.for("opentelemetry.js.api.1");

/** Whether Deno traces this program (`OTEL_DENO=true`). */
export function isTelemetryOn(): boolean {
  return Object.hasOwn(globalThis, TRACING);
}

/**
 * Prints to standard output. Where Deno traces it would export what `console.log` prints, which may be
 * a token.
 */
export function writeLine(text: string): void {
  if (!isTelemetryOn()) return console.log(text);
  let bytes = new TextEncoder().encode(`${text}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}

/** The exit code of `systemctl status` and init scripts for a program that does not run. */
export const NONE_RUNS = 3;
