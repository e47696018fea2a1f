/** Types a text: plans every key before sending the first one, then sends them in groups. */

import { z } from "zod";
import type { Config } from "../../../config/config.ts";
import { FieldError, ServiceError } from "../../../core/errors.ts";
import { requireCapability } from "../../../platform/capability.ts";
import type { Key, Keyboard, System, TextPlan } from "../../../platform/types/mod.ts";
import type { Context } from "../../context.ts";
import { awaitText } from "../clicks.ts";
import { awaitLookUp, type Effect, type InputTarget, sendKeys } from "../effect.ts";
import type { LeasedInput } from "../with_input.ts";
import { readSecret, type SecretName } from "../../secrets/stored.ts";
import type { DisplaySession } from "../display_sessions.ts";
import type { RefTarget } from "../targets/refs.ts";
import {
  checkFocus,
  findTarget,
  focusElement,
  hideField,
  requestProgram,
} from "../targets/send_at.ts";
import { chordKeys, prepareKeys, sendChord, waitForRelease } from "./press.ts";

/** The speed of typing. */
interface TypingPace {
  /** Milliseconds between two keystrokes. */
  readonly typing_delay: number;
  readonly typing_group_size: number;
}

export const DEFAULT_PACE: TypingPace = Object.freeze({ typing_delay: 12, typing_group_size: 50 });

/** Exactly one of `text` and `secret` is present. */
interface TypeInput extends TypingPace, InputTarget {
  readonly text?: string | undefined;
  readonly secret?: SecretName | undefined;
  /** Whether to empty the focused field first. */
  readonly clear: boolean;
  readonly method: TypingMethod;
  /** The element that gets the focus first. */
  readonly ref?: string | undefined;
}

/** `auto`: by keys, and through the clipboard where no key has a character. */
type TypingMethod = "auto" | "keys" | "paste";

/**
 * Types `text`, or a stored value. A disconnecting client or release-all stops it between two
 * keys where there is a delay between them, else between two groups.
 * @throws FieldError on `text` or `secret` when a character cannot be typed; nothing has been typed
 * then.
 */
export async function typeText(context: Context, input: TypeInput): Promise<Effect | null> {
  const { secret, text, typing_delay, typing_group_size, clear, method } = input;
  const how = { typing_delay, typing_group_size, clear, method };
  if (method === "paste") {
    if (secret !== undefined) throw new FieldError("method", SECRET_NOT_PASTED);
    checkMayPaste(context.config);
  }
  const effect = await (secret === undefined
    ? sendKeysTo(
      context,
      input,
      (leased, target) => typeOnDisplay(context, { ...leased, text: text!, target, ...how }),
    )
    : typeSecret(context, secret, { how, input }));
  return effect ?? null;
}

/**
 * {@link sendKeys} to the element of the request, if it names one.
 * @param before runs with the lease, before that element gets the focus
 */
function sendKeysTo(
  context: Context,
  { ref, secret, display_num, effect }: TypeInput,
  send: (leased: LeasedInput, target: RefTarget | undefined) => Promise<void>,
  before?: (leased: LeasedInput) => Promise<void>,
): Promise<Effect | void> {
  const target = ref === undefined
    ? undefined
    : findTarget(context, ref, { displayNum: display_num });
  const there = { display_num: target?.displayNum ?? display_num, effect };
  return sendKeys(context, there, async (leased) => {
    await before?.(leased);
    const use = secret === undefined ? "text" : "secret";
    if (target) await focusElement(context, target, leased, use);
    await send(leased, target);
  });
}

/**
 * Joins the queue immediately, as for a text, and looks the value up in the meantime. The element
 * gets the focus only then: the keychain may ask its user, whose window takes the focus.
 */
function typeSecret(
  context: Context,
  secret: SecretName,
  { how, input }: {
    readonly how: TypingPace & Pick<TypeInput, "clear" | "method">;
    readonly input: TypeInput;
  },
): Promise<Effect | void> {
  const lookUp = readSecret(context, secret, "secret");
  lookUp.catch(() => {}); // reported while the lock is held, if it gets that far
  let text = "";
  const before = async (leased: LeasedInput) => {
    text = await awaitLookUp(lookUp, leased);
  };
  return sendKeysTo(context, input, async (leased, target) => {
    using _hidden = await hideField(context, target, leased);
    try {
      await typeOnDisplay(context, { ...leased, text, isSecret: true, target, ...how });
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      // the original error would reveal characters of the value
      throw new FieldError("secret", "Nothing was typed: the stored value cannot be typed here");
    }
  }, before);
}

/** What to type while an operation holds the lock. */
interface LeasedText extends TypingPace, LeasedInput {
  readonly text: string;
  readonly isSecret?: boolean;
  readonly clear: boolean;
  readonly method?: TypingMethod;
  /** The element that has the focus: nothing more is typed when it loses that. */
  readonly target?: RefTarget | undefined;
}

const SECRET_NOT_PASTED =
  "A stored value is never copied to the clipboard, where other programs can read it: use auto or keys";

/**
 * @throws FieldError on `text` when a character cannot be typed; nothing has been typed then.
 *   ServiceError `conflict` when the element loses the keyboard meanwhile
 */
