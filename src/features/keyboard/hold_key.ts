/** Holds keys beyond the request that pressed them. */

import type { Context } from "../context.ts";
import type { Effect } from "../input/effect.ts";
import { type InputTarget, sendInput, sendKeys } from "../input/observed_input.ts";
import { requireKey } from "./chord.ts";

export interface HoldInput extends InputTarget {
  readonly key: string;
}

/**
 * Presses a key until {@link releaseKey}, release-all, the hold time limit, the end of the context's
 * holder or the end of the service.
 */
export async function holdKey(context: Context, target: HoldInput): Promise<Effect | null> {
  const key = requireKey(target.key, "key");
  let forget = () => {};
  try {
    const effect = await sendKeys(context, target, async (displaySession) => {
      const { input, keyboard, held } = displaySession;
      await keyboard.prepare([key]);
      if (!held.hasKey(key)) {
        keyboard.press(key);
        forget = () => held.removeKey(key);
      }
      const release = () => {
        held.removeKey(key);
        keyboard.release(key);
        input.confirm().catch(() => {}); // a closed display holds nothing down
      };
      held.addKey(key, { release, holder: context.holder });
      context.holder?.note(displaySession);
    });
    return effect ?? null;
  } catch (error) {
    forget(); // the system did not press the key
    throw error;
  }
}

/** Releases a held key; does nothing if the key is not held. */
export async function releaseKey(context: Context, target: HoldInput): Promise<Effect | null> {
  const key = requireKey(target.key, "key");
  const effect = await sendInput(context, target, ({ keyboard, held }) => {
    if (!held.hasKey(key)) return;
    held.removeKey(key);
    keyboard.release(key);
  });
  return effect ?? null;
}

/** The names of the held keys as they were given, in order of pressing. */
export async function listHeldKeys(
  { session }: Context,
  { display_num }: { display_num: number },
): Promise<string[]> {
  const { held } = await session.displaySession(display_num);
  return held.keys.map((key) => key.name);
}
