/** How an answer with output reports stored values that it may contain. */

import { z } from "zod";
import type { ManagedProcess } from "./managed_process.ts";

/** Stands beside `output` in every answer that has one. */
export const RedactionGap = z.string().optional().describe(
  "Present only if stored secrets may be in `output`, because the keychain could not be read; says why.",
);

export function describeRedaction({ redactionGap }: ManagedProcess) {
  return redactionGap === undefined ? {} : { redaction_gap: redactionGap };
}

/** The same for a model, as a line below the output. */
export function gapLines(gap: string | undefined): string[] {
  return gap === undefined ? [] : [`[Stored secrets may be in this output: ${gap}]`];
}
