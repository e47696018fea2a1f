/** Recognises long texts again without keeping them. */

import { createHash } from "node:crypto";
import { CUT_MARK } from "./cut_text.ts";

/** Characters of a text that are kept, for messages; more of it than lines and messages show. */
const MAX_KEPT = 200;

/**
 * A short text itself; of a long one its beginning, the mark, and a hash of all of it. The same for
 * the same text only: what a hash ends is longer than every text that stays.
 */
export function identifyText(text: string): string {
  if (text.length <= MAX_KEPT) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return `${text.slice(0, MAX_KEPT)}${CUT_MARK}${hash}`.toWellFormed();
}
