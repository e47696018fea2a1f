/** Runs an input operation: opens the display, waits for its turn, sends, and waits until the system has processed it. */

import type { Context } from "../context.ts";
import type { Turn } from "./input_turn.ts";
import type { DisplaySession } from "../session.ts";

/** What an input operation does with its turn; where it returns at once (no promise), so does the turn. */
export type SendInput = (displaySession: DisplaySession, turn: Turn) => void | Promise<void>;

/**
 * Runs `send` when it is this operation's turn on display `displayNum`.
 * The turn ends when `send` has returned: the next operation may send while this one is confirmed.
 */
export async function withInput(
  context: Context,
  displayNum: number,
  send: SendInput,
): Promise<void> {
  const displaySession = await context.session.displaySession(displayNum);
  const sent = await displaySession.turn.run(
    context,
    (turn) => sendAll(displaySession, turn, send),
  );
  await sent.confirmed;
}

/**
 * Resolves when the system has processed everything that was sent so far, which is when the last click was made.
 * A failure is told to one caller only: an operation confirms once for all that it sent.
 */
export function confirmInput(displaySession: DisplaySession): Promise<void> {
  const click = displaySession.clicks.last;
  const confirmed = displaySession.input.confirm();
  if (click?.confirmation === "none") {
    click.confirmation = "awaited";
    confirmed.then(() => {
      click.time = performance.now();
      click.confirmation = "done";
    }, () => {}); // told to whoever clicked
  }
  return confirmed;
}

interface Sent {
  readonly confirmed: Promise<void>;
}

/**
 * The one path without a promise: where `send` returns at once, the turn is over before another operation
 * can ask for it, and none has to wait in the queue. Of 32 moves at once each takes 12 µs; with a promise 14.5 µs.
 */
function sendAll(
  displaySession: DisplaySession,
  turn: Turn,
  send: SendInput,
): Sent | Promise<Sent> {
  try {
    const sending = send(displaySession, turn);
    return sending instanceof Promise
      ? awaitSent(displaySession, sending)
      : beginConfirming(displaySession);
  } catch (error) {
    return awaitSent(displaySession, Promise.reject(error));
  }
}

/** What failed besides the error of `sending` is not the next operation's. */
async function awaitSent(displaySession: DisplaySession, sending: Promise<void>): Promise<Sent> {
  try {
    await sending;
  } catch (error) {
    displaySession.input.confirm().catch(() => {});
    throw error;
  }
  return beginConfirming(displaySession);
}

/** Within the turn, so that no other is told what failed in it. */
function beginConfirming(displaySession: DisplaySession): Sent {
  const confirmed = confirmInput(displaySession);
  confirmed.catch(() => {}); // told to the operation, which awaits it after its turn
  return { confirmed };
}
