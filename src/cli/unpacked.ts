/** Manages unpacked folders of self-extracting files: locks our own and removes old versions. */

import { basename, dirname, join } from "node:path";

/** Versions that have not been started for this long are removed. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1_000;
/** `0.1.0-36c3ba6220a5f7bc`: the version, and the first digits of its checksum. */
const UNPACKED = /^\d+\.\d+\.\d+\S*-[0-9a-f]{16}$/;
/** A version that is being removed; it is never started again. */
const REMOVED = /^\.removed-/;
/** Written at each start; every running service holds a shared lock on it. */
const MARK = ".used";

/**
 * Locks the folder until the result is disposed of, and removes older versions that are neither
 * running nor recently used. Versions that cannot be removed stay.
 */
export async function holdUnpacked(folder: string): Promise<Disposable> {
  const mark = await Deno.open(join(folder, MARK), { create: true, read: true, write: true });
  await mark.tryLock(false);
  const place = dirname(folder);
  for await (const { name, isDirectory } of Deno.readDir(place)) {
    if (!isDirectory || name === basename(folder)) continue;
    if (REMOVED.test(name)) await remove(join(place, name));
    if (UNPACKED.test(name)) await removeUnused(place, name);
  }
  return mark;
}

async function removeUnused(place: string, name: string): Promise<void> {
  const removed = join(place, `.removed-${name}`);
  try {
    if (!await isUnused(join(place, name))) return;
    await Deno.rename(join(place, name), removed);
  } catch {
    return; // not ours, or another process is removing it
  }
  await remove(removed);
}

/**
 * A starting service first writes the mark and then takes the lock, so the age is read again under
 * the lock.
 */
async function isUnused(folder: string): Promise<boolean> {
  const path = join(folder, MARK);
  if (!await isOld(path)) return false;
  using mark = await Deno.open(path, { read: true, write: true });
  return await mark.tryLock(true) && await isOld(path);
}

async function isOld(path: string): Promise<boolean> {
  const { mtime } = await Deno.stat(path);
  return mtime !== null && Date.now() - mtime.getTime() > UNUSED_MS;
}

async function remove(folder: string): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(() => {}); // the next start tries again
}
