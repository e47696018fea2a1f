/**
 * The table of options, each under its name in `Config`. The command line, the help, the checks,
 * `Config`, `GET /api/system/info` and docs/limits-and-flags.md are made from it.
 */

import { GROUPS } from "../core/groups.ts";
import { TRACE_TOPICS } from "../core/log.ts";
import {
  COMPAT_NAMES,
  COMPAT_PORTS,
  readAllowedHost,
  readApproved,
  readBrowserAddress,
  readBrowserPage,
  readCompat,
  readDisplays,
  readHost,
  readInteger,
  readName,
  readNames,
  readOpening,
  readOrigin,
  readPath,
  readRest,
  readShell,
  readVirtualScreen,
  readWebhook,
  type VirtualScreen,
} from "./flag_values.ts";
import {
  choice,
  type CommandFlag,
  limit,
  list,
  option,
  optionalValue,
  type OptionGroup,
  toggle,
} from "./option.ts";

/** The variable that can replace `--token-file`: the token itself. */
export const TOKEN_VARIABLE = "COMPUTER_CONTROL_TOKEN";
export const DEFAULT_VIRTUAL_SCREEN: VirtualScreen = Object.freeze({
  width: 1280,
  height: 800,
  server: "x11",
});

const KIB = 1_024;
const MIB = 1_024 * KIB;
const GIB = 1_024 * MIB;
const DAY_SECONDS = 86_400;

/** At most ten, including `--help`: what a new user looks for first. */
const mostUsed = {
  port: option("port", "<number>", {
    help: "TCP port; 0 chooses a free one",
    read: (text) => readInteger(text, { min: 0, max: 65_535 }),
    default: 4_242,
    defaultText: "4242",
  }),
  host: option("host", "<address>", {
    help: "address to listen on",
    read: readHost,
    default: "127.0.0.1",
    defaultText: "127.0.0.1, which only this computer can reach",
  }),
  tokenFile: option("token-file", "<path>", {
    help: "file with the token that requests must carry (mode 600, or 440 of our group); read " +
      "again when it changes",
    read: (text) => text,
    isPath: true,
    variable: {
      name: TOKEN_VARIABLE,
      help: "the bearer token, if there is no --token-file",
    },
  }),
  name: option("name", "<name>", {
    help: "this computer's name: requests to another name are refused",
    read: readName,
  }),
  displays: list("display", "<[n=]display>", {
    help: "X display to use as display n (1 if omitted), repeatable",
    read: readDisplays,
  }),
  virtualDisplay: optionalValue("virtual-display", "[[wayland:]WxH]", {
    help: "start a display without a screen, of X11 or Wayland (default size: 1280x800)",
    read: (text) => readVirtualScreen(text, DEFAULT_VIRTUAL_SCREEN),
    bare: DEFAULT_VIRTUAL_SCREEN,
  }),
  open: list("open", "<command>", {
    help: 'program or URL to open on display 1, as in "xterm -e top", repeatable',
    read: (texts) => texts.map(readOpening),
    separator: "\n",
  }),
  disabled: list("disable", "<groups>", {
    help: `groups to disable, separated by commas: ${GROUPS.join(", ")}`,
    values: GROUPS,
    read: (texts) => readNames(texts, { known: GROUPS, what: "group" }),
  }),
  readOnly: toggle("read-only", {
    sets: true,
    help: "refuse every operation that changes something",
  }),
};

const access = {
  allowHosts: list("allow-host", "<name>", {
    help: "another name (or name:port) by which requests may address this computer, or *.domain " +
      "for all names in it, repeatable",
    read: (texts) => texts.map(readAllowedHost),
  }),
  allowOrigins: list("allow-origin", "<origin>", {
    help: "web origin whose pages may call it, repeatable",
    read: (texts) => texts.map(readOrigin),
  }),
  ignoreUnknownFields: toggle("ignore-unknown-fields", {
    sets: true,
    help: "ignore unknown fields of requests, and list them in X-Ignored-Fields",
  }),
  mcpTools: choice("mcp-tools", "<tools>", {
    help: "what /mcp offers",
    values: ["few", "all"],
    defaultText: "few: those that models are trained on; all adds every operation",
  }),
  compat: list("compat", "<name[:port]>", {
    help: "also offer the HTTP interface of another project, on a port of its own, repeatable: " +
      COMPAT_NAMES.map((name) => `${name} (${COMPAT_PORTS[name]})`).join(", "),
    values: COMPAT_NAMES,
    read: readCompat,
  }),
  approve: list("approve", "<names>", {
    help:
      "operations that wait until a person allows them, as groups or single ones, separated by " +
      "commas: bash, filesystem.delete",
    read: readApproved,
  }),
  helpWebhook: option("help-webhook", "<url>", {
    help: "address that gets a POST when a program asks for a person",
    read: readWebhook,
  }),
  yieldToPersonMs: optionalValue("yield-to-person", "[time]", {
    help:
      "pause programs while a person uses the real mouse or keyboard, and so long after (X11, Windows)",
    read: readRest,
    bare: 10_000,
    defaultText: "off; 10s without a time",
  }),
  noAuth: toggle("no-auth", {
    sets: true,
    help: "allow anyone who can reach the address to control this computer",
  }),
};

