/**
 * Replaces stored values of the keychain in what elements say, and leaves out passwords and states that say
 * nothing.
 */

import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import { cutRawText } from "../../core/texts.ts";
import type { Element } from "../../platform/types/mod.ts";
import { type Redacting, redactTexts } from "../secrets/redact_texts.ts";
import { findLabels } from "./labels.ts";

/** An element without stored values. */
export interface RedactedElement extends Omit<Element, "children"> {
  /** As its program says it, for comparison; never part of an answer. */
  readonly trueName: string;
  /** The text beside a field that has no name. */
  readonly label?: string;
  readonly children: readonly RedactedElement[];
}

export interface Redacted {
  readonly roots: readonly RedactedElement[];
  /** Why stored values may be left. */
  readonly gap: string | undefined;
}

/** Longer texts are cut, far beyond what answers contain. */
export const MAX_TEXT = 1_000_000;

/** An element by itself, without its parts. */
export async function redactElement(
  context: Redacting,
  element: Element,
): Promise<RedactedElement> {
  const { roots: [redacted] } = await redactElements(context, [{ ...element, children: [] }]);
  return redacted!;
}

/** Names for messages. */
export async function redactNames(
  context: Redacting,
  names: readonly string[],
): Promise<readonly string[]> {
  return (await redactTexts(context, names.map((name) => cutRawText(name, MAX_TEXT)))).redacted;
}

/** Names that a message lists. */
const MAX_LISTED = 20;

/** `it has "Copy", "Paste"`, or `none` where there are no names. */
export async function listNames(
  context: Redacting,
  names: readonly string[],
  none: string,
): Promise<string> {
  const redacted = await redactNames(context, names.slice(0, MAX_LISTED));
  if (redacted.length === 0) return none;
  const listed = redacted.map((name) => JSON.stringify(name)).join(", ");
  return `it has ${listed}${names.length > MAX_LISTED ? ", …" : ""}`;
}

/** All texts pass one redactor, one after the other. Yields to other work. */
export async function redactElements(
  context: Redacting,
  roots: readonly Element[],
): Promise<Redacted> {
  const yielder = new EventLoopYielder();
  const texts: string[] = [];
  for (const root of roots) await collectTexts(root, { texts, yielder });
  const { redacted, gap } = await redactTexts(context, texts);
  let at = 0;
  const next = (text: string | undefined) => text === undefined ? undefined : redacted[at++];
  const redact = async (element: Element): Promise<RedactedElement> => {
    await yielder.yieldIfDue();
    const name = next(element.name)!;
    const [value, description] = [next(valueOf(element)), next(element.description)];
    const { value: _, ...rest } = element;
    const children: RedactedElement[] = [];
    for (const child of element.children) children.push(await redact(child));
    return {
      ...rest,
      states: tellingStates(element),
      trueName: element.name,
      name,
      ...(value === undefined ? {} : { value }),
      ...(description === undefined ? {} : { description }),
      children,
    };
  };
  const redactedRoots: RedactedElement[] = [];
  for (const root of roots) {
    const top = await redact(root);
    for (const [field, label] of findLabels(top)) Object.assign(field, { label });
    redactedRoots.push(top);
  }
  return { roots: redactedRoots, gap };
}

interface Texts {
  readonly texts: string[];
  readonly yielder: EventLoopYielder;
}

/** In the order in which they are put back. */
async function collectTexts(element: Element, { texts, yielder }: Texts): Promise<void> {
  await yielder.yieldIfDue();
  for (const text of [element.name, valueOf(element), element.description]) {
    if (text !== undefined) texts.push(cutRawText(text, MAX_TEXT));
  }
  for (const child of element.children) await collectTexts(child, { texts, yielder });
}

/** Never that of a password field, even if its program reports it. */
function valueOf({ value, states }: Element): string | undefined {
  return states.has("protected") ? undefined : value;
}

/** Toolkits call labels and the paragraphs of a document multi-line, too: that says something of fields only. */
function tellingStates({ role, states }: Element): Element["states"] {
  if (role === "textbox" || !states.has("multiline")) return states;
  return new Set([...states].filter((state) => state !== "multiline"));
}
