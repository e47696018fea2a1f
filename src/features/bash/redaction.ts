/** What an answer with output says about stored values in it. */

import { z } from "zod";
import type { ManagedProcess } from "./managed_process.ts";

/** Beside `output`, in the answers that have one. */
export const RedactionGap = z.string().optional().describe(
  "It is there only when stored values may be in `output`, because the keychain could not be read, and says why.",
);

export function describeRedaction({ redactionGap }: ManagedProcess) {
  return redactionGap === undefined ? {} : { redaction_gap: redactionGap };
}
