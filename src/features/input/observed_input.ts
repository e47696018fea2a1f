/**
 * Runs an input operation, and finds out what effect it had where the request asks for it. Without
 * that the operation is sent as ever.
 */

import { ServiceError } from "../../core/errors.ts";
import type { Handover, Point, Recipient, Recording } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { redactTexts } from "../secrets/redact_texts.ts";
import type { DisplaySession } from "../session.ts";
import { awaitPlaced, withKeys } from "./after_click.ts";
import type { Effect } from "./effect.ts";
import type { Turn } from "./input_turn.ts";
import { confirmInput, type SendInput, withInput } from "./with_input.ts";

/** Where the input goes, and whether its effect is asked for. */
export interface InputTarget {
  readonly display_num: number;
  readonly effect?: boolean | undefined;
}

/** {@link withInput}; resolves with the effect if that is asked for. */
export function sendInput(
  context: Context,
  { display_num, effect }: InputTarget,
  send: SendInput,
): Promise<Effect | void> {
  if (!effect) return withInput(context, display_num, send);
  return observe(context, (body) => withInput(context, display_num, body), { send, judge });
}

/** {@link withKeys}; resolves with the effect if that is asked for. */
export function sendKeys(
  context: Context,
  { display_num, effect }: InputTarget,
  send: SendInput,
): Promise<Effect | void> {
  if (!effect) return withKeys(context, display_num, send);
  return observe(context, (body) => withKeys(context, display_num, body), { send, judge });
}

/**
 * {@link withInput} for an operation that moves the cursor and presses nothing: its effect is where
 * the cursor is.
 */
export function sendCursor(
  context: Context,
  { display_num, effect }: InputTarget,
  { to, send }: {
    readonly to: (displaySession: DisplaySession) => Point;
    readonly send: SendInput;
  },
): Promise<Effect | void> {
  if (!effect) return withInput(context, display_num, send);
  return observe(context, (body) => withInput(context, display_num, body), {
    send,
    judge: async (observed) => await judgeCursor(observed, to(observed.displaySession)),
  });
}

interface Observed {
  readonly displaySession: DisplaySession;
  /** What became of the input; why that is not known, where it is not. */
  readonly handover: Handover | string;
}

interface Watch {
  readonly send: SendInput;
  /** Begins in the turn, and may go on after it. */
  readonly judge: (observed: Observed) => Promise<Effect>;
}

async function observe(
  context: Context,
  run: (body: SendInput) => Promise<void>,
  { send, judge }: Watch,
): Promise<Effect> {
  let judging: Promise<Effect> | undefined;
  await run(async (displaySession, turn) => {
    const recording = await turn.until(startRecording(displaySession));
    await using _ended = typeof recording === "string" ? undefined : recording;
    await send(displaySession, turn);
    await turn.until(confirmInput(displaySession));
    const handover = typeof recording === "string"
      ? recording
      : await awaitHandover(displaySession, { recording, turn, context });
    judging = judge({ displaySession, handover });
    judging.catch(() => {}); // awaited after the turn
  });
  return await redactWindow(context, await judging!);
}

/** The title of a window can have a value of the keychain. */
async function redactWindow(context: Context, effect: Effect): Promise<Effect> {
  if (effect.window === undefined) return effect;
  const { shown: [window] } = await redactTexts(context, [effect.window]);
  return { ...effect, window: window! };
}

/** The recording, or why there is none. */
async function startRecording({ display }: DisplaySession): Promise<Recording | string> {
  const { recipients } = display;
  if (!recipients.ready) return recipients.reason;
  try {
    return await recipients.use.record();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unsupported") return error.message;
    throw error;
  }
}

async function awaitHandover(
  displaySession: DisplaySession,
  { recording, turn, context }: { recording: Recording; turn: Turn; context: Context },
): Promise<Handover | string> {
  try {
    await awaitPlaced(displaySession, { turn, limits: context.config.limits });
  } catch (error) {
    turn.signal.throwIfAborted();
    if (!(error instanceof ServiceError && error.code === "conflict")) throw error;
    return "A window manager holds the click back, and has not handed it on";
  }
  return await turn.until(recording.finish());
}

async function judge({ handover }: Observed): Promise<Effect> {
  if (typeof handover === "string") return unverified(handover);
  switch (handover.outcome) {
    case "nothing":
      return unverified(NOTHING);
    case "none":
      return unverified(NO_PROGRAM);
    case "some":
      return unverified(`A program got ${handover.taken} of ${handover.sent} presses`);
    case "untold":
      return unverified(handover.reason);
    case "taken":
      return await judgeRecipient(handover.recipient);
  }
}

const NOTHING = "No event was generated: what was to be pressed or released was so already, or " +
  "the device is switched off";
const NO_PROGRAM = "No program got it: no window there, or with the keyboard focus, takes such " +
  "input";

const NO_WINDOW = "No window is there: only what manages the desktop got it";

async function judgeRecipient({ title, ask }: Recipient): Promise<Effect> {
  const answer = await ask();
  if (answer === "desktop") return unverified(NO_WINDOW);
  if (answer === "silent") return unverified("A program got it that does not answer", title);
  return confirmed(answer === "handled" ? "program" : "server", TAKEN[answer], title);
}

const TAKEN = {
  handled: "The program has handled everything that it was sent",
  closed: "The window that got it has been closed since",
  mute: "The program that got it has no way to say that it has handled it",
} as const;

async function judgeCursor({ displaySession, handover }: Observed, to: Point): Promise<Effect> {
  const at = await displaySession.input.mouse.position();
  if (at.x !== to.x || at.y !== to.y) {
    return unverified(`The cursor is at ${at.x}, ${at.y}: a person or a program has moved it`);
  }
  const place = `The cursor is at ${at.x}, ${at.y}`;
  const recipient = typeof handover === "object" && handover.outcome === "taken"
    ? handover.recipient
    : undefined;
  if (recipient !== undefined && await recipient.ask() === "handled") {
    return confirmed("program", `${place}, and the program there has handled it`, recipient.title);
  }
  return confirmed("server", place, recipient?.title);
}

function confirmed(by: "server" | "program", reason: string, window?: string): Effect {
  return {
    effect: "confirmed",
    by,
    reason: `${reason}.`,
    ...(window === undefined ? {} : { window }),
  };
}

function unverified(reason: string, window?: string): Effect {
  return {
    effect: "unverified",
    reason: `${reason}.`,
    ...(window === undefined ? {} : { window }),
  };
}
