/** Runs an input operation: opens the display, waits for its turn, sends, and waits until the system has processed it. */

import type { Context } from "./operation.ts";
import type { Turn } from "./input_turn.ts";
import type { Desk } from "./session.ts";

/** What an input operation does with its turn; returning at once (no promise) is the fast way. */
export type SendInput = (desk: Desk, turn: Turn) => void | Promise<void>;

/**
 * Runs `send` when it is this operation's turn on display `displayNum`.
 * The turn ends when `send` has returned: the next operation may send while this one is confirmed.
 */
export function withInput(context: Context, displayNum: number, send: SendInput): Promise<void> {
  const desk = context.session.desk(displayNum);
  return desk instanceof Promise
    ? desk.then((opened) => runTurn(context, opened, send))
    : runTurn(context, desk, send);
}

function runTurn(context: Context, desk: Desk, send: SendInput): Promise<void> {
  const sent = desk.turn.run(context, (turn) => send(desk, turn));
  return sent instanceof Promise ? sent.then(() => desk.input.confirm()) : desk.input.confirm();
}
