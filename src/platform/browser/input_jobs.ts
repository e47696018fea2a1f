/** The jobs that send input to pages: they run one after the other, until all input is released. */

import type { BrowserJobName } from "../types/browser_jobs.ts";

/** What presses something or moves the focus runs one after the other, in the order of arrival. */
export const INPUT: ReadonlySet<BrowserJobName> = new Set([
  ...["click", "pointer", "drag", "scroll", "focus", "type", "keys", "fill"] as const,
]);
