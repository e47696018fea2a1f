/** Creates a file or folder beside its final place, and removes it unless it gets there. */

import { basename, dirname, isAbsolute, join } from "node:path";
import { removeIfThere, syncFolder } from "../../../core/files.ts";
import { log } from "../../../core/log.ts";
import { Descriptor } from "./descriptor.ts";
import type { Journal, JournalEntry, JournalRecord } from "./journal.ts";

/**
 * Runs `work` with the path of a temporary file in the folder of `path`, and its entry in the
 * journal, which is written before the file is created. Afterwards nothing of it is left
 * under that path, whether or not it was renamed.
 */
export async function withTemporary<T>(
  journal: Journal,
  path: string,
  work: (temporary: string, entry: JournalEntry) => Promise<T>,
): Promise<T> {
  const temporary = temporaryName(path);
  await using folder = await HeldFolder.open(dirname(path));
  const entry = await journal.begin({ kind: "temporary", path: temporary, target: path });
  try {
    return await work(temporary, entry);
  } finally {
    // the work is done either way; the journal remembers what could not be removed
    if (await removed(temporary, folder)) entry.end();
  }
}

/** A folder that stays reachable when another program renames or replaces it. */
class HeldFolder implements AsyncDisposable {
  private constructor(private readonly open: Descriptor | undefined) {}

  /** If the system does not support this, uses the path. */
  static async open(path: string): Promise<HeldFolder> {
    return new HeldFolder(await Descriptor.openFolder(path).catch(() => undefined));
  }

  /** Another path of the entry with this name in the folder, through /proc on Linux. */
  at(name: string): string | undefined {
    return this.open && `/proc/self/fd/${this.open.fd}/${name}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.open?.[Symbol.asyncDispose]();
  }
}

async function removed(temporary: string, folder: HeldFolder): Promise<boolean> {
  try {
    await removeIfThere(temporary, { recursive: true });
    const held = folder.at(basename(temporary));
    if (held !== undefined) await removeIfThere(held, { recursive: true });
    return true;
  } catch (error) {
    log.warn("cannot remove a temporary file; the next start tries again", {
      path: temporary,
      error: String(error),
    });
    return false;
  }
}

/** {@link syncFolder}, if the system supports it; the change is made in any case. */
export async function trySyncFolder(folder: string): Promise<void> {
  await syncFolder(folder).catch(() => {});
}

// Names of temporary entries beside a file; the journal recognises our own entries by them.

/** Bytes of a name that remain beside the random part and the dots. */
const MAX_STEM_BYTES = 150;
const RANDOM_PART = /^[0-9a-f]{32}$/;
const SUFFIX = ".tmp";

/** A unique name in the same folder. */
export function temporaryName(path: string): string {
  const random = crypto.randomUUID().replaceAll("-", "");
  return join(dirname(path), `${nameStem(path)}${random}${SUFFIX}`);
}

/** Whether {@link temporaryName} could have produced this name for the path. */
function isTemporaryName(temporary: string, path: string): boolean {
  if (!isAbsolute(path) || dirname(temporary) !== dirname(path)) return false;
  const name = basename(temporary);
  const stem = nameStem(path);
  const random = name.slice(stem.length, -SUFFIX.length);
  return name.startsWith(stem) && name.endsWith(SUFFIX) && RANDOM_PART.test(random);
}

/**
 * Whether a record refers only to what the service creates: temporary names beside their target.
 * Any other record was not written by this service.
 */
export function isOurs(record: JournalRecord): boolean {
  if (record.kind === "temporary" || record.kind === "exchanged") {
    return isTemporaryName(record.path, record.target);
  }
  if (record.kind === "aside") return isTemporaryName(record.aside, record.path);
  return isAbsolute(record.path);
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
