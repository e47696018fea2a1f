/**
 * The table of options, each under its name in `Config`. The command line, the help, the checks,
 * `Config`, `GET /api/system/info` and docs/limits-and-flags.md are made from it.
 */

import { GROUPS } from "../core/groups.ts";
import { TRACE_TOPICS } from "../core/trace.ts";
import {
  readBrowserAddress,
  readBrowserPage,
  readDisplays,
  readFilePath,
  readFolder,
  readHost,
  readHostAndPort,
  readName,
  readNames,
  readOpening,
  readOrigin,
  readShell,
  readVirtualScreen,
  readWholeNumber,
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
const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;

/** At most ten, including `--help`: what a new user looks for first. */
const mostUsed = {
  port: option("port", "<number>", {
    help: "TCP port; 0 chooses a free one",
    read: (text) => readWholeNumber(text, { min: 0, max: 65_535 }),
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
    help: "file with the token that requests must carry (mode 600)",
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
    help: "another name (or name:port) by which requests may address this computer, repeatable",
    read: (texts) => texts.map(readHostAndPort),
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
  noAuth: toggle("no-auth", {
    sets: true,
    help: "allow anyone who can reach the address to control this computer",
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
    read: readFolder,
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
  maxBodyBytes: limit("max-body", "bytes", {
    default: 16 * MIB,
    bounds: [KIB, GIB],
    help: "maximum size of the body of a request",
  }),
  maxBatchSteps: limit("max-batch-steps", "number", {
    default: 100,
    bounds: [1, 10_000],
    help: "maximum number of steps of one batch",
  }),
  maxBatchBytes: limit("max-batch-answer", "bytes", {
    default: 12 * MIB,
    bounds: [KIB, 256 * MIB],
    help: "maximum size of the answer of a batch; values and pictures beyond it are omitted",
  }),
  maxConnections: limit("max-connections", "number", {
    default: 1_024,
    bounds: [8, 1_000_000],
    help: "maximum number of open connections; the oldest idle one is closed for a new one",
  }),
  maxConnectionsPerAddress: limit("max-connections-per-address", "number", {
    default: 512,
    bounds: [8, 1_000_000],
    help: "maximum number of open connections of one address",
  }),
  headerTimeoutMs: limit("header-timeout", "ms", {
    default: 10_000,
    bounds: [100, HOUR_MS],
    help: "maximum time for the head of the first request to arrive",
  }),
  bodyTimeoutMs: limit("body-timeout", "ms", {
    default: 60_000,
    bounds: [100, HOUR_MS],
    help: "maximum time for the body of a request to arrive",
  }),
  writeTimeoutMs: limit("write-timeout", "ms", {
    default: 60_000,
    bounds: [100, HOUR_MS],
    help: "maximum time for which a client may read nothing of a large answer",
  }),
  idleTimeoutMs: limit("idle-timeout", "ms", {
    default: 120_000,
    bounds: [100, HOUR_MS],
    help: "maximum time between two requests of a connection",
  }),
  shutdownGraceMs: limit("shutdown-grace", "ms", {
    default: 5_000,
    bounds: [0, HOUR_MS],
    help: "how long running requests may continue after a signal to stop",
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
  maxClipboardBytes: limit("max-clipboard", "bytes", {
    default: 64 * MIB,
    bounds: [KIB, GIB],
    help: "maximum size of one format of the clipboard, read or set",
  }),
  maxTextLength: limit("max-text", "characters", {
    default: 100_000,
    bounds: [1, 100_000_000],
    help: "maximum length of the text that one request types",
  }),
  maxTypingDelayMs: limit("max-typing-delay", "ms", {
    default: 10_000,
    bounds: [0, HOUR_MS],
    help: "maximum pause between two keystrokes",
  }),
  maxDurationMs: limit("max-duration", "ms", {
    default: 300_000,
    bounds: [0, HOUR_MS],
    help: "maximum duration_ms of a movement or a key press",
  }),
  maxWaitingInput: limit("max-waiting", "number", {
    default: 1_000,
    bounds: [0, 1_000_000],
    help: "maximum number of queued input operations of one display",
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
  modifierWaitMs: limit("modifier-wait", "ms", {
    default: 2_000,
    bounds: [0, 60_000],
    help: "how long to wait for a modifier that a person holds down",
  }),
};

const pictures = {
  maxFrames: limit("max-frames", "number", {
    default: 256,
    bounds: [1, 1_000_000],
    help: "number of pictures that requests can name as frame or since; older ones are forgotten",
  }),
  maxImageBytes: limit("max-image", "bytes", {
    default: 64 * MIB,
    bounds: [KIB, GIB],
    help: "maximum size of an image file for display/locate",
  }),
  maxImagePixels: limit("max-image-pixels", "number", {
    default: 50_000_000,
    bounds: [1, 1_000_000_000],
    help: "maximum number of pixels of an image for display/locate",
  }),
};

const recordings = {
  maxRecordings: limit("max-recordings", "number", {
    default: 4,
    bounds: [1, 64],
    help: "maximum number of recordings at the same time",
  }),
  maxRecordingMs: limit("max-recording-time", "seconds", {
    default: 3_600,
    bounds: [1, DAY_SECONDS],
    help: "maximum time of one recording",
  }),
  maxRecordingFps: limit("max-recording-fps", "number", {
    default: 30,
    bounds: [1, 60],
    help: "maximum number of pictures per second of a recording",
  }),
  maxRecordingBytes: limit("max-recording-size", "bytes", {
    default: GIB,
    bounds: [MIB, 64 * GIB],
    help: "maximum size of the file of one recording",
  }),
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
  maxCommands: limit("max-commands", "number", {
    default: 64,
    bounds: [1, 10_000],
    help: "maximum number of commands at the same time, including background ones",
  }),
  maxWaitingCommands: limit("max-waiting-commands", "number", {
    default: 1_000,
    bounds: [0, 1_000_000],
    help: "maximum number of queued commands",
  }),
  commandWaitMs: limit("command-wait", "seconds", {
    default: 60,
    bounds: [0, DAY_SECONDS],
    help: "maximum time that a command is queued",
  }),
  maxCommandTimeoutMs: limit("max-command-timeout", "seconds", {
    default: 3_600,
    bounds: [0, 7 * DAY_SECONDS],
    help: "maximum timeout that a request may specify",
  }),
  keptHeadBytes: limit("keep-output-head", "bytes", {
    default: 64 * KIB,
    bounds: [0, GIB],
    help: "output kept from the start of each process",
  }),
  keptTailBytes: limit("keep-output-tail", "bytes", {
    default: MIB,
    bounds: [KIB, GIB],
    help: "output kept from the end of each process",
  }),
  maxEndedProcesses: limit("max-ended", "number", {
    default: 1_000,
    bounds: [0, 1_000_000],
    help: "maximum number of ended processes whose output can still be read",
  }),
  maxEndedBytes: limit("max-ended-bytes", "bytes", {
    default: 128 * MIB,
    bounds: [0, 64 * GIB],
    help: "maximum memory for the output of ended processes; the oldest lose theirs first",
  }),
  keepEndedMs: limit("keep-ended", "seconds", {
    default: 3_600,
    bounds: [0, 7 * DAY_SECONDS],
    help: "how long the output of an ended process can be read",
  }),
  drainMs: limit("drain", "ms", {
    default: 300,
    bounds: [0, 60_000],
    help: "how long output is still read after the shell has ended",
  }),
  killAfterMs: limit("kill-after", "ms", {
    default: 3_000,
    bounds: [0, 60_000],
    help: "how long a process may take to end before it is killed",
  }),
  commandNice: limit("command-nice", "number", {
    default: 10,
    bounds: [0, 19],
    help: "how far the priority of commands is lowered, in steps of nice (Linux, macOS)",
  }),
};

const files = {
  maxEditBytes: limit("max-edit", "bytes", {
    default: 256 * MIB,
    bounds: [1, 2 * GIB],
    help: "maximum size of a file that the editor changes",
  }),
  maxViewBytes: limit("max-view", "bytes", {
    default: 8 * MIB,
    bounds: [1, 256 * MIB],
    help: "maximum size of the text that one editor/view returns",
  }),
  maxReplacements: limit("max-replacements", "number", {
    default: 10_000_000,
    bounds: [1, 100_000_000],
    help: "maximum number of occurrences that one editor/str-replace replaces",
  }),
  maxUndoBytes: limit("max-undo", "bytes", {
    default: 64 * MIB,
    bounds: [0, 4 * GIB],
    help: "maximum memory for the undo history of all files together",
  }),
  maxReadBytes: limit("max-read", "bytes", {
    default: 8 * MIB,
    bounds: [1, 256 * MIB],
    help: "maximum part of a file that one filesystem/read returns",
  }),
  maxSearchResults: limit("max-search-results", "number", {
    default: 10_000,
    bounds: [1, 1_000_000],
    help: "largest max_results of filesystem/search",
  }),
  maxTreeEntries: limit("max-tree-entries", "number", {
    default: 1_000_000,
    bounds: [1, 100_000_000],
    help: "largest max_entries of filesystem/tree",
  }),
  maxWalks: limit("max-walks", "number", {
    default: 4,
    bounds: [1, 64],
    help: "maximum number of lists, searches and trees at the same time",
  }),
  maxWalkMs: limit("max-walk", "seconds", {
    default: 600,
    bounds: [1, DAY_SECONDS],
    help: "maximum time for one list, search or tree",
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
    read: readFilePath,
    isPath: true,
  }),
  redact: toggle("no-redact", {
    sets: false,
    help: "do not redact stored secrets in the output of commands",
  }),
  focusWaitMs: limit("focus-wait", "ms", {
    default: 3_000,
    bounds: [0, 60_000],
    help:
      "maximum time that keys wait for a click to be delivered, and secrets for the clicked window to get the keyboard focus",
  }),
  maxSecretBytes: limit("max-secret", "bytes", {
    default: 64 * KIB,
    bounds: [1, MIB],
    help: "maximum size of a value in the keychain",
  }),
  maxWrongTries: limit("wrong-tries", "number", {
    default: 5,
    bounds: [1, 1_000],
    help: "wrong answers of authenticate for one service before further attempts are delayed",
  }),
  wrongTryDelayMs: limit("wrong-try-delay", "ms", {
    default: 1_000,
    bounds: [0, HOUR_MS],
    help: "first delay after too many wrong answers; each further one is twice as long",
  }),
  maxWrongTryDelayMs: limit("max-wrong-try-delay", "ms", {
    default: 30_000,
    bounds: [0, HOUR_MS],
    help: "maximum delay after too many wrong answers",
  }),
  keychainTimeoutMs: limit("keychain-timeout", "ms", {
    default: 10_000,
    bounds: [100, 60_000],
    help: "maximum time for one call of the system's keychain",
  }),
};

export const OPTIONS = {
  ...mostUsed,
  ...access,
  ...browser,
  ...service,
  ...input,
  ...pictures,
  ...recordings,
  ...commands,
  ...files,
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
    commands: ["mcp"],
    help: "with mcp: the running service to use, instead of starting one",
  },
  { flag: "all", commands: ["stop"], help: "with stop: every service of the state folder" },
  {
    flag: "force",
    commands: ["stop"],
    help: "with stop: kill a service that does not stop in time",
  },
  { flag: "json", commands: ["status", "doctor"], help: "with status and doctor: print JSON" },
  { flag: "version", short: "V", help: "print the version and how the program was made" },
];

/** The headings under which the help and the documents list the options. */
export const OPTION_GROUPS: readonly OptionGroup[] = [
  { heading: "Most used", options: [...Object.values(mostUsed), HELP] },
  { heading: "Who may call the service", options: Object.values(access) },
  { heading: "The browser", options: Object.values(browser) },
  { heading: "The service", options: Object.values(service) },
  { heading: "Mouse and keyboard", options: Object.values(input) },
  { heading: "Pictures", options: Object.values(pictures) },
  { heading: "Recordings", options: Object.values(recordings) },
  { heading: "Commands that the service runs", options: Object.values(commands) },
  { heading: "Files", options: Object.values(files) },
  { heading: "Keychain", options: Object.values(keychain) },
  { heading: "The program", options: COMMAND_FLAGS },
];
