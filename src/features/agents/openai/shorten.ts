/** Keeps the start and the end of a text that is too long. */

/** At most `max` characters; never half of a surrogate pair. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = max - gapMark(text.length).length; // no count has more digits
  if (kept <= 0) return wellFormed(text.slice(0, max));
  const mark = gapMark(text.length - kept);
  const head = Math.ceil(kept / 2);
  return wellFormed(text.slice(0, head)) + mark +
    wellFormed(text.slice(text.length - (kept - head)));
}

function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}

function gapMark(count: number): string {
  return `\n[${count} characters left out]\n`;
}