const consoleOptions = {
  openConsole: toggle("open-console", {
    sets: true,
    help: "open the console in the browser of this desktop",
  }),
};

const browser = {
  openBrowser: optionalValue("open-browser", "[url]", {
    help: "start Chromium, Chrome or Edge on display 1, for the browser operations",
    read: readBrowserPage,
    bare: "about:blank",
  }),
  browserAddress: option("browser-address", "<address>", {
    help: "a running browser for the browser operations, by its DevTools address, " +
      "such as http://127.0.0.1:9222",
    read: readBrowserAddress,
  }),
  browserEvaluate: toggle("browser-evaluate", {
    sets: true,
    help: "allow browser/evaluate to run scripts in pages, with the rights of the page",
  }),
};

const service = {
  stateDir: option("state-dir", "<folder>", {
    help: "folder for the persistent state of the service",
    read: (text) => readPath(text, "folder"),
    isPath: true,
  }),
  trustHome: toggle("trust-home", {
    sets: true,
    help: "nobody else is on this computer: use folders that others could change, such as a home " +
      "on a volume of a container",
  }),
  auditFile: option("audit-file", "<path>", {
    help: "file that gets a line of JSON for each operation, rotated at 64 MiB",
    read: (text) => readPath(text, "file"),
    isPath: true,
  }),
  setup: toggle("no-setup", { sets: false, help: "never install missing system packages" }),
  logLevel: choice("log-level", "<level>", {
    help: "lowest level of the lines in the log",
    values: ["info", "debug", "warn", "error"],
    defaultText: "info; debug also names each request",
  }),
  logFormat: choice("log", "<format>", {
    help: "format of each line of the log",
    values: ["text", "json"],
  }),
  trace: list("trace", "<protocols>", {
    help: `protocols whose messages are logged, separated by commas: ${TRACE_TOPICS.join(", ")}`,
    values: TRACE_TOPICS,
    read: (texts) => readNames(texts, { known: TRACE_TOPICS, what: "protocol" }),
  }),
  shutdownGraceMs: limit("shutdown-grace", "seconds", {
    default: 5,
    bounds: [0, 3_600],
    help: "how long running requests may continue after a signal to stop",
  }),
  maxDesks: limit("max-desks", "number", {
    default: 8,
    bounds: [0, 64],
    help: "maximum number of desks (desk/create; on Linux)",
  }),
  maxBodyBytes: limit("max-body", "bytes", {
    default: 16 * MIB,
    bounds: [KIB, GIB],
    help: "maximum size of the body of a request",
  }),
};

const input = {
  backend: choice("backend", "<name>", {
    alias: "input-driver",
    help: "backend for displays on Linux",
    values: ["auto", "x11", "xdotool"],
    defaultText: "auto, which is x11",
  }),
  waylandBackend: choice("wayland-backend", "<name>", {
    help: "backend for a Wayland session; mutter is a private interface of GNOME that " +
      "asks nobody",
    values: ["auto", "wlroots", "kde", "portal", "mutter"],
    defaultText: "auto: the first of wlroots, kde and portal that works",
  }),
  clipboardTyping: toggle("no-clipboard-typing", {
    sets: false,
    help: "never type characters through the clipboard (on Wayland, if no key has them)",
  }),
  maxHoldMs: limit("max-hold", "seconds", {
    default: 600,
    bounds: [1, DAY_SECONDS],
    help: "maximum time for which a key or button is held",
  }),
  keymapSettleMs: limit("keymap-settle", "ms", {
    default: 100,
    bounds: [0, 10_000],
    help: "pause before a scratch keycode is remapped to another character",
  }),
};

const recordings = {
  maxRecordingsBytes: limit("max-recordings-size", "bytes", {
    default: 4 * GIB,
    bounds: [MIB, 1_024 * GIB],
    help: "maximum size of the files of all recordings; the oldest are removed for new ones",
  }),
};

