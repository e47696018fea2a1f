/** Keeps the start and the end of a text that is too long. */

/** At most `max` characters; never half of a surrogate pair. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = max - gapMark(text.length).length; // no count has more digits
  if (kept <= 0) return wellFormed(text.slice(0, max));
  const mark = gapMark(text.length - kept);
  const head = Math.ceil(kept / 2);
  const [start, end] = [text.slice(0, head), text.slice(text.length - (kept - head))];
  // joined, because the engine's sum of slices would keep the whole text in memory
  return [wellFormed(start), mark, wellFormed(end)].join("");
}

function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}

function gapMark(count: number): string {
  return `\n[${count} characters left out]\n`;
}
