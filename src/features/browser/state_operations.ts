/** Defines the operations on what happens in the browser besides its pages as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { ServiceError } from "../../core/errors.ts";
import { definingWith, json, type Operation } from "../operation.ts";
import { redactCut, redactText } from "../secrets/redact_texts.ts";
import { BROWSER_ERRORS, Download, ON_PAGES, OptionalTab, TimeoutMs } from "./fields.ts";
import { inBrowser, redactAll } from "./in_browser.ts";

const NO_SCRIPTS =
  "Running scripts in pages is disabled: start the service with --browser-evaluate";
const Since = z.int().min(0).default(0).describe(
  "The number of the last entry that you already have; 0 starts with the oldest one kept.",
);
const Max = z.int().min(1).max(500).default(100).describe("The maximum number of entries.");
const Dropped = z.int().describe("The number of entries after `since` that are no longer kept.");
const Time = z.string().describe("The time in UTC, in ISO 8601 format.");
const Entry = { number: z.int().describe("The entry's number in its tab."), time: Time };
const Dialog = z.object({
  tab: z.string().describe("The tab whose page it blocks."),
  kind: z.enum(["alert", "confirm", "prompt", "beforeunload"]),
  message: z.string(),
});

/** The answer with the entries of a tab that are kept. */
function kept<S extends z.ZodType>(description: string, entry: S) {
  return json(description, z.object({ entries: z.array(entry), dropped: Dropped }));
}

export function stateOperations(limits: Limits): readonly Operation[] {
  const define = definingWith({ ...ON_PAGES, readOnly: true });
  const { not_found: _, ...errors } = BROWSER_ERRORS;
  const defineList = definingWith({ group: "browser", method: "GET", readOnly: true, errors });
  const log = z.object({ since: Since, max: Max, tab_id: OptionalTab });
  return [
    define({
      id: "readConsole",
      path: "/api/browser/console",
      summary: "Read the console of a page",
      description:
        "The newest 500 entries of a tab are kept, each shortened to 16,384 characters: what its scripts log, uncaught errors, and warnings of the browser.",
      body: log,
      answer: kept(
        "The entries, the oldest first.",
        z.object({
          ...Entry,
          level: z.string().describe("The kind of entry, such as `log`, `warning` or `error`."),
          text: z.string(),
          source: z.string().describe("The address of the script."),
        }),
      ),
      run: async (context, { tab_id: tab, since, max }) =>
        await redactAll(context, await inBrowser(context, "console", { tab, since, max })),
    }),
    define({
      id: "readNetwork",
      path: "/api/browser/network",
      summary: "List the requests of a page",
      description: "The newest 500 requests of a tab are kept, without headers or bodies.",
      body: log,
      answer: kept(
        "The requests, the oldest first.",
        z.object({
          ...Entry,
          method: z.string(),
          url: z.string(),
          type: z.string().describe("The purpose, such as `Document`, `Script` or `Fetch`."),
          status: z.int().nullable().describe("The HTTP status; null until there is an answer."),
          error: z.string().nullable().describe("The reason why it failed, if it did."),
        }),
      ),
      run: async (context, { tab_id: tab, since, max }) =>
        await redactAll(context, await inBrowser(context, "network", { tab, since, max })),
    }),
    defineList({
      id: "listDialogs",
      path: "/api/browser/dialogs",
      summary: "List the open dialogs of pages",
      description:
        "A dialog (`alert`, `confirm`, `prompt`) blocks its page: operations on its tab are 409 until it is answered.",
      answer: json("The open dialogs.", z.array(Dialog)),
      run: async (context) => await redactAll(context, await inBrowser(context, "dialogs", {})),
    }),
    define({
      readOnly: false,
      id: "answerDialog",
      path: "/api/browser/dialog",
      summary: "Answer a dialog of a page",
      body: z.object({
        accept: z.boolean().describe("If true, its OK button is pressed, else Cancel."),
        text: z.string().max(100_000).optional().describe("The text for a `prompt`."),
        tab_id: OptionalTab.describe("The tab of the dialog; without it, the first one."),
      }),
      answer: json("The dialog that was closed.", Dialog),
      errors: { ...BROWSER_ERRORS, not_found: "There is no such dialog or tab." },
      run: async (context, { tab_id: tab, accept, text }) => {
        const input = { tab, accept, text };
        return await redactAll(context, await inBrowser(context, "answerDialog", input));
      },
    }),
    defineList({
      id: "listDownloads",
      path: "/api/browser/downloads",
      summary: "List the downloads of the browser",
      description: "The newest 100 are kept. Files go to the browser's usual folder.",
      answer: json("The downloads, the oldest first.", z.array(Download)),
      run: async (context) => await redactAll(context, await inBrowser(context, "downloads", {})),
    }),
    define({
      readOnly: false,
      id: "evaluateScript",
      long: true,
      path: "/api/browser/evaluate",
      summary: "Run a script in a page",
      description:
        "Disabled unless the service runs with `--browser-evaluate`: a script has all rights of the page and of the user who is signed in there. A script that does not end is stopped.",
      body: z.object({
        expression: z.string().min(1).max(1_000_000).describe(
          "JavaScript; the value of its last statement is the answer, and promises are awaited.",
        ),
        tab_id: OptionalTab,
        timeout_ms: TimeoutMs(limits, 10_000, "The maximum time for the script"),
      }),
      answer: json(
        "The script has ended.",
        z.object({
          text: z.string().describe("The value as JSON, or the exception."),
          threw: z.boolean().describe("If true, the script has thrown an exception."),
          truncated: z.boolean().describe("If true, the text was cut to 200,000 characters."),
        }),
      ),
      errors: { ...BROWSER_ERRORS, forbidden: "The service runs without `--browser-evaluate`." },
      run: async (context, { expression, tab_id: tab, timeout_ms: timeMs }) => {
        if (!context.config.browserEvaluate) throw new ServiceError("forbidden", NO_SCRIPTS);
        const { text, ...rest } = await inBrowser(context, "evaluate", { tab, expression, timeMs });
        return { ...rest, text: await (rest.truncated ? redactCut : redactText)(context, text) };
      },
    }),
  ];
}
