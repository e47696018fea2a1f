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
export type Redacting =
  & Pick<Context, "session" | "signal">
  & { readonly config: Pick<Context["config"], "redact"> };

/** What is left out is a multiple of it, in characters: it does not tell how long values are. */
const LENGTH_STEP = 256;

/** How many more characters to read than are shown: as many as a text that is cut loses when it is redacted. */
export async function cutMargin({ config, session, signal }: Redacting): Promise<number> {
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
  const known = config.redact ? session.use(KnownSecrets) : undefined;
  if (known) await unlessAborted(known.ready(), signal);
  const gap = known?.gap; // of what is searched with: the keychain may be read meanwhile
  const yielder = new EventLoopYielder();
  const redacted: string[] = [];
  for (const text of given) {
    signal.throwIfAborted();
    const index = known?.index;
    redacted.push(index?.isEmpty === false ? await redactOne(text, index, yielder) : plain(text));
    await yielder.yieldIfDue();
  }
  return { redacted, gap: gap ?? known?.gap };
}

/** {@link redactTexts} for one text. */
export async function redactText(context: Redacting, text: string): Promise<string> {
  return (await redactTexts(context, [text])).redacted[0]!;
}

/** The end of a cut text is searched for values that begin before it, but not shown. */
async function redactOne(
  text: string,
  index: SecretIndex,
  yielder: EventLoopYielder,
): Promise<string> {
  const isCut = text.endsWith(RAW_CUT_MARK);
  const given = isCut ? text.slice(0, -RAW_CUT_MARK.length) : text;
  const shown = isCut ? startOf(given, given.length - countLost(index)) : given;
  const redactor = new StreamRedactor(index);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let redacted = "";
  for (const part of encodeText(shown)) {
    redacted += decoder.decode(await redactor.push(part), { stream: true });
    await yielder.yieldIfDue();
  }
  const lost = new TextEncoder().encode(given.slice(shown.length));
  redacted += decoder.decode(await redactor.end(lost));
  return isCut ? redacted + CUT_MARK : redacted;
}

/** At most so many characters, and no half of one. */
function startOf(text: string, length: number): string {
  const isHalf = /[\udc00-\udfff]/.test(text.charAt(length));
  return text.slice(0, Math.max(0, isHalf ? length - 1 : length));
}

/** A text in which no values are replaced. */
function plain(text: string): string {
  const isCut = text.endsWith(RAW_CUT_MARK);
  return (isCut ? text.slice(0, -RAW_CUT_MARK.length) + CUT_MARK : text).toWellFormed();
}

/** A text whose end may have been cut off without a mark. */
export async function redactCut(context: Redacting, text: string): Promise<string> {
  return (await redactText(context, `${text}${RAW_CUT_MARK}`)).slice(0, -CUT_MARK.length);
}

const AFTER_MARK = new RegExp(`(?<=${RAW_CUT_MARK})`);

/** An error whose message names what programs or pages say. */
export async function redactError<T>(
  { config, session }: Omit<Redacting, "signal">,
  error: T,
): Promise<T | ServiceError> {
  // the errors of an input name what the caller sent
  if (!(error instanceof ServiceError) || error instanceof InputError) return error;
  const { signal } = new AbortController(); // the request's may have aborted, as the error says
  const parts = error.message.split(AFTER_MARK); // a message goes on after a name that was cut
  const { redacted } = await redactTexts({ config, session, signal }, parts);
  const message = redacted.join("");
  if (message === error.message) return error;
  if (error instanceof FieldError) return new FieldError(error.field, message);
  return new ServiceError(error.code, message, { cause: error.cause });
}
