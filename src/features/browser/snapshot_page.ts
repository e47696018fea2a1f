/** Snapshots of pages and what is found in them, as text with refs. */

import { cutText } from "../../core/cut_text.ts";
import type { PageSnapshot } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { redactTexts } from "../secrets/redact_texts.ts";
import { PageTarget } from "./page_target.ts";
import { redactTab } from "./redact_text.ts";
import { inBrowser } from "./in_browser.ts";
import { findPageElement } from "./use_browser.ts";

export interface SnapshotInput {
  readonly tab_id?: string | undefined;
  readonly filter: "all" | "visible" | "interactive";
  readonly ref?: string | undefined;
  readonly max_depth: number;
  readonly max_characters: number;
  readonly timeout_ms: number;
}

export interface FindInput {
  readonly tab_id?: string | undefined;
  readonly query: string;
  readonly role?: string | undefined;
  readonly timeout_ms: number;
}

/** Elements of one snapshot. */
const MAX_ELEMENTS = 10_000;
const MAX_FOUND = 20;
/** Characters of a name, as in a line of a snapshot. */
const MAX_NAME = 200;

export async function snapshotPage(context: Context, input: SnapshotInput) {
  const read = await inBrowser(context, "snapshot", {
    tab: input.tab_id,
    filter: input.filter,
    maxDepth: input.max_depth,
    maxElements: MAX_ELEMENTS,
    maxCharacters: input.max_characters,
    root: input.ref === undefined ? undefined : findPageElement(context, input.ref),
    timeMs: input.timeout_ms,
  });
  const { refs: _, ...answer } = await answerSnapshot(context, read);
  return answer;
}

export async function findOnPage(
  context: Context,
  { tab_id, query, role, timeout_ms }: FindInput,
) {
  const input = { tab: tab_id, query, role, max: MAX_FOUND, timeMs: timeout_ms };
  const found = await inBrowser(context, "find", input);
  const { refs, ...answer } = await answerSnapshot(context, found);
  const named = found.lines.map(({ element }) => cutText(element?.name ?? "", MAX_NAME));
  const { shown } = await redactTexts(context, named);
  const matches = found.lines.flatMap(({ element }, index) => {
    const ref = refs[index];
    return element && ref ? [{ ref, role: element.role, name: shown[index]! }] : [];
  });
  return { ...answer, matches };
}

/** Gives every element its ref. */
async function answerSnapshot(context: Context, { tab, lines, truncated }: PageSnapshot) {
  const { session: { refs } } = context;
  const { shown } = await redactTexts(context, lines.flatMap(({ head, tail }) => [head, tail]));
  const given = lines.map(({ element }, index) =>
    element && refs.add(new PageTarget(context, element, shown[2 * index]!))
  );
  const texts = lines.map(({ level }, index) => {
    const [head, tail, ref] = [shown[2 * index]!, shown[2 * index + 1]!, given[index]];
    return `${"  ".repeat(level)}- ${head}${ref === undefined ? "" : ` [ref=${ref}]`}${tail}`;
  });
  const elements = lines.filter(({ element }) => element).length;
  return {
    tab: await redactTab(context, tab),
    text: texts.join("\n"),
    ...{ elements, truncated, refs: given },
  };
}
