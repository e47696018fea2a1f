/** Gives an element the keyboard focus within the turn of an input operation. */

import type { Config } from "../../config/config.ts";
import type { Point } from "../../platform/types/mod.ts";
import { requireGroup } from "../switched_off.ts";
import { awaitClick } from "../input/after_click.ts";
import { clickOnDisplay } from "../input/send_click.ts";
import type { RefTarget, TextUse } from "./refs.ts";
import { askProgram, awaitInput, checkMouse, checkPress, type InTurn } from "./send_at.ts";

/**
 * Resolves when the element has the focus; keys may follow.
 * @param use the text that follows
 * @throws ServiceError as {@link RefTarget.focus}; `timed_out` when its program does not answer;
 * `forbidden` when it would need a click, and the group mouse is disabled
 */
export async function focusElement(
  { config }: { readonly config: Pick<Config, "disabled"> },
  target: Omit<RefTarget, "checkFocus">,
  inTurn: InTurn,
  use?: TextUse,
): Promise<void> {
  await awaitInput(inTurn);
  await askProgram(target, inTurn.turn, async (signal) => {
    await target.focus(signal, async (at) => {
      signal.throwIfAborted(); // after its turn it would click into that of another operation
      requireGroup(config, "mouse");
      await checkMouse(target, at, inTurn, "click");
      await clickAt(inTurn, at);
      await checkPress(target, inTurn);
    }, use);
  });
}

/**
 * Programs have handled all keys, and further ones reach the element: it, its window or its page can
 * have lost the keyboard at any key.
 * @throws ServiceError as {@link RefTarget.checkFocus}; `timed_out` when its program does not answer
 */
export async function checkFocus(target: RefTarget, inTurn: InTurn): Promise<void> {
  const { displaySession: { display: { delivery } }, turn } = inTurn;
  if (delivery.ready) await turn.until(delivery.use.keysHandled());
  await askProgram(target, turn, (signal) => target.checkFocus(signal));
}

async function clickAt({ displaySession, turn, limits }: InTurn, at: Point): Promise<void> {
  await clickOnDisplay(displaySession, { point: at, button: "left", times: 1 }, { turn, limits });
  await awaitClick(displaySession, turn, limits);
}
