/** Parses the command line into a request. */

import { type Flags, readValues, VERSION } from "../config/config.ts";
import { readAddress } from "../config/flag_values.ts";
import { variableOf } from "../config/environment.ts";
import { ConfigError, type Option, option } from "../config/option.ts";
import { OPTION_GROUPS, OPTIONS } from "../config/options.ts";
import { type Entry, findOwners, type GivenFlags, readArguments, suggest } from "./arguments.ts";
import { CHOICE, type CommandName, COMMANDS, takesFlag } from "./command.ts";
import { type GrantRequest, readGrant } from "./grant/grant_request.ts";
import type { StatusRequest } from "./status.ts";
import type { StopRequest } from "./stop.ts";
import { readReplay, type ReplayRequest } from "./replay/replay_request.ts";
import { readToken, type TokenRequest } from "./token/token_request.ts";

export type Request =
  | { readonly kind: "serve"; readonly flags: Flags }
  | ServiceRequest
  | StopRequest
  | StatusRequest
  | { readonly kind: "doctor"; readonly flags: Flags; readonly json: boolean }
  | WordsRequest
  | GrantRequest
  | TokenRequest
  | ReplayRequest
  | McpCommand
  | { readonly kind: "print"; readonly text: string };

/**
 * A command that reads the words behind it by itself: `call` calls an operation of a running service,
 * `completion` prints the script of a shell, which asks `__complete` what can follow.
 */
type WordsRequest = WordsOf<"call"> | WordsOf<"completion"> | WordsOf<"__complete">;

interface WordsOf<Command> {
  readonly kind: Command;
  readonly args: readonly string[];
}

/** Speaks the Model Context Protocol on standard input and output. */
export interface McpCommand {
  readonly kind: "mcp";
  readonly flags: Flags;
  /** The address of the service to use; without it, the command is a service of its own. */
  readonly url?: string;
  /** Whether a service that runs with the same state folder is used instead of being one. */
  readonly joins: boolean;
}

export type ServiceRequest =
  | {
    readonly kind: "install";
    readonly flags: Flags;
    /** Prints the file and changes nothing. */
    readonly print: boolean;
  }
  | { readonly kind: "uninstall" };

/**
 * Reads the arguments; `readConfig()` reads the values of the service's flags later.
 * @param version the output of `--version`
 * @throws ConfigError with what is wrong and what would be right
 */
export function readCommandLine(args: readonly string[], version = VERSION): Request {
  const [first, ...rest] = args;
  if (first === "call" || first === "completion" || first === "__complete") {
    return { kind: first, args: rest };
  }
  const { words, flags } = readArguments(args);
  const [word = "serve"] = words;
  if (flags["version"]) return { kind: "print", text: version };
  if (flags["help"] || word === "help") return { kind: "print", text: helpText() };
  const command = readCommand(word);
  if (command === "call" || command === "completion") {
    throw new ConfigError(`${command} comes first: computer-control ${command} ...`);
  }
  if (words.length > 1 && !["grant", "token", "replay"].includes(command)) {
    throw new ConfigError(
      `Too many words (${words.join(", ")}): at most one command, then flags`,
    );
  }
  checkFlags(command, flags);
  switch (command) {
    case "stop":
      return {
        kind: "stop",
        ...readValues(CHOICE, flags),
        all: "all" in flags,
        force: "force" in flags,
      };
    case "status":
      return { kind: "status", ...readValues(CHOICE, flags), json: "json" in flags };
    case "doctor": {
      const { json, ...rest } = flags;
      return { kind: "doctor", flags: rest, json: json === true };
    }
    case "mcp":
      return readMcp(flags);
    case "grant":
      return readGrant(words.slice(1), flags);
    case "token":
      return readToken(words.slice(1), flags);
    case "replay":
      return readReplay(words.slice(1), flags);
    case "install-service": {
      const { print, ...rest } = flags;
      return { kind: "install", flags: rest, print: print === true };
    }
    case "uninstall-service":
      return { kind: "uninstall" };
    default:
      return { kind: "serve", flags };
  }
}

