/**
 * Waits for a stored value within a turn of the display: the turn is kept, but only for a limited
 * time.
 */

import { inTime, unlessAborted } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Limits } from "../../config/limits.ts";
import type { Turn } from "./input_turn.ts";

/**
 * Resolves with a look-up that was started when the request arrived.
 * @throws ServiceError `unavailable` when the keychain takes too long, `conflict` when the turn is
 * ended.
 */
export async function lookedUp<T>(
  lookUp: Promise<T>,
  turn: Turn,
  { keychainTimeoutMs }: Pick<Limits, "keychainTimeoutMs">,
): Promise<T> {
  const answer = unlessAborted(lookUp, turn.signal);
  return await inTime(answer, keychainTimeoutMs, () => late(keychainTimeoutMs));
}

function late(timeoutMs: number): ServiceError {
  return new ServiceError(
    "unavailable",
    `Nothing was typed: the keychain has not answered within ${timeoutMs} ms`,
  );
}
