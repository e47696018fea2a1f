/** Finds elements by role, name, text and states. */

import type { z } from "zod";
import { EventLoopYielder } from "../../core/event_loop_yielder.ts";
import type { TreeReading } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { cut, describeElement, foldName, toNode } from "./outline.ts";
import type { FindAnswer, findFields } from "./fields.ts";
import { type RedactedElement, redactElements } from "./redact_elements.ts";
import { nameEntry } from "./snapshot.ts";
import { readElements, type ReadInput } from "./use_accessibility.ts";

type FindInput = z.output<z.ZodObject<ReturnType<typeof findFields>>>;

/** What an element must be. */
export type Criteria = Pick<FindInput, "role" | "name" | "text" | "states" | "exact">;

type Answer = z.output<typeof FindAnswer>;

export async function findElements(context: Context, input: FindInput): Promise<Answer> {
  const { include_hidden } = input;
  const found = await findIn(context, { ...input, include_hidden: include_hidden ?? false });
  if (found.total > 0 || include_hidden !== undefined) return found;
  // the first reading has waited for pages
  return await findIn(context, { ...input, include_hidden: true }, { pageWaitMs: 0 });
}

async function findIn(
  context: Context,
  input: FindInput & ReadInput,
  options?: Pick<TreeReading, "pageWaitMs">,
): Promise<Answer> {
  const read = await readElements(context, input, options);
  const { roots, gap } = await redactElements(context, read.tree.roots);
  const name = nameEntry(context, read);
  const exact: ElementMatch[] = [];
  const others: ElementMatch[] = [];
  let total = 0;
  for await (const found of search(roots, input)) {
    total++;
    const alike = hasExactName(found, input) ? exact : others;
    if (alike.length < input.max_results) alike.push(found);
  }
  const first = [...exact, ...others].slice(0, input.max_results);
  return {
    elements: first.map((found) => toMatchedElement(found, name(found))),
    total,
    truncated: [...read.tree.truncated],
    silent: [...read.tree.unresponsive],
    ...(gap === undefined ? {} : { redaction_gap: gap }),
  };
}

/** "Book" comes before "Bookmark". */
function hasExactName({ element }: ElementMatch, { name, text }: Criteria): boolean {
  const wanted = name ?? text;
  return wanted !== undefined && foldName(nameOrLabel(element)) === foldName(wanted);
}

/** An element as answers have it. */
export function toMatchedElement(found: ElementMatch, ref: string): Answer["elements"][number] {
  const { element, around } = found;
  const { child_count: _, value = element.value, ...node } = toNode(found, ref);
  return {
    ...node,
    ...(value === undefined || value === "" ? {} : { value: cut(value) }),
    ...(around && { within: describeElement(around) }),
  };
}

interface ElementMatch {
  readonly element: RedactedElement;
  readonly top: RedactedElement;
  /** The nearest named element around it. */
  readonly around: RedactedElement | undefined;
}

/**
 * In the order of the tree; an element comes before those inside it. Yields to other work,
 * also between elements that do not match.
 */
export async function* search(
  roots: readonly RedactedElement[],
  criteria: Criteria,
): AsyncGenerator<ElementMatch, void> {
  const matches = toMatcher(criteria);
  const yielder = new EventLoopYielder();
  for (const top of roots) {
    for (const found of visit(top, { top, around: undefined })) {
      await yielder.yieldIfDue();
      if (matches(found.element)) yield found;
    }
  }
}

function* visit(
  element: RedactedElement,
  scope: Omit<ElementMatch, "element">,
): Generator<ElementMatch, void> {
  yield { element, ...scope };
  const around = element.name === "" ? scope.around : element;
  for (const child of element.children) yield* visit(child, { top: scope.top, around });
}

function toMatcher(
  { role, name, text, states = [], exact }: Criteria,
): (element: RedactedElement) => boolean {
  const wantedRole = role?.toLowerCase();
  const hasName = name === undefined ? undefined : toTextMatcher(name, exact);
  const hasText = text === undefined ? undefined : toTextMatcher(text, exact);
  return (element) => {
    if (wantedRole !== undefined && element.role !== wantedRole) return false;
    if (hasName && !hasName(nameOrLabel(element))) return false;
    if (!states.every((state) => element.states.has(state))) return false;
    if (!hasText) return true;
    const { value = "", description = "" } = element;
    return [nameOrLabel(element), value, description].some(hasText);
  };
}

function nameOrLabel({ name, label = "" }: RedactedElement): string {
  return name === "" ? label : name;
}

function toTextMatcher(wanted: string, exact: boolean): (text: string) => boolean {
  if (exact) return (text) => text.trim() === wanted.trim();
  const part = foldName(wanted);
  return (text) => foldName(text).includes(part);
}
