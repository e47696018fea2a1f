/** Escapes text for XML. */

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\t\n\r]/g, (sign) => ESCAPES[sign]!);
}
