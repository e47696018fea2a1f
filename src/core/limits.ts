/** The bounds that an operator can change, with their defaults: each has a flag and is listed by `GET /api/system/info`. */

export interface Limits {
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number;
  /** Connections of all clients together; fewer where the process may not open so many files. */
  readonly maxConnections: number;
  /** Connections of one address. */
  readonly maxConnectionsPerAddress: number;
  /** How long a connection may take to send the head of its first request, in milliseconds. */
  readonly headerTimeoutMs: number;
  /** How long the body of a request may take to arrive, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** How long a client may take nothing of a large answer, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** How long a connection may be idle between two requests, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Longest text of one `keyboard/type`, in characters (Unicode code points). */
  readonly maxTextLength: number;
  /** Longest `typing_delay`, in milliseconds. */
  readonly maxTypingDelayMs: number;
  /** Longest `duration_ms`, in milliseconds. */
  readonly maxDurationMs: number;
  /** Input operations of one display that may wait for their turn. */
  readonly maxWaitingInput: number;
  /** How long a key or button held by `hold` or `down` stays down, in milliseconds. */
  readonly maxHoldMs: number;
  /** How long a remapped key is left alone before it is used for another character, in milliseconds. */
  readonly keymapSettleMs: number;
  /** How long an operation waits for a modifier that a person holds down, in milliseconds. */
  readonly modifierWaitMs: number;
  /** How long keys wait for the click before them to be delivered, and secrets for the clicked window to have the keyboard, in milliseconds. */
  readonly focusWaitMs: number;
  /** Longest value of a keychain item, in bytes of UTF-8. */
  readonly maxSecretBytes: number;
  /** Wrong answers of `authenticate` for one service name before the next one is delayed. */
  readonly maxWrongTries: number;
  /** The first of these delays, in milliseconds; each further one is twice as long. */
  readonly wrongTryDelayMs: number;
  /** The longest of these delays, in milliseconds. */
  readonly maxWrongTryDelayMs: number;
  /** How long the system's keychain may take for one call, in milliseconds. */
  readonly keychainTimeoutMs: number;
  /** Largest file that the editor changes, in bytes. */
  readonly maxEditBytes: number;
  /** Largest text that one `editor/view` gives, in bytes of the file. */
  readonly maxViewBytes: number;
  /** Occurrences that one `editor/str-replace` may replace. */
  readonly maxReplacements: number;
  /** Memory for the undo history of all files together, in bytes. */
  readonly maxUndoBytes: number;
  /** Largest `length` of one `filesystem/read`, in bytes. */
  readonly maxReadBytes: number;
  /** Largest `max_results` of one `filesystem/search`. */
  readonly maxSearchResults: number;
  /** Largest `max_entries` of one `filesystem/tree`. */
  readonly maxTreeEntries: number;
  /** Lists that run at once, and as many searches and trees that have just begun, and long ones; more wait. */
  readonly maxWalks: number;
  /** How long one list, search or tree may take, in milliseconds. */
  readonly maxWalkMs: number;
  /** Pictures that are remembered, so that coordinates can be those of one. */
  readonly maxFrames: number;
  /** Largest file of an image that is searched for, in bytes. */
  readonly maxImageBytes: number;
  /** Most pixels of it; a small file can hold a picture that fills the memory. */
  readonly maxImagePixels: number;
  /** How long running requests may go on after a signal to stop, in milliseconds. */
  readonly shutdownGraceMs: number;
  /** Commands that run at once, background ones included. */
  readonly maxCommands: number;
  /** Commands that may wait until another one ends. */
  readonly maxWaitingCommands: number;
  /** How long a command waits for its start, in milliseconds. */
  readonly commandWaitMs: number;
  /** Longest `timeout` of a command, in milliseconds. */
  readonly maxCommandTimeoutMs: number;
  /** Bytes of output that are kept from the start of each process. */
  readonly keptHeadBytes: number;
  /** Bytes of output that are kept from the end of each process. */
  readonly keptTailBytes: number;
  /** Processes that have ended and whose output can still be read. */
  readonly maxEndedProcesses: number;
  /** Memory for the output and the texts of all ended processes together, in bytes. */
  readonly maxEndedBytes: number;
  /** How long a process that has ended can be read, in milliseconds. */
  readonly keepEndedMs: number;
  /** How long output is read on after the shell has ended and others hold its pipe, in milliseconds. */
  readonly drainMs: number;
  /** How long a process that was asked to end may take before it is killed, in milliseconds. */
  readonly killAfterMs: number;
  /** By how much the priority of commands is below that of the service, in steps of `nice`. */
  readonly commandNice: number;
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  maxBodyBytes: 16 * 1024 * 1024,
  maxConnections: 1_024,
  maxConnectionsPerAddress: 512,
  headerTimeoutMs: 10_000,
  bodyTimeoutMs: 60_000,
  writeTimeoutMs: 60_000,
  idleTimeoutMs: 120_000,
  maxTextLength: 100_000,
  maxTypingDelayMs: 10_000,
  maxDurationMs: 300_000,
  maxWaitingInput: 1_000,
  maxHoldMs: 10 * 60 * 1000,
  keymapSettleMs: 100,
  modifierWaitMs: 2_000,
  focusWaitMs: 3_000,
  maxSecretBytes: 64 * 1024,
  maxWrongTries: 5,
  wrongTryDelayMs: 1_000,
  maxWrongTryDelayMs: 30_000,
  keychainTimeoutMs: 10_000,
  maxEditBytes: 256 * 1024 * 1024,
  maxViewBytes: 8 * 1024 * 1024,
  maxReplacements: 10_000_000,
  maxUndoBytes: 64 * 1024 * 1024,
  maxReadBytes: 8 * 1024 * 1024,
  maxSearchResults: 10_000,
  maxTreeEntries: 1_000_000,
  maxWalks: 4,
  maxWalkMs: 10 * 60 * 1000,
  maxFrames: 256,
  maxImageBytes: 64 * 1024 * 1024,
  maxImagePixels: 50_000_000,
  shutdownGraceMs: 5_000,
  maxCommands: 64,
  maxWaitingCommands: 1_000,
  commandWaitMs: 60_000,
  maxCommandTimeoutMs: 3_600_000,
  keptHeadBytes: 64 * 1024,
  keptTailBytes: 1024 * 1024,
  maxEndedProcesses: 1_000,
  maxEndedBytes: 128 * 1024 * 1024,
  keepEndedMs: 3_600_000,
  drainMs: 300,
  killAfterMs: 3_000,
  commandNice: 10,
});
