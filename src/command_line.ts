/** The command line: its flags, its help, and what it asks for. */

import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { VERSION } from "./config.ts";
import { DEFAULT_HOST, DEFAULT_PORT, type Flags } from "./flags.ts";
import { GROUPS } from "./features/operation.ts";
import { LIMIT_FLAGS, type LimitFlag } from "./limit_flags.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";

/** What a command line asks for. */
export type Request =
  | { readonly kind: "serve"; readonly flags: Flags }
  | ServiceRequest
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
    command.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "print", text: printed };
    return { kind: "refuse", message: oneLine(error.message) };
  }
  return request;
}

function createCommand(version: string): Command {
  const command = new Command("computer-control")
    .description("Lets programs on this computer see its screen and use its mouse and keyboard.")
    .addHelpText("after", EXAMPLES)
    .helpOption("-h, --help", "print this help")
    .version(version, "-V, --version", "print the version")
    .argument("[command]", `what to do: ${COMMANDS.join(", ")}`, readCommand, "serve")
    .allowExcessArguments(false);
  for (const option of [...serviceOptions(), ...limitOptions()]) command.addOption(option);
  return command;
}

const COMMANDS = ["serve", "install-service", "uninstall-service"];

const EXAMPLES = `
Environment:
  COMPUTER_CONTROL_TOKEN    the bearer token, where there is no --token-file

Examples:
  computer-control --port 5000 --name desk-1
  computer-control --virtual-display 1920x1080
  computer-control --host 0.0.0.0 --token-file ~/.computer-control-token
  computer-control install-service --port 5000     starts it at every login, with these flags
`;

function serviceOptions(): Option[] {
  return [
    option("--host <address>", `address to listen on (default: ${DEFAULT_HOST})`),
    option("--port <number>", `TCP port, 0 for any free one (default: ${DEFAULT_PORT})`),
    option("--name <name>", "this computer's name: other names in an address are refused"),
    list("--display <[n=]display>", "X display behind display n (1 if not said), repeatable"),
    option("--virtual-display [WxH]", "start a display without a screen (default size: 1280x800)"),
    option("--input-driver <driver>", "auto, x11 or xdotool (default: auto, which is x11)"),
    option("--shell <path>", "shell that runs commands (default: /bin/bash, else /bin/sh)"),
    option("--token-file <path>", "file with the token that requests must carry (mode 600)"),
    list(
      "--allow-host <name>",
      "one more name (or name:port) that requests may address, repeatable",
    ),
    list("--allow-origin <origin>", "web origin whose pages may send requests, repeatable"),
    option("--no-auth", "let anybody who reaches the address control this computer"),
    list("--disable <groups>", `groups to take away, by commas: ${GROUPS.join(", ")}`),
    option("--read-only", "refuse every operation that changes something"),
    option("--state-dir <folder>", "where the service keeps what must outlive it"),
    option(
      "--keychain <kind>",
      "auto, secret-service, macos, windows or file (default: auto, the system's where it can be used)",
    ),
    option("--keychain-key-file <path>", "32 bytes that encrypt the keychain file (mode 600)"),
    option("--no-redact", "show stored secrets in the output of commands"),
    option("--no-setup", "never install missing system packages"),
    option("--print", "with install-service: show the service file and do nothing"),
  ];
}

function limitOptions(): Option[] {
  return (Object.entries(LIMIT_FLAGS) as [keyof Limits, LimitFlag][]).map(([name, limit]) => {
    const normal = DEFAULT_LIMITS[name] / limit.scale;
    const unit = limit.unit === "count" ? "number" : limit.unit;
    return option(`--${limit.flag} <${unit}>`, `${limit.help} (default: ${normal})`);
  });
}

/** A flag that takes the last value given. */
function option(flags: string, help: string): Option {
  return new Option(flags, help);
}

/** A flag that can be repeated. */
function list(flags: string, help: string): Option {
  return new Option(flags, help)
    .argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
}

function readCommand(name: string): string {
  if (COMMANDS.includes(name)) return name;
  throw new InvalidArgumentError(`It must be one of ${COMMANDS.join(", ")}.`);
}

function requestOf(name: string, options: Record<string, unknown>, count: number): Request {
  const { print = false, ...rest } = options;
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

function oneLine(message: string): string {
  return message.replace(/^error: /, "").trim().replace(/\s*\n\s*/g, " ");
}
