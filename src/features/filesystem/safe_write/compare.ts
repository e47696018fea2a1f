/** Determines what an interrupted in-place write has left; reads the three files piece by piece. */

import type { Descriptor } from "./descriptor.ts";

/** `mix`: our own unfinished write. `other`: another program has changed the file since. */
export type Found = "old" | "new" | "mix" | "other";

/** Block size for detecting a mix of old and new bytes, because systems write in blocks. */
const BLOCK = 4_096;
const PIECE = 256 * BLOCK;

/** Two: where writing the new bytes stopped, and where restoring the old ones stopped. */
const MAX_TORN = 2;

interface Files {
  readonly now: Descriptor;
  readonly old: Descriptor;
  readonly fresh: Descriptor;
}

export async function compareWithBoth(files: Files): Promise<Found> {
  const sizes = { now: await files.now.size(), old: await files.old.size() };
  const freshSize = await files.fresh.size();
  const seen = await readThrough(files);
  if (seen.isOld && sizes.now === sizes.old) return "old";
  if (seen.isNew && sizes.now === freshSize) return "new";
  if (sizes.now > Math.max(sizes.old, freshSize)) return "other";
  // our writing never shortens the file; a file cut by a system crash has lost bytes, not gained
  // any
  if (sizes.now < sizes.old) return seen.isOld && sizes.now > 0 ? "mix" : "other";
  return seen.torn <= MAX_TORN ? "mix" : "other";
}

/**
 * How the bytes read so far compare: whether they match the start of the old or of the new file,
 * and how many blocks match neither.
 */
interface Seen {
  isOld: boolean;
  isNew: boolean;
  /** Infinity if any byte matches neither. */
  torn: number;
}

async function readThrough({ now, old, fresh }: Files): Promise<Seen> {
  const seen: Seen = { isOld: true, isNew: true, torn: 0 };
  const buffers = [now, old, fresh].map((file) => ({ file, bytes: new Uint8Array(PIECE) }));
  for (const { file } of buffers) file.rewind();
  while (true) {
    const [here, before, after] = await Promise.all(
      buffers.map(async ({ file, bytes }) => bytes.subarray(0, await file.read(bytes))),
    ) as [Uint8Array, Uint8Array, Uint8Array];
    if (here.length === 0) return seen;
    for (let start = 0; start < here.length; start += BLOCK) {
      const cut = (bytes: Uint8Array) => bytes.subarray(start, start + BLOCK);
      judge(seen, cut(here), cut(before), cut(after));
    }
    if (seen.torn > MAX_TORN && !seen.isOld && !seen.isNew) return seen;
  }
}

function judge(seen: Seen, here: Uint8Array, old: Uint8Array, fresh: Uint8Array): void {
  const isOld = startsWith(old, here);
  const isNew = startsWith(fresh, here);
  seen.isOld &&= isOld;
  seen.isNew &&= isNew;
  if (isOld || isNew) return;
  seen.torn += isTorn(here, old, fresh) ? 1 : Infinity;
}

/**
 * Whether the block consists of old bytes (up to where a restore stopped), new bytes (up to where
 * the write stopped), then old bytes.
 */
function isTorn(here: Uint8Array, old: Uint8Array, fresh: Uint8Array): boolean {
  let at = 0;
  while (at < here.length && here[at] === old[at]) at++;
  while (at < here.length && here[at] === fresh[at]) at++;
  while (at < here.length && here[at] === old[at]) at++;
  return at === here.length;
}

function startsWith(whole: Uint8Array, part: Uint8Array): boolean {
  if (whole.length < part.length) return false;
  for (let index = 0; index < part.length; index++) {
    if (part[index] !== whole[index]) return false;
  }
  return true;
}
