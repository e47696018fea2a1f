/** Bounds what pages say: their texts can have many megabytes. */

const MAX_TEXT = 2_000;

export function cut(text: string): string {
  const whole = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return whole.toWellFormed();
}
