/** Replaces every occurrence of a text in a file, byte for byte. */

import { ServiceError, ValueFault } from "../../errors.ts";
import { resolvePath } from "../filesystem/path.ts";
import type { Context } from "../operation.ts";
import { editFile } from "./edit_file.ts";
import { findMatches } from "./find_matches.ts";

export interface Replacement {
  readonly path: string;
  readonly old_str: string;
  readonly new_str: string;
}

export async function replaceString(context: Context, input: Replacement): Promise<void> {
  const { config, signal } = context;
  const path = resolvePath(input.path, config.home, "path");
  const encoder = new TextEncoder();
  const removed = encoder.encode(input.old_str);
  const inserted = encoder.encode(input.new_str);
  const limit = config.limits.maxReplacements;
  await editFile(context, { action: "Cannot edit", path, field: "path" }, async (bytes) => {
    const at = await findMatches(bytes, removed, { limit, signal });
    if (at === undefined) throw tooMany(path, limit);
    if (at.length === 0) throw new ValueFault("old_str", notFound(path, bytes));
    signal.throwIfAborted(); // from here on the edit is finished, whoever waits for it
    return input.old_str === input.new_str ? undefined : { at, removed, inserted };
  });
}

function notFound(path: string, bytes: Uint8Array): string {
  const start = `old_str does not occur in ${JSON.stringify(path)}: it must match exactly, with ` +
    "every space and line break";
  return bytes.includes(13) ? `${start}; this file has "\\r\\n" line breaks` : start;
}

function tooMany(path: string, limit: number): ServiceError {
  return new ServiceError(
    "too_large",
    `Cannot edit ${
      JSON.stringify(path)
    }: old_str occurs more than ${limit} times (--max-replacements)`,
  );
}
