/** The bounds that an operator can change, with their defaults: each has a flag and is listed by `GET /api/system/info`. */

export interface Limits {
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number;
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
  /** How long running requests may go on after a signal to stop, in milliseconds. */
  readonly shutdownGraceMs: number;
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  maxBodyBytes: 16 * 1024 * 1024,
  maxTextLength: 100_000,
  maxTypingDelayMs: 10_000,
  maxDurationMs: 60_000,
  maxWaitingInput: 1_000,
  maxHoldMs: 10 * 60 * 1000,
  keymapSettleMs: 100,
  modifierWaitMs: 2_000,
  shutdownGraceMs: 5_000,
});
