/** Keys that follow a click wait until it has been delivered and the focus is where it put it. */

import { ServiceError } from "../../errors.ts";
import type { Limits } from "../../limits.ts";
import type { KeyTarget } from "../../platform/types.ts";
import type { Turn } from "../input_turn.ts";
import type { LastClick } from "./click_history.ts";
import type { Context } from "../operation.ts";
import type { Desk } from "../session.ts";
import { confirmInput, type SendInput, withInput } from "../with_input.ts";

/** What a clicked window that cannot be asked is given to take the keyboard; many never do (panels, docks). */
const FOCUS_MS = 100;
/** Between two looks; each time longer, up to the second. */
const LOOK_MS = { first: 1, most: 8 };

/** {@link withInput} for keys: `send` runs when the last click can no longer be overtaken. */
export function withKeys(context: Context, displayNum: number, send: SendInput): Promise<void> {
  return withInput(context, displayNum, (desk, turn) => {
    const waiting = awaitClick(desk, turn, context.config.limits);
    return waiting ? waiting.then(() => send(desk, turn)) : send(desk, turn);
  });
}

/**
 * Returns nothing where no click is to be waited for; otherwise keys may be sent when it resolves.
 * @throws ServiceError `conflict` when the click is not delivered within `focusWaitMs`.
 */
export function awaitClick(
  desk: Desk,
  turn: Turn,
  limits: Pick<Limits, "focusWaitMs">,
): void | Promise<void> {
  const click = desk.clicks.last;
  if (click !== undefined && !click.settled) return settle(desk, click, { turn, limits });
}

async function settle(
  desk: Desk,
  click: LastClick,
  { turn, limits }: { readonly turn: Turn; readonly limits: Pick<Limits, "focusWaitMs"> },
): Promise<void> {
  const target = await awaitDelivery(desk, turn, limits);
  const asked = target !== "unknown" && await turn.until(desk.display.clickHandled());
  if (target !== "unknown" && !asked) {
    await lookUntil(desk, turn, {
      clicked: undefined,
      enough: (target) => target === "clicked" || performance.now() >= click.time + FOCUS_MS,
    });
  }
  click.settled = true;
}

/** Where keys go as soon as the last click has been delivered. */
async function awaitDelivery(
  desk: Desk,
  turn: Turn,
  { focusWaitMs }: Pick<Limits, "focusWaitMs">,
): Promise<KeyTarget> {
  const button = desk.clicks.last?.button;
  const clicked = button !== undefined && desk.held.hasButton(button) ? undefined : button;
  await confirmInput(desk);
  const deadline = performance.now() + focusWaitMs;
  const target = await lookUntil(desk, turn, {
    clicked,
    enough: (target) => target !== "held back" || performance.now() >= deadline,
  });
  if (target !== "held back") return target;
  throw new ServiceError(
    "conflict",
    `No key was pressed: the click before has not been delivered within ${focusWaitMs} ms; the window ` +
      "manager holds it back, or somebody holds the button down: release it, or call /api/system/release-all",
  );
}

async function lookUntil(
  desk: Desk,
  turn: Turn,
  { clicked, enough }: {
    readonly clicked: LastClick["button"] | undefined;
    readonly enough: (target: KeyTarget) => boolean;
  },
): Promise<KeyTarget> {
  for (let pause = LOOK_MS.first;; pause = Math.min(LOOK_MS.most, 2 * pause)) {
    const target = await desk.display.keyTarget(clicked);
    if (enough(target)) return target;
    await turn.pause(pause);
  }
}
