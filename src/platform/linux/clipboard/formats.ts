/** Which types the formats of the service have on Linux, in the order in which they are tried. */

import type { ClipboardFormat } from "../../types/mod.ts";

/** How the bytes of a type are to be understood. */
export type Encoding = "utf-8" | "latin-1" | "unknown" | "none";

export interface FormatType {
  readonly format: ClipboardFormat;
  readonly type: string;
  readonly encoding: Encoding;
}

export const FORMAT_TYPES: readonly FormatType[] = [
  // first, because GTK 3 ends the lines of text/plain with CR LF
  { format: "text", type: "UTF8_STRING", encoding: "utf-8" },
  { format: "text", type: "text/plain;charset=utf-8", encoding: "utf-8" },
  { format: "text", type: "text/plain", encoding: "unknown" },
  { format: "text", type: "STRING", encoding: "latin-1" },
  { format: "text", type: "TEXT", encoding: "unknown" },
  { format: "html", type: "text/html", encoding: "unknown" },
  { format: "png", type: "image/png", encoding: "none" },
  { format: "files", type: "text/uri-list", encoding: "utf-8" },
  { format: "files", type: "x-special/gnome-copied-files", encoding: "utf-8" },
];

/** The formats that these types are, in the order of the table. */
export function formatsOf(types: readonly string[]): ClipboardFormat[] {
  const there = new Set(types);
  return [
    ...new Set(
      FORMAT_TYPES.filter(({ type }) => there.has(type)).map(({ format }) => format),
    ),
  ];
}

/** The types of a format that are among those offered. */
export function typesFor(format: ClipboardFormat, types: readonly string[]): FormatType[] {
  return FORMAT_TYPES.filter((each) => each.format === format && types.includes(each.type));
}

/** Whether it is the text itself, and no note about it. */
export function isTextType(type: string): boolean {
  return type.startsWith("text/plain") || /^(?:UTF8_STRING|STRING|TEXT|COMPOUND_TEXT)$/.test(type);
}
