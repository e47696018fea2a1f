/** Runs an input operation: opens the display, waits for its turn, sends, and waits until the system has processed it. */

import type { Context } from "../context.ts";
import type { Turn } from "./input_turn.ts";
import type { Desk } from "../session.ts";

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

/**
 * Resolves when the system has processed everything that was sent so far, which is when the last click was made.
 * A failure is told to one caller only: an operation confirms once for all that it sent.
 */
export function confirmInput(desk: Desk): Promise<void> {
  const click = desk.clicks.last;
  const confirmed = desk.input.confirm();
  if (click?.confirmation === "none") {
    click.confirmation = "awaited";
    confirmed.then(() => {
      click.time = performance.now();
      click.confirmation = "done";
    }, () => {}); // told to whoever clicked
  }
  return confirmed;
}

/** The confirmation begins within the turn, so that nobody else is told what failed in it. */
function runTurn(context: Context, desk: Desk, send: SendInput): Promise<void> {
  let confirmed: Promise<void>;
  const confirm = () => {
    confirmed = confirmInput(desk);
    confirmed.catch(() => {}); // told below
  };
  const sent = desk.turn.run(context, (turn) => sendAll(desk, turn, { send, then: confirm }));
  return sent instanceof Promise ? sent.then(() => confirmed) : confirmed!;
}

/** What failed besides the error of `send` is not the next operation's. */
function sendAll(
  desk: Desk,
  turn: Turn,
  { send, then }: { readonly send: SendInput; readonly then: () => void },
): void | Promise<void> {
  const fail = (error: unknown): never => {
    desk.input.confirm().catch(() => {});
    throw error;
  };
  try {
    const sent = send(desk, turn);
    return sent instanceof Promise ? sent.then(then, fail) : then();
  } catch (error) {
    fail(error);
  }
}
