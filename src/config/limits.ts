/**
 * The limits of the service, in the unit that ends their names: bytes, milliseconds, or a count.
 * A few are options; nobody needs to set the others, which only tests shorten.
 */

import type { Limit } from "./option.ts";
import { OPTIONS } from "./options.ts";

const KIB = 1_024;
const MIB = 1_024 * KIB;
const GIB = 1_024 * MIB;

const FIXED_LIMITS = {
  maxBatchSteps: 100,
  /** Maximum size of the answer of a batch; values and pictures beyond it are omitted. */
  maxBatchBytes: 12 * MIB,
  /** Maximum number of open connections; the oldest idle one is closed for a new one. */
  maxConnections: 1_024,
  maxConnectionsPerAddress: 512,
  /** Maximum time for the head of the first request to arrive. */
  headerTimeoutMs: 10_000,
  /** Maximum time for the body of a request to arrive. */
  bodyTimeoutMs: 60_000,
  /** Maximum time for which a client may read nothing of a large answer. */
  writeTimeoutMs: 60_000,
  /** Maximum time between two requests of a connection. */
  idleTimeoutMs: 120_000,
  /** Maximum size of one format of the clipboard, read or set. */
  maxClipboardBytes: 64 * MIB,
  /** Maximum length of the text that one request types. */
  maxTextLength: 100_000,
  maxTypingDelayMs: 10_000,
  /** Maximum duration_ms of a movement or a key press. */
  maxDurationMs: 300_000,
  /** A pause of the whole process from which on it was suspended: what was held is released. */
  suspendedMs: 10_000,
  /** Maximum number of queued input operations of one display. */
  maxWaitingInput: 1_000,
  /** How long to wait for a modifier that a person holds down. */
  modifierWaitMs: 2_000,
  /** Number of pictures that requests can name as frame or since; older ones are forgotten. */
  maxFrames: 256,
  /** Maximum size of an image file for display/locate. */
  maxImageBytes: 64 * MIB,
  maxImagePixels: 50_000_000,
  /** Maximum number of recordings at the same time. */
  maxRecordings: 4,
  maxRecordingMs: 3_600_000,
  maxRecordingFps: 30,
  maxRecordingBytes: GIB,
  /** Maximum number of commands at the same time, including background ones. */
  maxCommands: 64,
  maxWaitingCommands: 1_000,
  commandWaitMs: 60_000,
  /** Output kept from the start of each process. */
  keptHeadBytes: 64 * KIB,
  keptTailBytes: MIB,
  /** Maximum number of ended processes whose output can still be read. */
  maxEndedProcesses: 1_000,
  /** Maximum memory for the output of ended processes; the oldest lose theirs first. */
  maxEndedBytes: 128 * MIB,
  /** How long the output of an ended process can be read. */
  keepEndedMs: 3_600_000,
  /** How long output is still read after the shell has ended. */
  drainMs: 300,
  /** How long a process may take to end before it is killed. */
  killAfterMs: 3_000,
  /** Maximum size of a file that the editor changes. */
  maxEditBytes: 256 * MIB,
  /** Maximum size of the text that one editor/view returns. */
  maxViewBytes: 8 * MIB,
  /** Maximum number of occurrences that one editor/str-replace replaces. */
  maxReplacements: 10_000_000,
  /** Maximum memory for the undo history of all files together. */
  maxUndoBytes: 64 * MIB,
  /** Maximum part of a file that one filesystem/read returns. */
  maxReadBytes: 8 * MIB,
  /** Largest max_results of filesystem/search. */
  maxSearchResults: 10_000,
  /** Largest max_entries of filesystem/tree. */
  maxTreeEntries: 1_000_000,
  /** Maximum number of lists, searches and trees at the same time. */
  maxWalks: 4,
  maxWalkMs: 600_000,
  /** Maximum time that keys wait for a click to be delivered, and secrets for the clicked window to get the keyboard focus. */
  focusWaitMs: 3_000,
  /** Maximum size of a value in the keychain. */
  maxSecretBytes: 64 * KIB,
  /** Wrong answers of authenticate for one service before further attempts are delayed. */
  maxWrongTries: 5,
  /** First delay after too many wrong answers; each further one is twice as long. */
  wrongTryDelayMs: 1_000,
  maxWrongTryDelayMs: 30_000,
  /** Maximum time for one call of the system's keychain. */
  keychainTimeoutMs: 10_000,
};

type Options = typeof OPTIONS;

/** The limits that are options. */
export type LimitName = {
  [Name in keyof Options]: Options[Name] extends Limit ? Name : never;
}[keyof Options];

export type Limits = { readonly [Name in LimitName | keyof typeof FIXED_LIMITS]: number };

export const LIMITS = Object.fromEntries(
  Object.entries(OPTIONS).filter(([, option]) => "bounds" in option),
) as { readonly [Name in LimitName]: Options[Name] };

export const DEFAULT_LIMITS: Limits = Object.freeze({
  ...FIXED_LIMITS,
  ...mapLimits((limit) => limit.default),
});

/** A value for each limit that is an option. */
export function mapLimits<T>(value: (limit: Limit) => T): { readonly [Name in LimitName]: T } {
  const entries = Object.entries(LIMITS).map(([name, limit]) => [name, value(limit)]);
  return Object.fromEntries(entries) as { readonly [Name in LimitName]: T };
}
