/** Parses the command line into a request. */

import { type Flags, readValues, type ValuesOf, VERSION } from "../config/config.ts";
import { readAddress, readDeskName, readInteger, readNames } from "../config/flag_values.ts";
import { variableOf } from "../config/environment.ts";
import { ConfigError, type Option, option, toggle } from "../config/option.ts";
import { OPTION_GROUPS, OPTIONS } from "../config/options.ts";
import { TOKEN_SCOPES, type TokenScope } from "../core/groups.ts";
import { type Entry, findOwners, type GivenFlags, readArguments, suggest } from "./arguments.ts";
import { CALL_OPTIONS, CHOICE, type CommandName, COMMANDS, takesFlag } from "./command.ts";
import type { StatusRequest, StopRequest } from "./status_and_stop.ts";

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

/** Which word behind `grant` or `token` takes a flag that the others do not take. */
const OWN_FLAGS = {
  grant: { executable: "kde", [OPTIONS.stateDir.flag]: "portal" },
  token: { scopes: "add", desk: "add", expires: "add", json: "list" },
} as const;

function checkOwnFlags(command: keyof typeof OWN_FLAGS, word: string, flags: GivenFlags): void {
  for (const [flag, owner] of Object.entries(OWN_FLAGS[command])) {
    if (flag in flags && word !== owner) {
      throw new ConfigError(`${command} ${word} takes no --${flag}`);
    }
  }
}

const SERVICE_ADDRESS = { url: option("url", "<address>", { help: "", read: readAddress }) };

// The words and flags of `replay`.

const REPLAY_OPTIONS = {
  dryRun: toggle("dry-run", { sets: true, help: "" }),
  pixels: toggle("pixels", { sets: true, help: "" }),
  until: option("until", "<step>", {
    help: "",
    read: (text) => readInteger(text, { min: 1, max: 1_000_000 }),
  }),
  values: option("values", "<file>", { help: "", read: (text) => text }),
  desk: option("desk", "<name>", { help: "", read: readDeskName }),
  url: CALL_OPTIONS.url,
  tokenFile: OPTIONS.tokenFile,
  ...CHOICE,
};

/** Performs an exported recording by a running service. */
export interface ReplayRequest extends ValuesOf<typeof REPLAY_OPTIONS> {
  readonly kind: "replay";
  /** The exported folder, or the `trajectory.json` in it. */
  readonly path: string;
}

function readReplay([path, ...more]: readonly string[], flags: GivenFlags): ReplayRequest {
  if (path === undefined) {
    throw new ConfigError("replay needs the folder that trail/export has written");
  }
  if (more.length > 0) {
    throw new ConfigError(`replay takes one folder, not also ${more.join(", ")}`);
  }
  return { kind: "replay", path, ...readValues(REPLAY_OPTIONS, flags as never) };
}

// The words and flags of `token`.

/** Adds, lists and revokes the tokens of a state folder, whether or not a service runs with it. */
export type TokenRequest =
  & { readonly kind: "token"; readonly stateDir?: string | undefined }
  & (
    | AddRequest
    | { readonly action: "list"; readonly json: boolean }
    | { readonly action: "revoke"; readonly name: string }
  );

interface AddRequest {
  readonly action: "add";
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** The one desk that it is for. */
  readonly desk?: string | undefined;
  /** How long it is valid, in milliseconds; absent for ever. */
  readonly validMs?: number | undefined;
}

export const TOKEN_ACTIONS = {
  add: "make a token with this name, and print it once",
  list: "list the tokens of the state folder, without their values",
  revoke: "end a token at once",
} as const;

