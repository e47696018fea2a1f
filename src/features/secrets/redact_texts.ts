/** Replaces stored values of the keychain in texts. */

import { encodeText } from "../../core/encode_text.ts";
import { Turns } from "../../core/turns.ts";
import type { Context } from "../context.ts";
import { createRedactor } from "./redact.ts";

/** What is needed to redact; a request's context has it. */
export type Redacting = Pick<Context, "config" | "session" | "signal">;

/** No program sends this character, which ends strings on every bus. */
const END = "\0";

/**
 * All texts pass one redactor, one after the other; other work gets its turns.
 * @param texts NUL characters in them are dropped
 * @returns in the same order; `gap` says why stored values may be left
 */
export async function redactTexts(
  { config, session, signal }: Redacting,
  given: readonly string[],
): Promise<{ readonly shown: readonly string[]; readonly gap: string | undefined }> {
  if (!config.redact || given.length === 0) return { shown: given, gap: undefined };
  const turns = new Turns();
  const texts: string[] = [];
  for (const text of given) {
    texts.push(text.replaceAll(END, ""));
    await turns.pass();
  }
  const redactor = createRedactor(config, session.knownSecrets);
  await redactor.ready;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const shown: string[] = [];
  let rest = "";
  const take = (text: string) => {
    const whole = (rest + text).split(END);
    rest = whole.pop()!;
    for (const each of whole) shown.push(each);
  };
  for (const part of encodeText(texts.join(END))) {
    signal.throwIfAborted();
    take(decoder.decode(await redactor.push(part), { stream: true }));
    await turns.pass();
  }
  take(decoder.decode(await redactor.end()));
  return { shown: [...shown, rest], gap: redactor.gap };
}
