/** The command line: its flags, its help, and what it asks for. */

import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { INSTANCE_COMMANDS, readInstanceCommand } from "./instance_commands.ts";
import type { StatusRequest } from "./status.ts";
import type { StopRequest } from "./stop.ts";
import { explainRefusal, unknownCommand } from "./refused_arguments.ts";
import { HELP_GROUPS, type HelpGroup } from "../config/help_groups.ts";
import { VERSION } from "../config/config.ts";
import { DEFAULT_HOST, DEFAULT_PORT, type Flags } from "../config/flags.ts";
import { GROUPS } from "../core/groups.ts";
import { LIMIT_FLAGS, type LimitFlag } from "../config/limit_flags.ts";
import { DEFAULT_LIMITS, type Limits } from "../core/limits.ts";

/** What a command line asks for. */
export type Request =
  | { readonly kind: "serve"; readonly flags: Flags }
  | ServiceRequest
  | StopRequest
  | StatusRequest
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "refuse"; readonly message: string };

/** To start the service at every login, or no longer. */
export type ServiceRequest =
  | {
    readonly kind: "install";
    readonly flags: Flags;
    /** Shows the file and does nothing. */
    readonly print: boolean;
  }
  | { readonly kind: "uninstall" };

/**
 * Reads the arguments. It prints nothing and ends nothing: the caller does.
 * @param version what `--version` prints
 */
export function readCommandLine(args: readonly string[], version = VERSION): Request {
  let printed = "";
  let request: Request = { kind: "print", text: "" };
  const command = createCommand(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => printed += text, writeErr: () => {} })
    .action((name: string, options: Record<string, unknown>) => {
      request = requestOf(name, options, args.length);
    });
  try {
    command.parse(args[0] === "help" ? ["--help"] : [...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "print", text: printed };
    return { kind: "refuse", message: explainRefusal(error, flagsOf(command)) };
  }
  return request;
}

function createCommand(version: string): Command {
  const command = new Command("computer-control")
    .usage("[command] [flags]")
    .description(DESCRIPTION)
    .configureHelp({ minWidthToWrap: 30 }) // the longest flag leaves 38 columns of a usual terminal
    .addHelpText("after", EXAMPLES)
    .argument("[command]", "", readCommand, "serve")
    .allowExcessArguments(false);
  const options = [...serviceOptions(), ...limitOptions()];
  for (const group of Object.values(HELP_GROUPS)) {
    for (const each of options.filter(({ helpGroupHeading }) => helpGroupHeading === group)) {
      command.addOption(each);
    }
  }
  return command
    .optionsGroup(HELP_GROUPS.service) // of the version
    .version(version, "-V, --version", "print the version and how the program was made")
    .addHelpOption(option("first", "-h, --help", "print this help"));
}

/** What can stand before the flags, with what it does. */
const COMMANDS = {
  "serve": "start the service (this is what happens without a command)",
  "install-service": "start the service at every login, with these flags",
  "uninstall-service": "no longer start it at login",
  "stop": "stop the running service (choose by --port, --name, --all)",
  "status": "say which services run (0: at least one, 3: none)",
  "help": "print this help",
} as const;

const DESCRIPTION =
  `Lets programs see this computer's screen and use its mouse, keyboard, files and shell.

Commands:
${Object.entries(COMMANDS).map(([name, does]) => `  ${name.padEnd(18)}  ${does}`).join("\n")}`;

const EXAMPLES = `
Environment:
  COMPUTER_CONTROL_TOKEN    the bearer token, where there is no --token-file

Examples:
  computer-control --port 5000 --name desk-1
  computer-control --virtual-display 1920x1080
  computer-control --host 0.0.0.0 --token-file ~/.computer-control-token
  computer-control install-service --port 5000
`;

