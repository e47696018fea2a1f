/** Defines the operations that read pages as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { FieldError } from "../../core/errors.ts";
import { cutText } from "../../core/texts.ts";
import type { Navigation, PageSnapshot } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { json } from "../outcomes.ts";
import { redactCut, redactTexts } from "../secrets/redact_texts.ts";
import {
  BROWSER_ERRORS,
  FindAnswer,
  OptionalTab,
  Ref,
  SnapshotAnswer,
  Tab,
  TimeoutMs,
} from "./fields.ts";
import { inBrowser, redactTab, redactText } from "./in_browser.ts";
import { PageTarget } from "./page_target.ts";
import { findPageElement, redactAll } from "./use_browser.ts";
import { Refs } from "../input/targets/refs.ts";

const READ_TIMEOUT_MS = 20_000;
const MAX_CHARACTERS = 500_000;

export function pageOperations(limits: Limits): readonly Operation[] {
  const common = { group: "browser", method: "POST", readOnly: true } as const;
  const Reading = TimeoutMs(limits, READ_TIMEOUT_MS, "The maximum time to read the page");
  return [
    defineOperation({
      ...common,
      id: "snapshotPage",
      long: true,
      path: "/api/browser/snapshot",
      summary: "Read a page as text with refs",
      description:
        "Reads the accessibility tree of the page with all its frames. Every element has a ref, which mouse, keyboard and browser operations accept in place of coordinates. " +
        "A ref names one element of one document: if that is gone, or has become another one, the answer is 409.",
      body: z.object({
        filter: z.enum(["all", "visible", "interactive"]).default("all").describe(
          "`all` is the full page, `visible` what is in the viewport, `interactive` what can be clicked or filled in the viewport.",
        ),
        ref: Ref.optional().describe("The element to read; by default the page."),
        max_depth: z.int().min(1).max(10_000).default(100).describe(
          "The maximum number of levels below the page.",
        ),
        max_characters: z.int().min(100).max(MAX_CHARACTERS).default(50_000).describe(
          "The maximum number of characters of the text.",
        ),
        tab_id: OptionalTab,
        timeout_ms: Reading,
      }),
      answer: json("The page as text.", SnapshotAnswer),
      errors: BROWSER_ERRORS,
      run: snapshotPage,
    }),
    defineOperation({
      ...common,
      id: "findOnPage",
      long: true,
      path: "/api/browser/find",
      summary: "Find elements of a page",
      description:
        "Finds at most 20 elements by the words of their name, value and role, the best ones first. If no element has all words, those with some of them are returned.",
      body: z.object({
        query: z.string().min(1).max(1_000).describe(
          'Words of the element, ignoring case, such as "search button".',
        ),
        role: z.string().min(1).max(64).optional().describe("Only this role, such as `button`."),
        tab_id: OptionalTab,
        timeout_ms: Reading,
      }),
      answer: json("The elements that were found.", FindAnswer),
      errors: BROWSER_ERRORS,
      run: findOnPage,
    }),
    defineOperation({
      ...common,
      id: "getPageText",
      path: "/api/browser/text",
      summary: "Get the text of a page",
      description: "The visible text of the page, then that of its frames.",
      body: z.object({
        max_characters: z.int().min(1).max(MAX_CHARACTERS).default(100_000).describe(
          "The maximum number of characters of the text.",
        ),
        tab_id: OptionalTab,
      }),
      answer: json(
        "The text of the page.",
        z.object({
          tab: Tab,
          text: z.string(),
          truncated: z.boolean().describe("If true, the page has more text."),
        }),
      ),
      errors: BROWSER_ERRORS,
      run: readPageText,
    }),
  ];
}

// Reads the text of a page.

async function readPageText(
  context: Context,
  { tab_id, max_characters }: {
    readonly tab_id?: string | undefined;
    readonly max_characters: number;
  },
) {
  const input = { tab: tab_id, maxCharacters: max_characters };
  const { tab, text, truncated } = await inBrowser(context, "text", input);
  return {
    tab: await redactTab(context, tab),
    text: await (truncated ? redactCut : redactText)(context, text),
    truncated,
  };
}

// Loads pages in tabs.

interface NavigateInput {
  readonly tab_id?: string | undefined;
  readonly url?: string | undefined;
  readonly history?: "back" | "forward" | "reload" | undefined;
  readonly timeout_ms: number;
}

export async function navigatePage(
  context: Context,
  { tab_id, url, history, timeout_ms }: NavigateInput,
) {
  if ((url === undefined) === (history === undefined)) {
    throw new FieldError("url", "Give either url or history");
  }
  const to = history === undefined ? { url: checkUrl(context, url!) } : { history };
  const input = { tab: tab_id, to, timeMs: timeout_ms };
  return await answerNavigation(context, await inBrowser(context, "navigate", input));
}

export async function openTab(
  context: Context,
  { url, timeout_ms }: { readonly url?: string | undefined; readonly timeout_ms: number },
) {
  const input = { url: url && checkUrl(context, url), timeMs: timeout_ms };
  return await answerNavigation(context, await inBrowser(context, "open", input));
}

async function answerNavigation(
  context: Context,
  { tab, loaded, httpStatus, download }: Navigation,
) {
  return {
    tab: await redactTab(context, tab),
    loaded,
    http_status: httpStatus ?? null,
    ...(download && { download: await redactAll(context, download) }),
  };
}

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "data:", "blob:"]);

/**
 * A file is shown only where the files of the computer may be read.
 * @throws FieldError on `url`
 */
function checkUrl({ config }: Context, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    throw new FieldError("url", "url must be an absolute address such as https://example.org/");
  }
  // the browser's own pages (about:settings, about:quit) are blocked there, without an error
  const isBlank = url.protocol === "about:" && url.pathname === "blank";
  if (isBlank || SCHEMES.has(url.protocol)) return url.href;
  if (url.protocol === "file:" && !config.disabled.has("filesystem")) return url.href;
  throw new FieldError(
    "url",
    "url must be about:blank or begin with http:, https:, data: or file:",
  );
}

// Snapshots of pages and what is found in them, as text with refs.

interface SnapshotInput {
  readonly tab_id?: string | undefined;
  readonly filter: "all" | "visible" | "interactive";
  readonly ref?: string | undefined;
  readonly max_depth: number;
  readonly max_characters: number;
  readonly timeout_ms: number;
}

interface FindInput {
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

async function snapshotPage(context: Context, input: SnapshotInput) {
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

async function findOnPage(
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
  const refs = context.session.use(Refs);
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
    elements,
    truncated,
    refs: given,
  };
}
