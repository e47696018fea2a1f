/** What is known about the effect of an input operation, as a request wants it by `effect`. */

import { z } from "zod";
import { inTime, unlessAborted } from "../../core/deadline.ts";
import { hasCode, ServiceError } from "../../core/errors.ts";
import type {
  DeliveryStatus,
  DeliveryTracking,
  Point,
  TargetWindow,
} from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { json, noContent } from "../operation.ts";
import { cutText } from "../../core/texts.ts";
import { redactText } from "../secrets/redact_texts.ts";
import type { DisplaySession } from "./display_sessions.ts";
import { awaitClickDelivered, withKeys } from "./clicks.ts";
import { confirmInput, type LeasedInput, type SendInput, withInput } from "./with_input.ts";

export const EffectField = z.boolean().default(false).describe(
  "If true, the answer reports what is known about the effect; it then takes longer, up to a second if a program does not respond.",
);

const Reason = z.string().max(1_000).describe("The reason, or what is unknown, in one sentence.");
const Window = z.string().max(400).optional().describe(
  "The title of the window that received the input, or the last part of it.",
);

export const Effect = z.discriminatedUnion("effect", [
  z.object({
    effect: z.literal("confirmed"),
    by: z.enum(["server", "program"]).describe(
      "`program`: the program that received the input reports that it has handled it. `server`: the X server, or the system, has performed it; whether a program has handled it is unknown.",
    ),
    reason: Reason,
    window: Window,
  }),
  z.object({
    effect: z.literal("unverified").describe(
      "The input was sent, but no effect was observed, or it is known to have had none.",
    ),
    reason: Reason,
    window: Window,
  }),
]).describe("The effect of the input, as far as it is known.");

export type Effect = Readonly<z.output<typeof Effect>>;

/** The answers of an operation that has nothing to report but its effect. */
export function doneOrEffect(description: string) {
  return {
    oneOf: {
      done: noContent(description),
      effect: json(
        `${description} With \`effect\`, the answer reports what is known about the effect.`,
        Effect,
      ),
    },
  } as const;
}

type DoneOrEffect =
  | { readonly outcome: "done" }
  | { readonly outcome: "effect"; readonly body: Effect };

const DONE = { outcome: "done" } as const;

/** Names the answer of {@link doneOrEffect} that the operation gives. */
export function answerEffect<C, I>(
  run: (context: C, input: I) => Promise<Effect | void> | Effect | void,
): (context: C, input: I) => Promise<DoneOrEffect> | DoneOrEffect {
  return (context, input) => {
    const running = run(context, input);
    return running instanceof Promise ? running.then(nameAnswer) : nameAnswer(running);
  };
}

function nameAnswer(effect: Effect | void): DoneOrEffect {
  return effect ? { outcome: "effect", body: effect } : DONE;
}

// Runs an input operation, and finds out what effect it had where the request wants it. Without
// that the operation is sent as ever.

/** Where the input goes, and whether its effect is requested. */
export interface InputTarget {
  readonly display_num: number;
  readonly effect?: boolean | undefined;
}

/** {@link withInput}; resolves with the effect if that is requested. */
export function sendInput(
  context: Context,
  target: InputTarget,
  send: SendInput,
): Promise<Effect | void> {
  return sendThrough(context, target, { through: withInput, send, judge });
}

/** {@link withKeys}; resolves with the effect if that is requested. */
export function sendKeys(
  context: Context,
  target: InputTarget,
  send: SendInput,
): Promise<Effect | void> {
  return sendThrough(context, target, { through: withKeys, send, judge });
}

/**
 * {@link withInput} for an operation that moves the cursor and presses nothing: its effect is where
 * the cursor is.
 */
export function sendCursor(
  context: Context,
  target: InputTarget,
  { to, send }: {
    readonly to: (displaySession: DisplaySession) => Point;
    readonly send: SendInput;
  },
): Promise<Effect | void> {
  const judge = (observed: Observed) => judgeCursor(observed, to(observed.displaySession));
  return sendThrough(context, target, { through: withInput, send, judge });
}

interface Observed {
  readonly displaySession: DisplaySession;
  /** What became of the input; why that is not known, where it is not. */
  readonly deliveryStatus: DeliveryStatus | string;
}

interface Sending {
  readonly through: (context: Context, displayNum: number, send: SendInput) => Promise<void>;
  readonly send: SendInput;
  /** Begins while the lock is held, and may go on after it. */
  readonly judge: (observed: Observed) => Promise<Effect>;
}