function readCommand(word: string): CommandName {
  if (Object.hasOwn(COMMANDS, word)) return word as CommandName;
  const names = Object.keys(COMMANDS);
  const advice = suggest(word, names) || `the commands are ${names.join(", ")}`;
  throw new ConfigError(`There is no command "${word}": ${advice.trimEnd()}`);
}

/** Flags that say which service to join; every other one is a setting of a service of its own. */
const JOINING: ReadonlySet<string> = new Set([OPTIONS.tokenFile.flag, OPTIONS.stateDir.flag]);

function readMcp({ url, ...flags }: GivenFlags): McpCommand {
  if (url === undefined) {
    const joins = Object.keys(flags).every((flag) => JOINING.has(flag));
    return { kind: "mcp", flags, joins };
  }
  const others = Object.keys(flags).filter((flag) => flag !== OPTIONS.tokenFile.flag);
  if (others.length > 0) {
    throw new ConfigError(`--${others[0]} is for a separate service, --url for a running one`);
  }
  return { kind: "mcp", flags, joins: true, ...readValues(SERVICE_ADDRESS, { url: String(url) }) };
}

function checkFlags(command: CommandName, flags: GivenFlags): void {
  for (const flag of Object.keys(flags)) {
    if (takesFlag(command, flag)) continue;
    if (command === "stop" || command === "status") {
      throw new ConfigError(`${command} takes no --${flag}`);
    }
    const owners = findOwners(flag);
    if (owners !== undefined) throw new ConfigError(`--${flag} belongs to ${owners.join(", ")}`);
    throw new ConfigError(`${command} takes no flags`);
  }
}

const SERVICE_ADDRESS = { url: option("url", "<address>", { help: "", read: readAddress }) };

// What `--help` prints, from the table of options.

const WIDTH = 80;
/** The second column; a longer flag gets its own line. */
const COLUMN = 32;

function helpText(): string {
  return [
    "Usage: computer-control [command] [flags]",
    "",
    "Lets programs see this computer's screen and use its mouse, keyboard, files and",
    "shell.",
    "",
    "Commands:",
    ...Object.entries(COMMANDS).map(([name, does]) => `  ${name.padEnd(18)}  ${does}`),
    "",
    ...OPTION_GROUPS.flatMap(({ heading, options }) => [
      `${heading}:`,
      ...options.flatMap((entry) => twoColumns(formatTerm(entry), describe(entry))),
      "",
    ]),
    "Environment:",
    ...Object.values(OPTIONS).flatMap((option: Option<string, never>) =>
      option.variable === undefined ? [] : [`  ${option.variable.name}    ${option.variable.help}`]
    ),
    `  ${variableOf("port")} ...  every flag of the service, where it is not given;`,
    "                            1 turns on one without a value",
    "",
    "Examples:",
    "  computer-control --port 5000 --name desk-1",
    "  computer-control --virtual-display 1920x1080",
    "  computer-control --host 0.0.0.0 --token-file ~/.computer-control-token",
    "  computer-control install-service --port 5000",
  ].join("\n");
}

function formatTerm({ flag, short, placeholder }: Entry): string {
  const long = placeholder === undefined ? `--${flag}` : `--${flag} ${placeholder}`;
  return short === undefined ? `  ${long}` : `  -${short}, ${long}`;
}

function describe({ help, defaultText }: Entry): string {
  return defaultText === undefined ? help : `${help} (default: ${defaultText})`;
}

function twoColumns(term: string, text: string): string[] {
  const lines = wrap(text, WIDTH - COLUMN).map((line) => " ".repeat(COLUMN) + line);
  if (term.length > COLUMN - 2) return [term, ...lines];
  return [term.padEnd(COLUMN) + lines[0]!.slice(COLUMN), ...lines.slice(1)];
}

// Breaks a text into lines for a terminal.

/** Where a line can break: not between a number and its unit. */
const BREAK = /(?<!\d|\(default:) /;

/** The lines of a text, none wider than `width` if its words are not. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(BREAK)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
