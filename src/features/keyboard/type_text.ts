/** Typing a text: everything is planned before the first key, then sent in groups. */

import type { Keyboard, TextPlan } from "../../platform/types.ts";
import type { Turn } from "../input_turn.ts";
import type { Context } from "../operation.ts";
import type { Desk } from "../session.ts";
import { withInput } from "../with_input.ts";
import { waitForRelease } from "./foreign_modifiers.ts";

export interface TypeInput {
  readonly text: string;
  readonly typing_delay: number;
  readonly typing_group_size: number;
  readonly display_num: number;
}

/**
 * Types `text`. A client that goes away, and release-all, stop it between two groups.
 * @throws ValueFault on `text` when a character cannot be typed; then nothing was typed.
 */
export async function typeText(context: Context, input: TypeInput): Promise<null> {
  await withInput(context, input.display_num, async (desk, turn) => {
    await waitForRelease(desk, turn, context.config.limits);
    const { keyboard } = desk.input;
    await using plan = await keyboard.plan(input.text);
    if (plan.length === 0) return;
    const held = desk.held.keys;
    for (const key of [...held].reverse()) keyboard.release(key);
    try {
      await sendInGroups(desk, plan, { ...input, turn });
    } finally {
      await pressAgain(keyboard, desk, held);
    }
  });
  return null;
}

interface Pace {
  readonly typing_delay: number;
  readonly typing_group_size: number;
  readonly turn: Turn;
}

async function sendInGroups(desk: Desk, plan: TextPlan, pace: Pace): Promise<void> {
  const { turn } = pace;
  const slice = Math.min(plan.sliceSize, pace.typing_group_size);
  for (let start = 0; start < plan.length; start += slice) {
    turn.signal.throwIfAborted();
    const end = Math.min(plan.length, start + slice);
    if (pace.typing_delay > 0) await sendSlowly(desk, plan, { start, end, ...pace });
    else {
      await plan.send(start, end);
      await desk.input.confirm(); // nothing piles up that release-all could not stop
    }
  }
}

/** One keystroke each `typing_delay` ms, by the clock, so that late timers do not add up. */
async function sendSlowly(
  desk: Desk,
  plan: TextPlan,
  { start, end, typing_delay, turn }: Pace & { start: number; end: number },
): Promise<void> {
  const begin = performance.now();
  for (let i = start; i < end; i++) {
    await plan.send(i, i + 1);
    await desk.input.confirm();
    if (i + 1 === plan.length) return;
    await turn.pause(Math.max(0, begin + (i - start + 1) * typing_delay - performance.now()));
  }
}

async function pressAgain(
  keyboard: Keyboard,
  desk: Desk,
  keys: Desk["held"]["keys"],
): Promise<void> {
  const still = keys.filter((key) => desk.held.hasKey(key));
  await keyboard.prepare(still);
  for (const key of still) keyboard.press(key);
}
