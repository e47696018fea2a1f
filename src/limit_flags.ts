/** The flag of each limit: its unit on the command line, its bounds and its help. */

import type { Limits } from "./limits.ts";

export interface LimitFlag {
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
    ...{ flag: "max-body", unit: "bytes", min: 1_024, max: 1_073_741_824, scale: 1 },
    help: "largest request body",
  },
  maxTextLength: {
    ...{ flag: "max-text", unit: "characters", min: 1, max: 100_000_000, scale: 1 },
    help: "longest text that one request may type",
  },
  maxTypingDelayMs: {
    ...{ flag: "max-typing-delay", unit: "ms", min: 0, max: HOUR_MS, scale: 1 },
    help: "longest pause between two keystrokes",
  },
  maxDurationMs: {
    ...{ flag: "max-duration", unit: "ms", min: 0, max: HOUR_MS, scale: 1 },
    help: "longest duration_ms of a movement or a key press",
  },
  maxWaitingInput: {
    ...{ flag: "max-waiting", unit: "count", min: 0, max: 1_000_000, scale: 1 },
    help: "input operations of one display that may wait for their turn",
  },
  maxHoldMs: {
    ...{ flag: "max-hold", unit: "seconds", min: 1, max: 24 * 3_600, scale: 1_000 },
    help: "how long a held key or button stays down",
  },
  keymapSettleMs: {
    ...{ flag: "keymap-settle", unit: "ms", min: 0, max: 10_000, scale: 1 },
    help: "rest of a remapped key before it stands for another character",
  },
  modifierWaitMs: {
    ...{ flag: "modifier-wait", unit: "ms", min: 0, max: 60_000, scale: 1 },
    help: "wait for a modifier that a person holds down",
  },
  focusWaitMs: {
    ...{ flag: "focus-wait", unit: "ms", min: 0, max: 60_000, scale: 1 },
    help: "wait for a clicked window to take the keyboard before a secret is typed",
  },
  maxSecretBytes: {
    ...{ flag: "max-secret", unit: "bytes", min: 1, max: 1_048_576, scale: 1 },
    help: "longest value of a keychain item",
  },
  maxWrongTries: {
    ...{ flag: "wrong-tries", unit: "count", min: 1, max: 1_000, scale: 1 },
    help: "wrong answers of authenticate for one service before it is slowed down",
  },
  wrongTryDelayMs: {
    ...{ flag: "wrong-try-delay", unit: "ms", min: 0, max: HOUR_MS, scale: 1 },
    help: "first delay after too many wrong answers; it doubles",
  },
  maxWrongTryDelayMs: {
    ...{ flag: "max-wrong-try-delay", unit: "ms", min: 0, max: HOUR_MS, scale: 1 },
    help: "longest delay after too many wrong answers",
  },
  keychainTimeoutMs: {
    ...{ flag: "keychain-timeout", unit: "ms", min: 100, max: 60_000, scale: 1 },
    help: "time that the system's keychain may take for one call",
  },
  maxEditBytes: {
    ...{ flag: "max-edit", unit: "bytes", min: 1, max: 2_147_483_648, scale: 1 },
    help: "largest file that the editor changes",
  },
  maxViewBytes: {
    ...{ flag: "max-view", unit: "bytes", min: 1, max: 268_435_456, scale: 1 },
    help: "largest text that one view gives",
  },
  maxReplacements: {
    ...{ flag: "max-replacements", unit: "count", min: 1, max: 100_000_000, scale: 1 },
    help: "occurrences that one str-replace may replace",
  },
  maxUndoBytes: {
    ...{ flag: "max-undo", unit: "bytes", min: 0, max: 4_294_967_296, scale: 1 },
    help: "memory for the undo history of all files",
  },
  maxReadBytes: {
    ...{ flag: "max-read", unit: "bytes", min: 1, max: 268_435_456, scale: 1 },
    help: "largest part of a file that one read gives",
  },
  maxSearchResults: {
    ...{ flag: "max-search-results", unit: "count", min: 1, max: 1_000_000, scale: 1 },
    help: "largest max_results of a search",
  },
  maxTreeEntries: {
    ...{ flag: "max-tree-entries", unit: "count", min: 1, max: 100_000_000, scale: 1 },
    help: "largest max_entries of a tree",
  },
  maxWalks: {
    ...{ flag: "max-walks", unit: "count", min: 1, max: 64, scale: 1 },
    help: "lists, searches and trees that run at once",
  },
  maxWalkMs: {
    ...{ flag: "max-walk", unit: "seconds", min: 1, max: 24 * 3_600, scale: 1_000 },
    help: "how long one list, search or tree may take",
  },
  maxFrames: {
    ...{ flag: "max-frames", unit: "count", min: 1, max: 1_000_000, scale: 1 },
    help: "pictures that are remembered for frame and since",
  },
  maxImageBytes: {
    ...{ flag: "max-image", unit: "bytes", min: 1_024, max: 1_073_741_824, scale: 1 },
    help: "largest file of an image that is searched for",
  },
  maxImagePixels: {
    ...{ flag: "max-image-pixels", unit: "count", min: 1, max: 1_000_000_000, scale: 1 },
    help: "most pixels of an image that is searched for",
  },
  shutdownGraceMs: {
    ...{ flag: "shutdown-grace", unit: "ms", min: 0, max: HOUR_MS, scale: 1 },
    help: "time for running requests after a signal to stop",
  },
  maxCommands: {
    ...{ flag: "max-commands", unit: "count", min: 1, max: 10_000, scale: 1 },
    help: "commands that run at once, background ones included",
  },
  maxWaitingCommands: {
    ...{ flag: "max-waiting-commands", unit: "count", min: 0, max: 1_000_000, scale: 1 },
    help: "commands that may wait until another one ends",
  },
  commandWaitMs: {
    ...{ flag: "command-wait", unit: "seconds", min: 0, max: 24 * 3_600, scale: 1_000 },
    help: "how long a command waits for its start",
  },
  maxCommandTimeoutMs: {
    ...{ flag: "max-command-timeout", unit: "seconds", min: 0, max: 7 * 24 * 3_600, scale: 1_000 },
    help: "longest timeout of a command",
  },
  keptHeadBytes: {
    ...{ flag: "keep-output-head", unit: "bytes", min: 0, max: 1_073_741_824, scale: 1 },
    help: "output kept from the start of each process",
  },
  keptTailBytes: {
    ...{ flag: "keep-output-tail", unit: "bytes", min: 1_024, max: 1_073_741_824, scale: 1 },
    help: "output kept from the end of each process",
  },
  maxEndedProcesses: {
    ...{ flag: "max-ended", unit: "count", min: 0, max: 1_000_000, scale: 1 },
    help: "ended processes whose output can still be read",
  },
  maxEndedBytes: {
    ...{ flag: "max-ended-bytes", unit: "bytes", min: 0, max: 68_719_476_736, scale: 1 },
    help: "memory for ended processes; the oldest ones lose their output first",
  },
  keepEndedMs: {
    ...{ flag: "keep-ended", unit: "seconds", min: 0, max: 7 * 24 * 3_600, scale: 1_000 },
    help: "how long an ended process can be read",
  },
  drainMs: {
    ...{ flag: "drain", unit: "ms", min: 0, max: 60_000, scale: 1 },
    help: "how long output is read on after the shell has ended",
  },
  killAfterMs: {
    ...{ flag: "kill-after", unit: "ms", min: 0, max: 60_000, scale: 1 },
    help: "time for a process to end before it is killed",
  },
  commandNice: {
    ...{ flag: "command-nice", unit: "count", min: 0, max: 19, scale: 1 },
    help: "how far commands give way when the processor is short (Linux, macOS)",
  },
} as const satisfies Readonly<Record<keyof Limits, LimitFlag>>;
