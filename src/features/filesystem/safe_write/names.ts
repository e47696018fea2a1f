/** Names of temporary entries beside a file; the journal recognises our own entries by them. */

import { basename, dirname, isAbsolute, join } from "node:path";
import type { JournalRecord } from "./journal.ts";

/** Bytes of a name that remain beside the random part and the dots. */
const MAX_STEM_BYTES = 150;
const RANDOM_PART = /^[0-9a-f]{32}$/;
const SUFFIX = ".tmp";

/** A unique name in the same folder. */
export function besides(path: string): string {
  const random = crypto.randomUUID().replaceAll("-", "");
  return join(dirname(path), `${nameStem(path)}${random}${SUFFIX}`);
}

/** Whether {@link besides} could have produced this name for the path. */
export function isBesides(temporary: string, path: string): boolean {
  if (!isAbsolute(path) || dirname(temporary) !== dirname(path)) return false;
  const name = basename(temporary);
  const stem = nameStem(path);
  const random = name.slice(stem.length, -SUFFIX.length);
  return name.startsWith(stem) && name.endsWith(SUFFIX) && RANDOM_PART.test(random);
}

/**
 * Whether a record refers only to what the service creates: temporary names beside their target,
 * and saved bytes in the journal's own folder. Any other record was not written by this service.
 */
export function isOurs(
  record: JournalRecord,
  { folder, run }: { readonly folder: string; readonly run: string },
): boolean {
  if (record.kind === "temporary" || record.kind === "exchanged") {
    return isBesides(record.path, record.target);
  }
  if (record.kind === "aside") return isBesides(record.aside, record.path);
  return isAbsolute(record.path) &&
    [record.before, record.after].every((side) =>
      dirname(side) === folder && isSideFile(basename(side), run)
    );
}

/** Whether a file in the journal's folder holds bytes saved by this run. */
export function isSideFile(name: string, run: string): boolean {
  return name.startsWith(`${run}.`) && /^\d+\.bytes$/.test(name.slice(run.length + 1));
}

function nameStem(path: string): string {
  let short = "";
  let bytes = 0;
  for (const character of basename(path)) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > MAX_STEM_BYTES) break;
    short += character;
  }
  return `.${short}.`;
}
