/**
 * Replaces stored values of the keychain in texts of others. A text is redacted before it is cut. One
 * that was cut where it entered ends with {@link RAW_CUT_MARK}: before that, as many characters are
 * left out as a value can have, whatever they are. To leave out only what begins a value would tell
 * whoever can write such texts how values begin.
 */

import { unlessAborted } from "../../core/deadline.ts";
import { CUT_MARK, encodeText, RAW_CUT_MARK } from "../../core/texts.ts";
import { FieldError, InputError, ServiceError } from "../../core/errors.ts";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import type { Context } from "../context.ts";
import { StreamRedactor } from "./redact.ts";
import type { SecretIndex } from "./secret_index.ts";
import { KnownSecrets } from "./known_secrets.ts";

/** What is needed to redact; a request's context has it. */
export type Redacting = Pick<Context, "config" | "session" | "signal">;

/** What is left out is a multiple of it, in characters: it does not tell how long values are. */
const LENGTH_STEP = 256;

/** How many characters a text of others loses if it was cut where it entered. */
export async function countLostOfCut({ config, session, signal }: Redacting): Promise<number> {
  if (!config.redact) return 0;
  const known = session.use(KnownSecrets);
  await unlessAborted(known.ready(), signal);
  return countLost(known.index);
}

function countLost({ longestBytes }: SecretIndex): number {
  return Math.ceil(longestBytes / LENGTH_STEP) * LENGTH_STEP;
}

/**
 * One text after the other; yields to other work.
 * @returns in the same order; `gap` says why stored values may be left
 */
export async function redactTexts(
  { config, session, signal }: Redacting,
  given: readonly string[],
): Promise<{ readonly redacted: readonly string[]; readonly gap: string | undefined }> {
  if (given.length === 0) return { redacted: given, gap: undefined };
  if (!config.redact) {
    return { redacted: given.map((text) => withoutEnds(text, 0)), gap: undefined };
  }
  const known = session.use(KnownSecrets);
  await unlessAborted(known.ready(), signal);
  const yielder = new EventLoopYielder();
  const redacted: string[] = [];
  for (const text of given) {
    signal.throwIfAborted();
    const { index } = known;
    redacted.push(
      index.isEmpty ? withoutEnds(text, 0).toWellFormed() : await redactText(text, index, yielder),
    );
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
  return withoutEnds(redacted, countLost(index));
}

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

/** A text whose end may have been cut off without a mark. */
export async function redactCut(context: Redacting, text: string): Promise<string> {
  const { redacted: [shortened] } = await redactTexts(context, [`${text}${RAW_CUT_MARK}`]);
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

/** Without so many characters before each mark of what was cut where it entered. */
function withoutEnds(text: string, count: number): string {
  if (!text.includes(RAW_CUT_MARK)) return text;
  const parts = text.split(RAW_CUT_MARK);
  const last = parts.pop()!;
  const cut = parts.map((part) => part.slice(0, Math.max(0, part.length - count)) + CUT_MARK);
  return [...cut, last].join("").toWellFormed();
}