async function sendThrough(
  context: Context,
  { display_num, effect }: InputTarget,
  { through, send, judge }: Sending,
): Promise<Effect | void> {
  if (!effect) return await through(context, display_num, send);
  let judging: Promise<Effect> | undefined;
  await through(context, display_num, async (leased) => {
    const { displaySession, lease } = leased;
    const tracking = await lease.until(startTracking(displaySession));
    await using _ended = typeof tracking === "string" ? undefined : tracking;
    await send(leased);
    await lease.until(confirmInput(displaySession));
    const deliveryStatus = typeof tracking === "string"
      ? tracking
      : await awaitDeliveryStatus(leased, tracking);
    judging = judge({ displaySession, deliveryStatus });
    judging.catch(() => {}); // awaited after the lock is released
  });
  return await redactWindow(context, await judging!);
}

/** Characters of a title. */
const MAX_TITLE = 200;

/** The title of a window can have a value of the keychain. */
async function redactWindow(context: Context, effect: Effect): Promise<Effect> {
  if (effect.window === undefined) return effect;
  return { ...effect, window: cutText(await redactText(context, effect.window), MAX_TITLE) };
}

/** The tracking, or why there is none. */
async function startTracking({ display }: DisplaySession): Promise<DeliveryTracking | string> {
  const { deliveryTracker } = display;
  if (!deliveryTracker.ready) return deliveryTracker.reason;
  try {
    return await deliveryTracker.use.track();
  } catch (error) {
    if (hasCode(error, "unsupported")) return error.message;
    throw error;
  }
}

async function awaitDeliveryStatus(
  leased: LeasedInput,
  tracking: DeliveryTracking,
): Promise<DeliveryStatus | string> {
  const { lease } = leased;
  try {
    await awaitClickDelivered(leased);
  } catch (error) {
    lease.signal.throwIfAborted();
    if (!hasCode(error, "conflict")) throw error;
    return "A window manager holds the click back and has not delivered it";
  }
  return await lease.until(tracking.finish());
}

async function judge({ deliveryStatus }: Observed): Promise<Effect> {
  if (typeof deliveryStatus === "string") return unverified(deliveryStatus);
  switch (deliveryStatus.status) {
    case "nothing":
      return unverified(NOTHING);
    case "none":
      return unverified(NO_PROGRAM);
    case "some":
      return unverified(
        `A program received ${deliveryStatus.taken} of ${deliveryStatus.sent} presses`,
      );
    case "unknown":
      return unverified(deliveryStatus.reason);
    case "taken":
      return await judgeTargetWindow(deliveryStatus.targetWindow);
  }
}

const NOTHING = "No event was generated: the key or button was already in that state, or " +
  "the device is disabled";
const NO_PROGRAM =
  "No program received it: no window at that position, or with the keyboard focus, accepts such " +
  "input";

const NO_WINDOW = "There is no window at that position: only the desktop received it";

async function judgeTargetWindow({ title, ask }: TargetWindow): Promise<Effect> {
  const answer = await ask();
  if (answer === "desktop") return unverified(NO_WINDOW);
  if (answer === "unresponsive") {
    return unverified("The program that received it does not respond", title);
  }
  return confirmed(answer === "handled" ? "program" : "server", TAKEN[answer], title);
}

const TAKEN = {
  handled: "The program has handled everything that it was sent",
  closed: "The window that received it has been closed since",
  mute: "The program that received it cannot report whether it has handled it",
} as const;

async function judgeCursor(
  { displaySession, deliveryStatus }: Observed,
  to: Point,
): Promise<Effect> {
  const at = await displaySession.input.mouse.position();
  if (at.x !== to.x || at.y !== to.y) {
    return unverified(`The cursor is at ${at.x}, ${at.y}: a person or a program has moved it`);
  }
  const position = `The cursor is at ${at.x}, ${at.y}`;
  const targetWindow = typeof deliveryStatus === "object" && deliveryStatus.status === "taken"
    ? deliveryStatus.targetWindow
    : undefined;
  if (targetWindow !== undefined && await targetWindow.ask() === "handled") {
    return confirmed(
      "program",
      `${position}, and the program there has handled it`,
      targetWindow.title,
    );
  }
  return confirmed("server", position, targetWindow?.title);
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

// Waits for a stored value while the input lock is held, but only for a limited time.

/**
 * Resolves with a look-up that was started when the request arrived.
 * @throws ServiceError `unavailable` when the keychain takes too long, `conflict` when the lease is
 * ended.
 */
export async function awaitLookUp<T>(
  lookUp: Promise<T>,
  { displaySession: { limits: { keychainTimeoutMs } }, lease }: LeasedInput,
): Promise<T> {
  const answer = unlessAborted(lookUp, lease.signal);
  const late = `Nothing was typed: the keychain did not respond within ${keychainTimeoutMs} ms`;
  return await inTime(answer, keychainTimeoutMs, () => new ServiceError("unavailable", late));
}
