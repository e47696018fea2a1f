/**
 * Names the fields that a request has and its operation does not know, where the service was started
 * to ignore them: a header says so.
 */

/** A name within others, from the outermost: `["item", "colour"]`. */
export type FieldPath = readonly (string | number)[];

/** The most fields to look for. */
export const MAX_IGNORED = 16;
const MAX_KEY_LENGTH = 64;
const MAX_LENGTH = 1_024;

/**
 * The value of the header: names with commas, nested ones with dots. It holds only characters that
 * a header may have, others as UTF-8 with percent signs; `...` stands for what is too much.
 */
export function describeIgnored(paths: readonly FieldPath[]): string {
  let text = "";
  for (const path of paths.slice(0, MAX_IGNORED - 1)) {
    const name = path.map(encodeKey).join(".");
    if (text.length + name.length > MAX_LENGTH) return `${text}...`;
    text += `${name}, `;
  }
  return paths.length < MAX_IGNORED ? text.slice(0, -2) : `${text}...`;
}

function encodeKey(key: string | number): string {
  if (key === "") return '""';
  return encodeURIComponent(String(key).slice(0, MAX_KEY_LENGTH).toWellFormed());
}
