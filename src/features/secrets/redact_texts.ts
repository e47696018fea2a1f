/**
 * Replaces stored values of the keychain in texts of others. A text is redacted before it is cut;
 * one that was cut where it entered ends with {@link CUT_MARK}, and then what may be the beginning of
 * a value before the mark is left out.
 */

import { unlessAborted } from "../../core/deadline.ts";
import { CUT_MARK, encodeText } from "../../core/texts.ts";
import { FieldError, InputError, ServiceError } from "../../core/errors.ts";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import type { Context } from "../context.ts";
import { StreamRedactor } from "./redact.ts";
import type { SecretIndex } from "./secret_index.ts";
import { KnownSecrets } from "./known_secrets.ts";

/** What is needed to redact; a request's context has it. */
export type Redacting = Pick<Context, "config" | "session" | "signal">;

/** The most of a value that stays before a mark, in bytes: most texts there end with a word. */
const MAX_STAYING_BYTES = 3;

/**
 * One text after the other; yields to other work.
 * @returns in the same order; `gap` says why stored values may be left
 */
export async function redactTexts(
  { config, session, signal }: Redacting,
  given: readonly string[],
): Promise<{ readonly redacted: readonly string[]; readonly gap: string | undefined }> {
  if (!config.redact || given.length === 0) return { redacted: given, gap: undefined };
  const known = session.use(KnownSecrets);
  await unlessAborted(known.ready(), signal);
  const yielder = new EventLoopYielder();
  const redacted: string[] = [];
  for (const text of given) {
    signal.throwIfAborted();
    const { index } = known;
    redacted.push(index.isEmpty ? text.toWellFormed() : await redactText(text, index, yielder));
    await yielder.yieldIfDue();
  }
  return { redacted, gap: known.gap };
}

async function redactText(
  text: string,
  index: SecretIndex,
  yielder: EventLoopYielder,
): Promise<string> {
  const redactor = new StreamRedactor(index);
  const decoder = newDecoder();
  let redacted = "";
  for (const part of encodeText(text)) {
    redacted += decoder.decode(await redactor.push(part), { stream: true });
    await yielder.yieldIfDue();
  }
  redacted += decoder.decode(await redactor.end());
  return redacted.includes(CUT_MARK)
    ? await leaveOutBeginnings(redacted, index, yielder)
    : redacted;
}

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

/** A text whose end may have been cut off without a mark. */
export async function redactCut(context: Redacting, text: string): Promise<string> {
  const { redacted: [shortened] } = await redactTexts(context, [`${text}${CUT_MARK}`]);
  return shortened!.slice(0, -CUT_MARK.length);
}

/** An error whose message names what programs or pages say. */
export async function redactError<T>(
  { config, session }: Omit<Redacting, "signal">,
  error: T,
): Promise<T | ServiceError> {
  // the faults of an input name what the caller sent
  if (!(error instanceof ServiceError) || error instanceof InputError) return error;
  const { signal } = new AbortController(); // the request's may have aborted, as the error says
  const { redacted: [message] } = await redactTexts({ config, session, signal }, [error.message]);
  if (message === error.message) return error;
  if (error instanceof FieldError) return new FieldError(error.field, message!);
  return new ServiceError(error.code, message!, { cause: error.cause });
}

async function leaveOutBeginnings(
  text: string,
  index: SecretIndex,
  yielder: EventLoopYielder,
): Promise<string> {
  const parts = text.split(CUT_MARK);
  for (const [at, part] of parts.entries()) {
    if (part === "" || at === parts.length - 1) continue;
    const redactor = new StreamRedactor(index);
    const decoder = newDecoder();
    const whole = await redactor.push(new TextEncoder().encode(part));
    const start = await redactor.releaseStart(MAX_STAYING_BYTES);
    parts[at] = decoder.decode(whole, { stream: true }) + decoder.decode(start);
    await yielder.yieldIfDue();
  }
  return parts.join(CUT_MARK);
}
