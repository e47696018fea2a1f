/** Parses the bytes of a body as UTF-8 and JSON, with limits on depth and number of values. */

import { isUtf8 } from "node:buffer";
import { findExcess, MAX_DEPTH, MAX_VALUES } from "../core/json_scan.ts";

/**
 * A value, or what is wrong with the text; never the engine's own message, which quotes the text.
 */
export type Parsed = { value: unknown } | { readonly error: JsonSyntaxError };

export interface JsonSyntaxError {
  readonly offset: number;
  readonly msg: string;
}

const NOT_JSON = "JSON decode error";
const EXCESS = {
  levels: `JSON decode error: more than ${MAX_DEPTH} levels of lists and objects`,
  values: `JSON decode error: more than ${MAX_VALUES} values`,
} as const;
const utf8 = new TextDecoder();
/** What the decoder substitutes for invalid UTF-8; a client may also send this character itself. */
const REPLACEMENT = "\ufffd";

export function parseJson(bytes: Uint8Array): Parsed {
  // each level and each value takes a byte
  const excess = bytes.byteLength > MAX_DEPTH ? findExcess(bytes) : undefined;
  if (excess !== undefined) return { error: { offset: excess.offset, msg: EXCESS[excess.what] } };
  // to check every body would take longer
  const text = utf8.decode(bytes);
  if (text.includes(REPLACEMENT) && !isUtf8(bytes)) {
    return { error: { offset: 0, msg: NOT_JSON } };
  }
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: { offset: findErrorOffset(error, text), msg: NOT_JSON } };
  }
}

/** The offset where the engine stopped, if its message contains it. */
function findErrorOffset(error: unknown, text: string): number {
  const message = error instanceof Error ? error.message : "";
  if (message === "Unexpected end of JSON input") return text.length;
  return Number(/ at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1] ?? 0);
}
