/** Holds keys beyond the request that pressed them. */

import type { Context } from "../context.ts";
import { withInput } from "../input/with_input.ts";
import { withKeys } from "../input/after_click.ts";
import { requireKey } from "./chord.ts";

export interface HoldInput {
  readonly key: string;
  readonly display_num: number;
}

/**
 * Presses a key until {@link releaseKey}, release-all, the hold time limit, the end of the context's
 * holder or the end of the service.
 */
export async function holdKey(context: Context, { key: name, display_num }: HoldInput) {
  const key = requireKey(name, "key");
  let forget = () => {};
  try {
    await withKeys(context, display_num, async (displaySession) => {
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
  } catch (error) {
    forget(); // the system did not press the key
    throw error;
  }
  return null;
}

/** Releases a held key; does nothing if the key is not held. */
export async function releaseKey(context: Context, { key: name, display_num }: HoldInput) {
  const key = requireKey(name, "key");
  await withInput(context, display_num, ({ keyboard, held }) => {
    if (!held.hasKey(key)) return;
    held.removeKey(key);
    keyboard.release(key);
  });
  return null;
}

/** The names of the held keys as they were given, in order of pressing. */
export async function listHeldKeys(
  { session }: Context,
  { display_num }: { display_num: number },
): Promise<string[]> {
  const { held } = await session.displaySession(display_num);
  return held.keys.map((key) => key.name);
}
