/** Parses the bytes of a body: UTF-8, bounded in depth and in values. */

import { findExcess, MAX_DEPTH, MAX_VALUES } from "./scan.ts";

/** A value, or what is wrong with the text; never the engine's own message, which quotes it. */
export type Parsed = { value: unknown } | { readonly fault: JsonFault };

export interface JsonFault {
  readonly offset: number;
  readonly msg: string;
}

const NOT_JSON = "JSON decode error";
const EXCESS = {
  levels: `JSON decode error: more than ${MAX_DEPTH} levels of lists and objects`,
  values: `JSON decode error: more than ${MAX_VALUES} values`,
} as const;
const utf8 = new TextDecoder("utf-8", { fatal: true });

export function parseJson(bytes: Uint8Array): Parsed {
  const excess = findExcess(bytes);
  if (excess !== undefined) return { fault: { offset: excess.offset, msg: EXCESS[excess.what] } };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { fault: { offset: 0, msg: NOT_JSON } };
  }
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: { offset: offsetOf(error, text), msg: NOT_JSON } };
  }
}

/** Where the engine stopped, as far as it says so. */
function offsetOf(error: unknown, text: string): number {
  const message = error instanceof Error ? error.message : "";
  if (message === "Unexpected end of JSON input") return text.length;
  return Number(/ at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1] ?? 0);
}
