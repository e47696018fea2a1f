/** The jobs that send input to pages: they run one after the other, until all input is released. */

import { ServiceError } from "../../core/errors.ts";
import type { BrowserJobName } from "../types/browser_jobs.ts";

/** What presses something or moves the focus runs one after the other, in the order of arrival. */
export const INPUT: ReadonlySet<BrowserJobName> = new Set([
  ...["click", "pointer", "drag", "scroll", "focus", "type", "keys", "fill"] as const,
]);

/** The error of input that came before everything was released. */
export function droppedInput(): ServiceError {
  return new ServiceError("conflict", "Dropped: all input was released in the meantime");
}
