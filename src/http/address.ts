/** Reads the address of a request: the path, the query, and the segment that names the computer. */

import { RESERVED_NAMES } from "../config/reserved_computer_names.ts";
import { Refusal } from "./refusal.ts";

const SHOWN_NAME_LENGTH = 64;

export interface Target {
  readonly path: string;
  /** What follows the question mark; empty without one. */
  readonly query: string;
}

/** Path and query as they were sent: not decoded, and without making a URL, which costs more than the rest of a short request. */
export function targetOf(url: string): Target {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return { path: "/", query: "" };
  const mark = url.indexOf("?", start);
  if (mark === -1) return { path: url.slice(start), query: "" };
  return { path: url.slice(start, mark), query: url.slice(mark + 1) };
}

export interface NamedPath {
  /** The first segment, as a path: `/desk-1`. */
  readonly base: string;
  /** What is left of the path: `/api/...`, `/` or empty. */
  readonly rest: string;
}

/**
 * Splits a path that begins with a computer's name.
 * @returns undefined when the first segment cannot be a name.
 * @throws Refusal `not_found` when it is another computer's name.
 */
export function splitName(path: string, ownName: string | undefined): NamedPath | undefined {
  const end = path.indexOf("/", 1);
  const segment = end === -1 ? path.slice(1) : path.slice(1, end);
  const name = decodeName(segment);
  if (name === undefined || name === "" || RESERVED_NAMES.has(name)) return undefined;
  if (ownName !== undefined && name !== ownName) {
    const other = JSON.stringify(name.slice(0, SHOWN_NAME_LENGTH));
    throw new Refusal("not_found", `This computer is "${ownName}", not ${other}`);
  }
  return { base: `/${encodeURIComponent(name)}`, rest: end === -1 ? "" : path.slice(end) };
}

function decodeName(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
