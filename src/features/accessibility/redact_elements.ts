/** Replaces stored values of the keychain in what elements say, and leaves passwords out. */

import { encodeText } from "../../core/encode_text.ts";
import type { Element } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { createRedactor } from "../secrets/redact.ts";

/** An element as it may be shown. */
export interface ShownElement extends Omit<Element, "children"> {
  /** As its program says it, for comparison; never shown. */
  readonly trueName: string;
  readonly children: readonly ShownElement[];
}

export interface Redacted {
  readonly roots: readonly ShownElement[];
  /** Why stored values may be left. */
  readonly gap: string | undefined;
}

/** No program sends this character, which ends strings on every bus. */
const END = "\0";
/** Longer texts are cut, long after what is shown of them. */
const MAX_TEXT = 1_000_000;

/** All texts pass one redactor, one after the other. */
export async function redactElements(
  context: Pick<Context, "config" | "session" | "signal">,
  roots: readonly Element[],
): Promise<Redacted> {
  const texts: string[] = [];
  for (const root of roots) collectTexts(root, texts);
  const { shown, gap } = await redactTexts(context, texts);
  let at = 0;
  const next = (text: string | undefined) => text === undefined ? undefined : shown[at++];
  const show = (element: Element): ShownElement => {
    const name = next(element.name)!;
    const [value, description] = [next(valueOf(element)), next(element.description)];
    const { value: _, ...rest } = element;
    return {
      ...rest,
      ...{ trueName: element.name, name },
      ...(value === undefined ? {} : { value }),
      ...(description === undefined ? {} : { description }),
      children: element.children.map(show),
    };
  };
  return { roots: roots.map(show), gap };
}

/** In the order in which they are put back. */
function collectTexts(element: Element, texts: string[]): void {
  for (const text of [element.name, valueOf(element), element.description]) {
    if (text !== undefined) texts.push(text.slice(0, MAX_TEXT).replaceAll(END, ""));
  }
  for (const child of element.children) collectTexts(child, texts);
}

/** Never that of a password field, should its program tell it. */
function valueOf({ value, states }: Element): string | undefined {
  return states.has("protected") ? undefined : value;
}

async function redactTexts(
  { config, session, signal }: Pick<Context, "config" | "session" | "signal">,
  texts: readonly string[],
): Promise<{ readonly shown: readonly string[]; readonly gap: string | undefined }> {
  if (!config.redact) return { shown: texts, gap: undefined };
  const redactor = createRedactor(config, session.knownSecrets);
  await redactor.ready;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let shown = "";
  for (const part of encodeText(texts.join(END))) {
    signal.throwIfAborted();
    shown += decoder.decode(await redactor.push(part), { stream: true });
  }
  shown += decoder.decode(await redactor.end());
  return { shown: shown.split(END), gap: redactor.gap };
}