function readToken(words: readonly string[], flags: GivenFlags): TokenRequest {
  const [action, name, ...more] = words;
  if (action === undefined || !Object.hasOwn(TOKEN_ACTIONS, action)) {
    const known = Object.keys(TOKEN_ACTIONS);
    const advice = action === undefined ? "" : suggest(action, known);
    throw new ConfigError(`token needs what to do: ${advice}token ${known.join(" | token ")}`);
  }
  checkOwnFlags("token", action, flags);
  const tooMany = action === "list" ? words.slice(1) : more;
  if (tooMany.length > 0) {
    throw new ConfigError(
      `Too many words (${tooMany.join(", ")}): quote a name that has spaces, and then flags`,
    );
  }
  const common = { kind: "token", ...readValues({ stateDir: OPTIONS.stateDir }, flags) } as const;
  if (action === "list") return { ...common, action, json: flags["json"] === true };
  if (name === undefined) throw new ConfigError(`token ${action} needs a name`);
  if (action === "revoke") return { ...common, action, name };
  return { ...common, action: "add", name, ...readValues(ADD_OPTIONS, flags as AddFlags) };
}

type AddFlags = Readonly<{ scopes?: string; desk?: string; expires?: string }>;

const ADD_OPTIONS = {
  scopes: {
    flag: "scopes",
    help: "",
    default: ["all"] as readonly TokenScope[],
    read: (text: string) => [...readNames([text], { known: TOKEN_SCOPES, what: "scope" })],
  },
  desk: { flag: "desk", help: "", read: readDeskName },
  validMs: { flag: "expires", help: "", read: readDuration },
} as const;

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const MAX_MS = 3_650 * 86_400_000;

/** `90m`, `12h`, `30d` or `4w`, in milliseconds. */
function readDuration(text: string): number {
  const [, count = "0", unit = ""] = /^(\d{1,7})([mhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms > 0 && ms <= MAX_MS) return ms;
  throw new Error(`"${text}": must be a time from 1m to 3650d, such as 90m, 12h, 30d or 4w`);
}

// The words and flags of `grant`.

/** Asks a desktop to let the service see and control it, or takes that back. */
export interface GrantRequest {
  readonly kind: "grant";
  readonly grant: GrantName;
  readonly remove: boolean;
  /** Shows what would be written, and changes nothing. */
  readonly print: boolean;
  /** The program to grant it to, instead of this one. */
  readonly executable?: string;
  /** The state folder of the service, instead of the usual one. */
  readonly stateDir?: string | undefined;
}

function readGrant(words: readonly string[], flags: GivenFlags): GrantRequest {
  const [name, ...more] = words;
  const names = Object.keys(GRANTS);
  if (name === undefined) {
    throw new ConfigError(`grant needs the name of a desktop: grant ${names.join(" | grant ")}`);
  }
  if (!Object.hasOwn(GRANTS, name)) {
    const advice = suggest(name, names) || `the names are ${names.join(", ")}`;
    throw new ConfigError(`There is no grant for "${name}": ${advice.trimEnd()}`);
  }
  if (more.length > 0) {
    throw new ConfigError(`Too many words (${more.join(", ")}): grant ${name}, then flags`);
  }
  checkOwnFlags("grant", name, flags);
  const { remove, print, executable } = flags;
  return {
    kind: "grant",
    grant: name as GrantName,
    remove: remove === true,
    print: print === true,
    ...typeof executable === "string" ? { executable } : {},
    ...readValues({ stateDir: OPTIONS.stateDir }, flags),
  };
}

export const GRANTS = {
  kde: "KDE Plasma: write the file that permits the use of KWin's screenshots and input",
  portal: "desktops with portals: request the permission once, and store it",
} as const;

type GrantName = keyof typeof GRANTS;

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
      ...options.flatMap(linesOf),
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

/** A flag and what it is for, in two columns. */
function linesOf({ flag, short, placeholder, help, defaultText }: Entry): string[] {
  const long = placeholder === undefined ? `--${flag}` : `--${flag} ${placeholder}`;
  const term = short === undefined ? `  ${long}` : `  -${short}, ${long}`;
  const text = defaultText === undefined ? help : `${help} (default: ${defaultText})`;
  const lines = wrap(text, WIDTH - COLUMN).map((line) => " ".repeat(COLUMN) + line);
  if (term.length > COLUMN - 2) return [term, ...lines];
  return [term.padEnd(COLUMN) + lines[0]!.slice(COLUMN), ...lines.slice(1)];
}

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