const commands = {
  shell: option("shell", "<path>", {
    help: "shell that runs commands",
    read: readShell,
    isPath: true,
    defaultText: "/bin/bash, else /bin/sh",
  }),
  maxCommandTimeoutMs: limit("max-command-timeout", "seconds", {
    default: 3_600,
    bounds: [0, 7 * DAY_SECONDS],
    help: "maximum timeout that a request may specify",
  }),
  commandNice: limit("command-nice", "number", {
    default: 10,
    bounds: [0, 19],
    help: "how far the priority of commands is lowered, in steps of nice (Linux, macOS)",
  }),
};

const keychain = {
  keychain: choice("keychain", "<kind>", {
    help: "where secrets are stored",
    values: ["auto", "secret-service", "macos", "windows", "file"],
    defaultText: "auto: that of the system if it works",
  }),
  keychainKeyFile: option("keychain-key-file", "<path>", {
    help: "file with the 32-byte key of the keychain file (mode 600)",
    read: (text) => readPath(text, "file"),
    isPath: true,
  }),
  redact: toggle("no-redact", {
    sets: false,
    help: "do not redact stored secrets in the output of commands",
  }),
};

export const OPTIONS = {
  ...mostUsed,
  ...access,
  ...consoleOptions,
  ...browser,
  ...service,
  ...input,
  ...recordings,
  ...commands,
  ...keychain,
};

const HELP: CommandFlag = { flag: "help", short: "h", help: "print this help" };

/** Flags of the commands, not of the service. */
const COMMAND_FLAGS: readonly CommandFlag[] = [
  {
    flag: "print",
    commands: ["install-service", "grant"],
    help: "with install-service and grant: print the file, install nothing",
  },
  {
    flag: "remove",
    commands: ["grant"],
    help: "with grant: revoke what was granted",
  },
  {
    flag: "executable",
    placeholder: "<path>",
    commands: ["grant"],
    help: "with grant kde: the program to grant it to, instead of this one",
  },
  {
    flag: "url",
    placeholder: "<address>",
    commands: ["mcp", "replay"],
    help: "with mcp: the running service to use, instead of starting one; with replay: the one " +
      "that performs it",
  },
  {
    flag: "dry-run",
    commands: ["replay"],
    help: "with replay: say what each step acts on and what it lacks, and perform nothing",
  },
  {
    flag: "until",
    placeholder: "<step>",
    commands: ["replay"],
    help: "with replay: the last step to perform, by its number",
  },
  {
    flag: "pixels",
    commands: ["replay"],
    help: "with replay: use points where no element is known, moved as their window has moved",
  },
  {
    flag: "values",
    placeholder: "<file>",
    commands: ["replay"],
    help: 'with replay: JSON with what was not recorded, by step: {"3": {"text": "Hello"}}',
  },
  { flag: "all", commands: ["stop"], help: "with stop: every service of the state folder" },
  {
    flag: "force",
    commands: ["stop"],
    help: "with stop: kill a service that does not stop in time",
  },
  {
    flag: "json",
    commands: ["status", "doctor", "token"],
    help: "with status, doctor and token list: print JSON",
  },
  {
    flag: "scopes",
    placeholder: "<scopes>",
    commands: ["token"],
    help: "with token add: what it is for, separated by commas: view, input, files, shell, " +
      "keychain, control; without it, everything",
  },
  {
    flag: "desk",
    placeholder: "<name>",
    commands: ["token", "replay"],
    help: "with token add: the one desk that it is for; without it, all desks and displays; with " +
      "replay: the desk to perform it on, instead of the recorded one",
  },
  {
    flag: "expires",
    placeholder: "<time>",
    commands: ["token"],
    help: "with token add: after which time it ends, such as 12h or 30d; without it, never",
  },
  { flag: "version", short: "V", help: "print the version and how the program was made" },
];

/** The headings under which the help and the documents list the options. */
export const OPTION_GROUPS: readonly OptionGroup[] = [
  { heading: "Most used", options: [...Object.values(mostUsed), HELP] },
  { heading: "Who may call the service", options: Object.values(access) },
  { heading: "The console", options: Object.values(consoleOptions) },
  { heading: "The browser", options: Object.values(browser) },
  { heading: "The service", options: Object.values(service) },
  { heading: "Mouse and keyboard", options: Object.values(input) },
  { heading: "Recordings", options: Object.values(recordings) },
  { heading: "Commands that the service runs", options: Object.values(commands) },
  { heading: "Keychain", options: Object.values(keychain) },
  { heading: "The program", options: COMMAND_FLAGS },
];
