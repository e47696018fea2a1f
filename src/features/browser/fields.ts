/** Fields and answers that the browser operations share. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";

export const TabIdField = z.string().min(1).max(64);
export const OptionalTab = TabIdField.optional().describe(
  "The tab, by its id in `browser/tabs`; without it, the active one.",
);
export const Ref = z.string().min(1).max(64);
export const RequiredPageRef = Ref.describe("The element, by its ref in a snapshot.");
export const PageRef = RequiredPageRef.optional();

/** In JSON schema terms: a point or an element. */
export const PAGE_POSITION_SCHEMA = {
  dependentRequired: { x: ["y"], y: ["x"] },
  oneOf: [{ required: ["x", "y"] }, { required: ["ref"] }],
};

const Pixel = z.number().min(0).max(100_000).optional();
export const PageX = Pixel.describe(
  "The X coordinate, in pixels of the page from the left edge of its viewport.",
);
export const PageY = Pixel.describe(
  "The Y coordinate, in pixels of the page from the top edge of its viewport.",
);

export const Tab = z.object({
  id: z.string().describe("The id of the tab; never reused."),
  title: z.string(),
  url: z.string(),
  active: z.boolean().describe("True for the tab that is visible."),
});

const Lines = z.object({
  tab: Tab,
  text: z.string().describe(
    'One line per element, indented by its depth: `- button "Save" [ref=e12] [disabled]`, then its value. Names and values of more than 200 characters are cut and end with `…`.',
  ),
  elements: z.int().describe("The number of elements in the text."),
  truncated: z.array(z.enum(["elements", "characters", "depth", "size"])).describe(
    "The limits because of which elements were omitted; empty if the text is complete. `size`: the names and values of the page together have more than 16,777,216 characters, or those of the lines more than 2,000,000.",
  ),
});

export const SnapshotAnswer = Lines.extend({
  value: z.string().optional().describe(
    "The full value of the element that `ref` names, with its line breaks, up to 65,536 characters; absent if it has none, and for passwords.",
  ),
});

export const FindAnswer = Lines.extend({
  matches: z.array(z.object({
    ref: z.string(),
    role: z.string(),
    name: z.string().describe("The name, shortened to 200 characters."),
    multiline: z.boolean().optional().describe(
      "True for a text field of several lines; absent for all others.",
    ),
  })).describe("The same elements as a list, the best ones first."),
});

export const Download = z.object({
  id: z.string(),
  url: z.string(),
  name: z.string().describe("The file name that the page suggests."),
  state: z.enum(["running", "completed", "failed"]),
  path: z.string().nullable().describe("The path of the file, once it is completed."),
  bytes: z.number().describe("The number of bytes received so far."),
});

export const NavigationAnswer = z.object({
  tab: Tab,
  loaded: z.boolean().describe(
    "If false, the page is open, but parts of it were not loaded in time; or there was no page (`http_status` 204 or 205) and the tab still has its previous one.",
  ),
  http_status: z.int().nullable().describe("The HTTP status of the page; null if it has none."),
  download: Download.optional().describe(
    "The file that was downloaded instead of a page: the tab still has its previous page, and `loaded` says whether the download is complete.",
  ),
});

export function TimeoutMs(limits: Limits, normal: number, meaning: string) {
  return z.int().min(1).max(limits.maxDurationMs).default(Math.min(normal, limits.maxDurationMs))
    .describe(`${meaning}, in milliseconds.`);
}

export const BROWSER_ERRORS = {
  conflict:
    "The element is gone, hidden, covered or has become another one; or the tab was closed; or a dialog is open in it; or `system/release-all` ended the input.",
  not_found: "There is no such tab.",
  unsupported: "The service was started without a browser.",
  unavailable:
    "The browser cannot be started or reached, it ended in the meantime, or too many calls are waiting.",
  timed_out: "The page did not respond in time.",
};

/** What the operations on pages declare alike. */
export const ON_PAGES = { group: "browser", method: "POST", errors: BROWSER_ERRORS } as const;
