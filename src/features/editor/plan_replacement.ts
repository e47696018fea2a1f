/** Finds where a text occurs in the bytes of a file, and plans its replacement. */

import { ServiceError, ValueFault } from "../../core/errors.ts";
import type { Replacing } from "./edit_task.ts";
import { findMatches } from "./find_matches.ts";
import type { Splice } from "./splice.ts";

/**
 * @returns `undefined` when both texts are equal.
 * @throws ValueFault when the text does not occur, or not only once, ServiceError `too_large` when it occurs too
 * often.
 */
export function planReplacement(
  bytes: Uint8Array,
  { oldText, newText, limit, unique }: Replacing,
  { path, checkStop }: { readonly path: string; checkStop(): void },
): Splice | undefined {
  const encoder = new TextEncoder();
  const [removed, inserted] = [encoder.encode(oldText), encoder.encode(newText)];
  const at = findMatches(bytes, removed, { limit, checkStop });
  if (at === undefined) throw tooMany(path, limit);
  if (at.length === 0) throw new ValueFault("old_str", notFound(path, bytes));
  if (unique && at.length > 1) throw new ValueFault("old_str", notUnique(path, at.length));
  return oldText === newText ? undefined : { at, removed, inserted };
}

function notFound(path: string, bytes: Uint8Array): string {
  const start = `old_str does not occur in ${JSON.stringify(path)}: it must match exactly, with ` +
    "every space and line break";
  return bytes.includes(13) ? `${start}; this file has "\\r\\n" line breaks` : start;
}

function notUnique(path: string, count: number): string {
  return `old_str occurs ${count} times in ${JSON.stringify(path)}, and unique was asked for: ` +
    "give more of the text around it";
}

function tooMany(path: string, limit: number): ServiceError {
  return new ServiceError(
    "too_large",
    `Cannot edit ${
      JSON.stringify(path)
    }: old_str occurs more than ${limit} times (--max-replacements)`,
  );
}
