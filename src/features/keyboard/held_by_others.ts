/**
 * Waits until a person releases held modifiers, which would alter every key, and refuses after a
 * timeout.
 */

import { ServiceError } from "../../core/errors.ts";
import type { Limits } from "../../config/limits.ts";
import type { Turn } from "../input/input_turn.ts";
import type { DisplaySession } from "../session.ts";

const POLL_MS = 10;

/**
 * Returns `undefined` if no modifier is known to be held by others; otherwise waits for the
 * release.
 * @throws ServiceError `conflict` when one is still down after `modifierWaitMs`.
 */
export function awaitOthers(
  displaySession: DisplaySession,
  turn: Turn,
  limits: Limits,
): void | Promise<void> {
  const { heldByOthers } = displaySession.keyboard;
  if (!heldByOthers.ready || !heldByOthers.use.seen()) return;
  return waitForRelease(displaySession, turn, limits);
}

/** Like {@link awaitOthers}, but queries the system instead of relying on its earlier reports. */
export async function waitForRelease(
  displaySession: DisplaySession,
  turn: Turn,
  limits: Limits,
): Promise<void> {
  const { heldByOthers } = displaySession.keyboard;
  if (!heldByOthers.ready) return; // without this information, keys are sent with whatever is held
  const end = performance.now() + limits.modifierWaitMs;
  for (;;) {
    const names = await heldByOthers.use.modifiers();
    if (names.length === 0) return;
    if (performance.now() >= end) {
      throw new ServiceError(
        "conflict",
        `Nothing was typed: somebody holds down ${
          names.map((name) => `"${name}"`).join(" and ")
        }; release it, or call /api/system/release-all if no person does`,
      );
    }
    await turn.pause(POLL_MS);
  }
}
