/** The flag of each limit: its unit on the command line, its bounds and its help. */

import type { HelpGroup } from "./help_groups.ts";
import type { Limits } from "../core/limits.ts";

export interface LimitFlag {
  /** Where `--help` lists it. */
  readonly group: HelpGroup;
  /** Without the dashes: `max-body`. */
  readonly flag: string;
  /** What the help shows for the value. */
  readonly unit: "bytes" | "characters" | "ms" | "seconds" | "count";
  /** Of the number as it is written on the command line. */
  readonly min: number;
  readonly max: number;
  /** The number on the command line times this is the number in {@link Limits}. */
  readonly scale: number;
  readonly help: string;
}

const HOUR_MS = 3_600_000;

export const LIMIT_FLAGS = {
  maxBodyBytes: {
    ...{
      group: "service",
      flag: "max-body",
      unit: "bytes",
      min: 1_024,
      max: 1_073_741_824,
      scale: 1,
    },
    help: "largest body of a request",
  },
  maxConnections: {
    ...{
      group: "service",
      flag: "max-connections",
      unit: "count",
      min: 8,
      max: 1_000_000,
      scale: 1,
    },
    help: "open connections; the oldest idle one is closed for a new one",
  },
  maxConnectionsPerAddress: {
    ...{
      group: "service",
      flag: "max-connections-per-address",
      unit: "count",
      min: 8,
      max: 1_000_000,
      scale: 1,
    },
    help: "open connections of one address",
  },
  headerTimeoutMs: {
    ...{ group: "service", flag: "header-timeout", unit: "ms", min: 100, max: HOUR_MS, scale: 1 },
    help: "time for the head of the first request to arrive",
  },
  bodyTimeoutMs: {
    ...{ group: "service", flag: "body-timeout", unit: "ms", min: 100, max: HOUR_MS, scale: 1 },
    help: "time for the body of a request to arrive",
  },
  writeTimeoutMs: {
    ...{ group: "service", flag: "write-timeout", unit: "ms", min: 100, max: HOUR_MS, scale: 1 },
    help: "time in which a client must take something of a large answer",
  },
  idleTimeoutMs: {
    ...{ group: "service", flag: "idle-timeout", unit: "ms", min: 100, max: HOUR_MS, scale: 1 },
    help: "time between two requests of a connection",
  },
  maxTextLength: {
    ...{ group: "input", flag: "max-text", unit: "characters", min: 1, max: 100_000_000, scale: 1 },
    help: "longest text that one request may type",
  },
  maxTypingDelayMs: {
    ...{ group: "input", flag: "max-typing-delay", unit: "ms", min: 0, max: HOUR_MS, scale: 1 },
    help: "longest pause between two keystrokes",
  },
  maxDurationMs: {
    ...{ group: "input", flag: "max-duration", unit: "ms", min: 0, max: HOUR_MS, scale: 1 },
    help: "longest duration_ms of a movement or a key press",
  },
  maxWaitingInput: {
    ...{ group: "input", flag: "max-waiting", unit: "count", min: 0, max: 1_000_000, scale: 1 },
    help: "input operations of one display that may wait for their turn",
  },
  maxHoldMs: {
    ...{ group: "input", flag: "max-hold", unit: "seconds", min: 1, max: 24 * 3_600, scale: 1_000 },
    help: "how long a held key or button stays down",
  },
  keymapSettleMs: {
    ...{ group: "input", flag: "keymap-settle", unit: "ms", min: 0, max: 10_000, scale: 1 },
    help: "pause before a spare keycode is given to another character",
  },
  modifierWaitMs: {
    ...{ group: "input", flag: "modifier-wait", unit: "ms", min: 0, max: 60_000, scale: 1 },
    help: "how long to wait for a modifier that a person holds down",
  },
  focusWaitMs: {
    ...{ group: "keychain", flag: "focus-wait", unit: "ms", min: 0, max: 60_000, scale: 1 },
    help:
      "how long keys wait for a click to be delivered, and secrets for the clicked window to get the keyboard",
  },
  maxSecretBytes: {
    ...{ group: "keychain", flag: "max-secret", unit: "bytes", min: 1, max: 1_048_576, scale: 1 },
    help: "longest value of a keychain item",
  },
  maxWrongTries: {
    ...{ group: "keychain", flag: "wrong-tries", unit: "count", min: 1, max: 1_000, scale: 1 },
    help: "wrong answers of authenticate for one service before further tries are delayed",
  },
  wrongTryDelayMs: {
    ...{ group: "keychain", flag: "wrong-try-delay", unit: "ms", min: 0, max: HOUR_MS, scale: 1 },
    help: "first delay after too many wrong answers; each further one is twice as long",
  },
  maxWrongTryDelayMs: {
    ...{
      group: "keychain",
      flag: "max-wrong-try-delay",
      unit: "ms",
      min: 0,
      max: HOUR_MS,
      scale: 1,
    },
    help: "longest delay after too many wrong answers",
  },
  keychainTimeoutMs: {
    ...{ group: "keychain", flag: "keychain-timeout", unit: "ms", min: 100, max: 60_000, scale: 1 },
    help: "longest time that one call of the system's keychain may take",
  },
  maxEditBytes: {
    ...{ group: "files", flag: "max-edit", unit: "bytes", min: 1, max: 2_147_483_648, scale: 1 },
    help: "largest file that the editor changes",
  },
  maxViewBytes: {
    ...{ group: "files", flag: "max-view", unit: "bytes", min: 1, max: 268_435_456, scale: 1 },
    help: "largest text that one editor/view returns",
  },
  maxReplacements: {
    ...{
      group: "files",
      flag: "max-replacements",
      unit: "count",
      min: 1,
      max: 100_000_000,
      scale: 1,
    },
    help: "occurrences that one editor/str-replace may replace",
  },
  maxUndoBytes: {
    ...{ group: "files", flag: "max-undo", unit: "bytes", min: 0, max: 4_294_967_296, scale: 1 },
    help: "memory for the undo history of all files together",
  },
  maxReadBytes: {
    ...{ group: "files", flag: "max-read", unit: "bytes", min: 1, max: 268_435_456, scale: 1 },
    help: "largest part of a file that one filesystem/read returns",
  },
  maxSearchResults: {
    ...{
      group: "files",
      flag: "max-search-results",
      unit: "count",
      min: 1,
      max: 1_000_000,
      scale: 1,
    },
    help: "largest max_results of filesystem/search",
  },
  maxTreeEntries: {
    ...{
      group: "files",
      flag: "max-tree-entries",
      unit: "count",
      min: 1,
      max: 100_000_000,
      scale: 1,
    },
    help: "largest max_entries of filesystem/tree",
  },
  maxWalks: {
    ...{ group: "files", flag: "max-walks", unit: "count", min: 1, max: 64, scale: 1 },
    help: "lists, searches and trees that run at the same time",
  },
  maxWalkMs: {
    ...{ group: "files", flag: "max-walk", unit: "seconds", min: 1, max: 24 * 3_600, scale: 1_000 },
    help: "how long one list, search or tree may take",
  },
  maxFrames: {
    ...{ group: "pictures", flag: "max-frames", unit: "count", min: 1, max: 1_000_000, scale: 1 },
    help: "pictures that requests can name as frame or since; older ones are forgotten",
  },
  maxImageBytes: {
    ...{
      group: "pictures",
      flag: "max-image",
      unit: "bytes",
      min: 1_024,
      max: 1_073_741_824,
      scale: 1,
    },
    help: "largest image file that display/locate takes",
  },
  maxImagePixels: {
    ...{
      group: "pictures",
      flag: "max-image-pixels",
      unit: "count",
      min: 1,
      max: 1_000_000_000,
      scale: 1,
    },
    help: "most pixels of an image that display/locate takes",
  },
  shutdownGraceMs: {
    ...{ group: "service", flag: "shutdown-grace", unit: "ms", min: 0, max: HOUR_MS, scale: 1 },
    help: "how long running requests may go on after a signal to stop",
  },
  maxCommands: {
    ...{ group: "commands", flag: "max-commands", unit: "count", min: 1, max: 10_000, scale: 1 },
    help: "commands that run at the same time, background ones included",
  },
  maxWaitingCommands: {
    ...{
      group: "commands",
      flag: "max-waiting-commands",
      unit: "count",
      min: 0,
      max: 1_000_000,
      scale: 1,
    },
    help: "commands that may wait until another one ends",
  },
  commandWaitMs: {
    ...{
      group: "commands",
      flag: "command-wait",
      unit: "seconds",
      min: 0,
      max: 24 * 3_600,
      scale: 1_000,
    },
    help: "longest time that a command waits for another one to end",
  },
  maxCommandTimeoutMs: {
    ...{
      group: "commands",
      flag: "max-command-timeout",
      unit: "seconds",
      min: 0,
      max: 7 * 24 * 3_600,
      scale: 1_000,
    },
    help: "largest timeout that a request may ask for",
  },
  keptHeadBytes: {
    ...{
      group: "commands",
      flag: "keep-output-head",
      unit: "bytes",
      min: 0,
      max: 1_073_741_824,
      scale: 1,
    },
    help: "output kept from the start of each process",
  },
  keptTailBytes: {
    ...{
      group: "commands",
      flag: "keep-output-tail",
      unit: "bytes",
      min: 1_024,
      max: 1_073_741_824,
      scale: 1,
    },
    help: "output kept from the end of each process",
  },
  maxEndedProcesses: {
    ...{ group: "commands", flag: "max-ended", unit: "count", min: 0, max: 1_000_000, scale: 1 },
    help: "ended processes whose output can still be read",
  },
  maxEndedBytes: {
    ...{
      group: "commands",
      flag: "max-ended-bytes",
      unit: "bytes",
      min: 0,
      max: 68_719_476_736,
      scale: 1,
    },
    help: "memory for the output of ended processes; the oldest lose theirs first",
  },
  keepEndedMs: {
    ...{
      group: "commands",
      flag: "keep-ended",
      unit: "seconds",
      min: 0,
      max: 7 * 24 * 3_600,
      scale: 1_000,
    },
    help: "how long the output of an ended process can be read",
  },
  drainMs: {
    ...{ group: "commands", flag: "drain", unit: "ms", min: 0, max: 60_000, scale: 1 },
    help: "how long output is still read after the shell has ended",
  },
  killAfterMs: {
    ...{ group: "commands", flag: "kill-after", unit: "ms", min: 0, max: 60_000, scale: 1 },
    help: "how long a process may take to end before it is killed",
  },
  commandNice: {
    ...{ group: "commands", flag: "command-nice", unit: "count", min: 0, max: 19, scale: 1 },
    help: "how far the priority of commands is lowered, in steps of nice (Linux, macOS)",
  },
} as const satisfies Readonly<Record<keyof Limits, LimitFlag>>;
