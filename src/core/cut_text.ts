/** Cuts texts so that the cut can be seen: by whoever reads them, and by the redaction. */

/** Stands for what was cut off. Programs write it there, too. */
export const CUT_MARK = "…";

/** At most `max` characters and the mark; no surrogate pair is split. */
export function cutText(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}${CUT_MARK}`.toWellFormed() : text;
}
