/** What threads hand over of a content. */

import type { ClipboardContent } from "../../types/mod.ts";

/** The memory of a content, which threads hand over instead of copying it. */
export function listBuffers({ text = [], html = [], png = [] }: ClipboardContent): ArrayBuffer[] {
  return [...new Set([...text, ...html, ...png].map(({ buffer }) => buffer))];
}