function serviceOptions(): Option[] {
  return [
    option(
      "first",
      "--port <number>",
      `TCP port; 0 takes any free one (default: ${DEFAULT_PORT})`,
    ),
    option(
      "first",
      "--host <address>",
      `address to listen on (default: ${DEFAULT_HOST}, which only this computer reaches)`,
    ),
    option(
      "first",
      "--token-file <path>",
      "file with the token that requests must carry (mode 600)",
    ),
    option("first", "--name <name>", "this computer's name: requests to another name are refused"),
    list(
      "first",
      "--display <[n=]display>",
      "X display that is display n (1 if left out), repeatable",
    ),
    option(
      "first",
      "--virtual-display [WxH]",
      "start a display that needs no screen (default size: 1280x800)",
    ),
    list(
      "first",
      "--open <command>",
      'program or URL to open on display 1, as in "xterm -e top", repeatable',
    ),
    list("first", "--disable <groups>", `groups to switch off, with commas: ${GROUPS.join(", ")}`),
    option("first", "--read-only", "refuse every operation that changes something"),
    list(
      "access",
      "--allow-host <name>",
      "another name (or name:port) by which requests may address this computer, repeatable",
    ),
    list("access", "--allow-origin <origin>", "web origin whose pages may call it, repeatable"),
    option("access", "--no-auth", "let everybody who reaches the address control this computer"),
    option("service", "--state-dir <folder>", "folder for what the service must remember"),
    option("service", "--no-setup", "never install missing system packages"),
    option("service", "--watchdog", "log what holds up all requests for more than 50 ms"),
    option("service", "--print", "with install-service: print the service file, install nothing"),
    option("service", "--all", "with stop: every service of the state folder"),
    option("service", "--force", "with stop: kill a service that does not stop in time"),
    option("service", "--json", "with status: print it as JSON"),
    option(
      "input",
      "--input-driver <driver>",
      "auto, x11 or xdotool (default: auto, which is x11)",
    ),
    option(
      "commands",
      "--shell <path>",
      "shell that runs commands (default: /bin/bash, else /bin/sh)",
    ),
    option(
      "keychain",
      "--keychain <kind>",
      "auto, secret-service, macos, windows or file (default: auto, the system's if it can be used)",
    ),
    option(
      "keychain",
      "--keychain-key-file <path>",
      "32 bytes that encrypt the keychain file (mode 600)",
    ),
    option("keychain", "--no-redact", "show stored secrets in the output of commands"),
  ];
}

function limitOptions(): Option[] {
  return (Object.entries(LIMIT_FLAGS) as [keyof Limits, LimitFlag][]).map(([name, limit]) => {
    const normal = DEFAULT_LIMITS[name] / limit.scale;
    const unit = limit.unit === "count" ? "number" : limit.unit;
    return option(limit.group, `--${limit.flag} <${unit}>`, `${limit.help} (default: ${normal})`);
  });
}

function flagsOf(command: Command): string[] {
  return ["--help", ...command.options.map(({ long }) => long ?? "")];
}

/** A flag that takes the last value given. */
function option(group: HelpGroup, flags: string, help: string): Option {
  return new Option(flags, help).helpGroup(HELP_GROUPS[group]);
}

/** A flag that can be repeated. */
function list(group: HelpGroup, flags: string, help: string): Option {
  return option(group, flags, help)
    .argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
}

function readCommand(name: string): string {
  if (Object.hasOwn(COMMANDS, name)) return name;
  throw new InvalidArgumentError(unknownCommand(name, Object.keys(COMMANDS)));
}

function requestOf(name: string, options: Record<string, unknown>, count: number): Request {
  if (INSTANCE_COMMANDS.includes(name)) return readInstanceCommand(name, options);
  const { print = false, ...rest } = options;
  const misplaced = ["all", "force", "json"].find((flag) => flag in rest);
  if (misplaced !== undefined) {
    const belongs = misplaced === "json" ? "status" : "stop";
    return { kind: "refuse", message: `--${misplaced} belongs to ${belongs}` };
  }
  if (name === "uninstall-service") {
    if (count === 1) return { kind: "uninstall" };
    return { kind: "refuse", message: "uninstall-service takes no flags" };
  }
  const flags = toFlags(rest);
  if (name === "install-service") return { kind: "install", flags, print: print === true };
  if (print) return { kind: "refuse", message: "--print belongs to install-service" };
  return { kind: "serve", flags };
}

/** Commander's camelCase and inverted `--no-...` options become {@link Flags}. */
function toFlags(options: Record<string, unknown>): Flags {
  const limits = Object.fromEntries(
    (Object.entries(LIMIT_FLAGS) as [keyof Limits, LimitFlag][])
      .map(([name, limit]) => [name, options[toCamelCase(limit.flag)]])
      .filter(([, value]) => value !== undefined),
  );
  const { auth, setup, redact, ...rest } = options;
  const named = Object.entries(rest).map(([name, value]) => [toKebabCase(name), value]);
  return {
    ...Object.fromEntries(named),
    "no-auth": auth === false,
    "no-setup": setup === false,
    "no-redact": redact === false,
    limits,
  };
}

function toCamelCase(flag: string): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
