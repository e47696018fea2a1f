/** Shortens texts to what a model's context can hold. */

/** Characters kept of the beginning and of the end. */
const HEAD = 20_000;
const TAIL = 40_000;

/** Leaves out the middle of a long text, and says how much. */
export function shorten(text: string): string {
  if (text.length <= HEAD + TAIL) return text;
  const head = text.slice(0, HEAD);
  const tail = text.slice(-TAIL);
  const left = text.length - HEAD - TAIL;
  return `${head}\n[... ${left} characters left out ...]\n${tail}`.toWellFormed();
}
