/** Holds modifiers during a mouse action. */

import type { Limits } from "../../config/limits.ts";
import type { Key } from "../../platform/types/mod.ts";
import type { Turn } from "../input/input_turn.ts";
import { pressAll, releaseAll } from "../keyboard/chord.ts";
import type { DisplaySession } from "../session.ts";
import { awaitClick, awaitHandled } from "../input/after_click.ts";

export interface ModifierOptions {
  readonly modifiers: readonly Key[];
  readonly turn: Turn;
  readonly limits: Pick<Limits, "focusWaitMs">;
}

/**
 * Runs `act` with modifiers down. They go down when an earlier click has been delivered, and up
 * when the programs have what `act` sent: an event that is held back gets the modifiers at the time
 * of its delivery.
 */
export async function withModifiers(
  displaySession: DisplaySession,
  { modifiers, turn, limits }: ModifierOptions,
  act: () => void | Promise<void>,
): Promise<void> {
  if (modifiers.length === 0) return await act();
  await awaitClick(displaySession, turn, limits);
  await displaySession.keyboard.prepare(modifiers);
  const pressed: Key[] = [];
  try {
    pressAll(displaySession, modifiers, pressed);
    const acting = act();
    if (acting) await acting;
    const handling = awaitHandled(displaySession, turn, limits);
    if (handling) await handling;
  } finally {
    releaseAll(displaySession, pressed);
  }
}
