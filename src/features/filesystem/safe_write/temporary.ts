/**
 * Files and folders next to their final path: new ones until they are complete, old ones until they
 * are removed.
 */

import { basename, dirname, isAbsolute, join } from "node:path";
import { isThere, removeIfThere, statIfThere, syncFolder } from "../../../core/files.ts";
import { log } from "../../../core/log.ts";
import { fileError, systemCode } from "../file_errors.ts";
import { type Content, writeContent } from "./content.ts";
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
  // stays reachable when another program renames or replaces it, where the system supports this
  await using folder = await Descriptor.openFolder(dirname(path)).catch(() => undefined);
  const entry = await journal.begin({ kind: "temporary", path: temporary, target: path });
  try {
    return await work(temporary, entry);
  } finally {
    // the work has ended in any case; the journal remembers what could not be removed
    if (await removed(temporary, folder)) entry.end();
  }
}

/** A new file beside the path that it is for, with all of its content. */
export interface NewFile {
  readonly temporary: string;
  readonly made: Descriptor;
  readonly entry: JournalEntry;
  readonly hash: string;
}

/** As {@link withTemporary}, with a file that has the content. */
export async function withNewFile<T>(
  journal: Journal,
  path: string,
  { content, mode }: { readonly content: Content; readonly mode: number },
  work: (file: NewFile) => Promise<T>,
): Promise<T> {
  return await withTemporary(journal, path, async (temporary, entry) => {
    await using made = await Descriptor.create(temporary, mode);
    return await work({ temporary, made, entry, hash: await writeContent(made, content) });
  });
}

/** @param folder of the file, which on Linux has another path through /proc */
async function removed(temporary: string, folder: Descriptor | undefined): Promise<boolean> {
  try {
    await removeIfThere(temporary, { recursive: true });
    const held = folder && `/proc/self/fd/${folder.fd}/${basename(temporary)}`;
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

/** Errors of file systems without hard links, and of files that may not have any. */
const NO_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "EMLINK",
  "ENOSYS",
]);

/**
 * Gives a file its final name. Creating a hard link fails if the name exists; a rename would
 * replace the entry.
 * @returns whether the file still has its temporary name, too
 */
export async function appear(temporary: string, path: string): Promise<boolean> {
  try {
    await Deno.link(temporary, path);
    return true;
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    if (await isThere(path)) throw new Deno.errors.AlreadyExists(path, { cause: error });
    await Deno.rename(temporary, path);
    return false;
  }
}

// Takes a file or folder away from its name in one step, completely or not at all.

/**
 * Runs `work` while the entry at `path` has another name beside its own, and removes the entry on
 * success. If the work fails or the service crashes meanwhile, the entry gets its name back, unless
 * another program has taken that; then it stays aside.
 * @throws the system's error when the entry cannot be moved aside; nothing has changed then.
 */
export async function takeAside(
  journal: Journal,
  path: string,
  work: (aside: string) => Promise<void>,
): Promise<void> {
  const aside = temporaryName(path);
  const entry = await journal.begin({ kind: "aside", path, aside });
  try {
    await Deno.rename(path, aside);
    try {
      await work(aside);
    } catch (error) {
      await giveBack(aside, path);
      throw error;
    }
  } catch (error) {
    entry.end();
    throw error;
  }
  // from here on a crash must complete the removal; if that cannot be recorded, a crash restores
  // the entry, which loses nothing
  await entry.replace({ kind: "temporary", path: aside, target: path }).catch(() => {});
  try {
    await removeIfThere(aside, { recursive: true });
    await trySyncFolder(dirname(aside));
    entry.end();
  } catch (error) { // the journal remembers what is left
    log.warn("cannot remove what was taken aside; the next start tries again", {
      path: aside,
      error: String(error),
    });
  }
}

async function giveBack(aside: string, path: string): Promise<void> {
  try {
    if (await appear(aside, path)) await removeIfThere(aside);
    await trySyncFolder(dirname(path));
  } catch (error) {
    log.warn("a file keeps its temporary name", { path, saved: aside, error: String(error) });
  }
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

// Creates a new file that appears complete or not at all, and never replaces an existing one.

/**
 * Creates the file and any missing folders above it; returns the hash of its bytes. On failure it
 * removes the folders that it created.
 * @throws Deno.errors.AlreadyExists when the path exists.
 */
export async function createFile(
  journal: Journal,
  path: string,
  content: Content,
): Promise<string> {
  return await withParents(path, async () => {
    const hash = await withNewFile(journal, path, { content, mode: 0o666 }, async (file) => {
      await appearAs(path, file);
      return file.hash;
    });
    await trySyncFolder(dirname(path));
    return hash;
  });
}

/** @throws Deno.errors.AlreadyExists when the path exists. */
export async function appearAs(path: string, { temporary, made }: NewFile): Promise<void> {
  await made.handle.sync();
  await made.checkStillAt(temporary);
  if (await appear(temporary, path)) await removeIfThere(temporary).catch(() => {}); // tried again
}

/**
 * Creates the missing folders above `path` and runs `work`; removes the created folders if it
 * fails.
 */
export async function withParents<T>(path: string, work: () => Promise<T>): Promise<T> {
  const made: string[] = [];
  try {
    await makeFolders(dirname(path), made);
    return await work();
  } catch (error) {
    for (const folder of made.reverse()) await Deno.remove(folder).catch(() => {});
    throw error;
  }
}

async function makeFolders(folder: string, made: string[]): Promise<void> {
  if (await makeFolder(folder, made)) return;
  await makeFolders(dirname(folder), made);
  // retries only once: a refusal now would be repeated forever
  if (!await makeFolder(folder, made)) throw new Deno.errors.NotFound(folder);
}

/** `false` if the parent folder is missing. */
async function makeFolder(folder: string, made: string[]): Promise<boolean> {
  try {
    await Deno.mkdir(folder);
    made.push(folder);
    return true;
  } catch (error) {
    // for an existing folder, creation may also fail for another reason: a read-only file system
    const found = await statIfThere(folder);
    if (found?.isDirectory) return true;
    if (error instanceof Deno.errors.NotFound && dirname(folder) !== folder) return false;
    if (error instanceof Deno.errors.AlreadyExists) throw await explainObstacle(folder);
    throw error;
  }
}

async function explainObstacle(path: string): Promise<Error> {
  const { isSymlink } = await Deno.lstat(path);
  if (!isSymlink) return new Deno.errors.NotADirectory(path);
  const state = "it is a link that leads to no folder";
  return fileError({ action: "Cannot create folder", path }, "not_found", state);
}
