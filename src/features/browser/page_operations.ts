/** Defines the operations that read pages as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import type { Context } from "../context.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { json } from "../outcomes.ts";
import { redactCut } from "../secrets/redact_texts.ts";
import {
  BROWSER_ERRORS,
  FindAnswer,
  OptionalTab,
  Ref,
  SnapshotAnswer,
  Tab,
  TimeoutMs,
} from "./fields.ts";
import { inBrowser } from "./in_browser.ts";
import { redactTab, redactText } from "./redact_text.ts";
import { findOnPage, snapshotPage } from "./snapshot_page.ts";

const READ_MS = 20_000;
const MAX_CHARACTERS = 500_000;

export function pageOperations(limits: Limits): readonly Operation[] {
  const common = { group: "browser", method: "POST", readOnly: true } as const;
  const Reading = TimeoutMs(limits, READ_MS, "The longest time for reading the page");
  return [
    defineOperation({
      ...common,
      id: "snapshotPage",
      long: true,
      path: "/api/browser/snapshot",
      summary: "Read a page as text with refs",
      description:
        "Reads the accessibility tree of the page with all its frames. Every element has a ref, which the operations of mouse, keyboard and browser take in place of coordinates. " +
        "A ref names one element of one document: when that has gone, or has become another one, it is refused with 409.",
      body: z.object({
        filter: z.enum(["all", "visible", "interactive"]).default("all").describe(
          "`all` is the whole page, `visible` what is in the viewport, `interactive` what can be clicked or filled in the viewport.",
        ),
        ref: Ref.optional().describe("Only what is inside this element."),
        max_depth: z.int().min(1).max(10_000).default(100).describe(
          "The most levels below the page.",
        ),
        max_characters: z.int().min(100).max(MAX_CHARACTERS).default(50_000).describe(
          "The most characters of the text.",
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
        "Finds at most 20 elements by the words of their name, value and role, the best ones first. Where none has all words, those with some of them are found.",
      body: z.object({
        query: z.string().min(1).max(1_000).describe(
          'Words of the element, in any case, such as "search button".',
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
      description: "The text as a reader of the page sees it, then that of its frames.",
      body: z.object({
        max_characters: z.int().min(1).max(MAX_CHARACTERS).default(100_000).describe(
          "The most characters of the text.",
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