export async function typeOnDisplay(
  context: Pick<Context, "config" | "platform">,
  { displaySession, lease, text, isSecret = false, clear, method = "auto", target, ...pace }:
    LeasedText,
): Promise<void> {
  const leased = { displaySession, lease };
  await waitForRelease(leased);
  if (isSecret && target?.enterSecret) {
    await requestProgram(target, lease, (signal) => target.enterSecret!(text, clear, signal));
    return;
  }
  const { keyboard } = displaySession;
  const isPasted = method === "paste" && text !== "";
  await using plan = await keyboard.plan(isPasted ? "" : text, {
    delayMs: pace.typing_delay,
    isSecret,
    keysOnly: method === "keys",
  });
  if (plan.length === 0 && !clear && !isPasted) return;
  const held = displaySession.held.keys;
  for (const key of [...held].reverse()) keyboard.release(key);
  try {
    if (clear || isPasted) await awaitText(leased);
    if (target) await checkFocus(target, leased);
    if (clear) {
      await sendCombinations(leased, context.platform.system === "macos" ? MACOS : ELSEWHERE);
      if (target) await checkFocus(target, leased);
    }
    if (isPasted) await pasteText(leased, text, context.platform.system);
    else await sendInGroups({ ...leased, target, isSecret }, plan, pace);
  } finally {
    displaySession.clicks.text.note();
    await pressAgain(keyboard, displaySession, held);
  }
}

interface Sending extends LeasedInput {
  readonly target: RefTarget | undefined;
  readonly isSecret: boolean;
}

/** The focus of an element is checked before each group, and before each key of a secret. */
async function sendInGroups(sending: Sending, plan: TextPlan, pace: TypingPace): Promise<void> {
  const { displaySession, lease, target, isSecret } = sending;
  const most = target && isSecret ? 1 : pace.typing_group_size;
  const slice = Math.min(plan.sliceSize, most);
  for (let start = 0; start < plan.length; start += slice) {
    lease.signal.throwIfAborted();
    if (target && start > 0) await checkFocus(target, sending);
    const end = Math.min(plan.length, start + slice);
    if (pace.typing_delay > 0) await sendSlowly(sending, plan, { start, end, ...pace });
    else {
      await plan.send(start, end, lease.signal);
      await displaySession.input.confirm(); // avoids a backlog that release-all could not stop
      await plan.check?.();
    }
  }
}

/**
 * Sends one keystroke every `typing_delay` ms, measured against the clock so that timer delays do
 * not accumulate.
 */
async function sendSlowly(
  { displaySession, lease }: Sending,
  plan: TextPlan,
  { start, end, typing_delay }: TypingPace & { start: number; end: number },
): Promise<void> {
  const begin = performance.now();
  for (let i = start; i < end; i++) {
    await plan.send(i, i + 1, lease.signal);
    await displaySession.input.confirm();
    await plan.check?.();
    if (i + 1 === plan.length) return;
    await lease.pause(Math.max(0, begin + (i - start + 1) * typing_delay - performance.now()));
  }
}

async function pressAgain(
  keyboard: Keyboard,
  displaySession: DisplaySession,
  keys: DisplaySession["held"]["keys"],
): Promise<void> {
  const isHeld = (key: Key) => displaySession.held.hasKey(key);
  await keyboard.prepare(keys.filter(isHeld));
  for (const key of keys.filter(isHeld)) keyboard.press(key); // others were released meanwhile
}

// Types a text by pasting it, and puts back what was on the clipboard.

/** @throws ServiceError `forbidden` when a flag keeps texts off the clipboard */
function checkMayPaste({ clipboardTyping, disabled }: Config): void {
  const flag = !clipboardTyping
    ? "--no-clipboard-typing"
    : disabled.has("clipboard")
    ? "--disable clipboard"
    : undefined;
  if (flag !== undefined) {
    throw new ServiceError("forbidden", `Nothing was typed: ${flag} forbids pasting text`);
  }
}

/** @throws ServiceError `conflict`: the program has not taken the text; `unsupported` */
async function pasteText(leased: LeasedInput, text: string, system: System): Promise<void> {
  const clipboard = requireCapability(leased.displaySession.display.clipboard);
  const shortcut = [system === "macos" ? "command" : "ctrl", "v"];
  await using pasting = clipboard.beginPasting(() => sendCombinations(leased, [shortcut]));
  await pasting.paste(text.replace(/\r\n?/g, "\n"), leased.lease.signal);
}

/** Sends them one after the other and leaves no key pressed. */
async function sendCombinations(
  leased: LeasedInput,
  combinations: readonly (readonly string[])[],
): Promise<void> {
  const { displaySession } = leased;
  for (const names of combinations) {
    const keys = chordKeys(names, "keys");
    await prepareKeys(leased, keys);
    sendChord(displaySession, keys);
  }
  await displaySession.input.confirm();
}

// Empties the focused field with the keys that select and delete in all toolkits.

export const Clear = z.boolean().describe(
  "If true, the field is cleared first, by selecting and deleting everything in it. " +
    "A terminal has no selection to delete: leave it `false` there and send `ctrl+u`.",
);

/**
 * Selects all and deletes; then repeats this from the first to the last character, because Ctrl+A
 * moves to the start of the line in some toolkits (Tk, Emacs key themes) and does nothing in older
 * multi-line fields on Windows. The second part has no effect on an empty field.
 */
const ELSEWHERE = [["ctrl", "a"], ["delete"], ["ctrl", "home"], ["ctrl", "shift", "end"], [
  "delete",
]];
const MACOS = [["command", "a"], ["delete"]];
