/** Bounds what pages say where it enters: their texts can have many megabytes. */

import { cutText } from "../../core/cut_text.ts";

const MAX_TEXT = 16 * 1024;

export function cut(text: string): string {
  return cutText(text, MAX_TEXT).toWellFormed();
}
