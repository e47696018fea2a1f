/**
 * The clipboard format "HTML Format": a header of byte offsets before the HTML, in UTF-8.
 * https://learn.microsoft.com/windows/win32/dataxchg/html-clipboard-format
 */

const BEFORE = "<html><body>\r\n<!--StartFragment-->";
const AFTER = "<!--EndFragment-->\r\n</body></html>";
const encoder = new TextEncoder();

export function formatHtml(fragment: Uint8Array): Uint8Array<ArrayBuffer> {
  const [before, after] = [encoder.encode(BEFORE), encoder.encode(AFTER)];
  const start = header({ html: 0, fragment: 0, afterFragment: 0, end: 0 }).length;
  const from = start + before.length;
  const to = from + fragment.length;
  const end = to + after.length;
  const bytes = new Uint8Array(end + 1); // programs expect a NUL
  bytes.set(header({ html: start, fragment: from, afterFragment: to, end }));
  bytes.set(before, start);
  bytes.set(fragment, from);
  bytes.set(after, to);
  return bytes;
}

/** The fragment, or all HTML where no fragment is marked. */
export function parseHtml(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const start = new TextDecoder().decode(bytes.subarray(0, 1_024));
  const offset = (name: string) => {
    const text = new RegExp(`^${name}:\\s*(-?\\d+)`, "m").exec(start)?.[1];
    return text === undefined || Number(text) < 0 ? undefined : Number(text);
  };
  const from = offset("StartFragment") ?? offset("StartHTML") ?? 0;
  const nul = bytes.indexOf(0, from);
  const to = offset("EndFragment") ?? offset("EndHTML") ?? (nul < 0 ? bytes.length : nul);
  return bytes.subarray(from, Math.max(from, to));
}

interface Offsets {
  readonly html: number;
  readonly fragment: number;
  readonly afterFragment: number;
  readonly end: number;
}

function header({ html, fragment, afterFragment, end }: Offsets): Uint8Array {
  const digits = (offset: number) => String(offset).padStart(10, "0");
  return encoder.encode([
    "Version:0.9",
    `StartHTML:${digits(html)}`,
    `EndHTML:${digits(end)}`,
    `StartFragment:${digits(fragment)}`,
    `EndFragment:${digits(afterFragment)}`,
    "",
  ].join("\r\n"));
}
