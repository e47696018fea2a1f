/** Reads the address of a request as it was sent: not decoded, and without making a URL, which costs more than the rest of a short request. */

/** The path, from the first slash on. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return "/";
  const mark = url.indexOf("?", start);
  return mark === -1 ? url.slice(start) : url.slice(start, mark);
}

/** What follows the question mark; empty without one. */
export function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}
