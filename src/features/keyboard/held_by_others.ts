/** A modifier that a person holds down would change every key: wait for its release, then refuse. */

import { ServiceError } from "../../core/errors.ts";
import type { Limits } from "../../config/limits.ts";
import type { Turn } from "../input/input_turn.ts";
import type { DisplaySession } from "../session.ts";

const POLL_MS = 10;

/**
 * Returns nothing where nobody else has been seen to hold a modifier; else waits for its release.
 * @throws ServiceError `conflict` when it is still down after `modifierWaitMs`.
 */
export function awaitOthers(
  displaySession: DisplaySession,
  turn: Turn,
  limits: Limits,
): void | Promise<void> {
  const { heldByOthers } = displaySession.input.keyboard;
  if (!heldByOthers.ready || !heldByOthers.use.seen()) return;
  return waitForRelease(displaySession, turn, limits);
}

/** The same, asking the system instead of relying on what it told so far. */
export async function waitForRelease(
  displaySession: DisplaySession,
  turn: Turn,
  limits: Limits,
): Promise<void> {
  const { heldByOthers } = displaySession.input.keyboard;
  if (!heldByOthers.ready) return; // every key is pressed with what is down
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
