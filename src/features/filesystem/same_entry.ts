/** Whether two paths are one entry of one folder, or two names of one file. */

import { basename, dirname } from "node:path";
import { realEntryPath } from "./real_entry_path.ts";

/**
 * `alias`: one and the same entry, seen through a mount or in another case; who removes it under one path removes it
 * under both. `hard link`: two entries, of which one may go.
 */
export type Sameness = "different" | "same entry" | "alias" | "hard link";

export interface KnownEntry {
  readonly source: string;
  /** Of what the source stands for. */
  readonly info: Deno.FileInfo;
}

/** Both exist. */
export async function compareEntries(
  { source, info }: KnownEntry,
  destination: string,
): Promise<Sameness> {
  const [from, to] = await Promise.all([source, destination].map(realEntryPath)) as [
    string,
    string,
  ];
  if (from === to) return "same entry";
  const there = await Deno.lstat(to);
  if (!isSame(info, there)) return "different";
  const areLinks = !there.isDirectory && (there.nlink ?? 1) > 1 && await areTwoEntries(from, to);
  return areLinks ? "hard link" : "alias";
}

export function isSame(one: Deno.FileInfo, other: Deno.FileInfo): boolean {
  return one.dev === other.dev && one.ino === other.ino && one.ino !== null;
}

/** In different folders, or both listed in the one that they share. */
async function areTwoEntries(one: string, other: string): Promise<boolean> {
  const [folder, otherFolder] = await Promise.all([
    Deno.stat(dirname(one)),
    Deno.stat(dirname(other)),
  ]);
  if (!isSame(folder, otherFolder)) return true;
  const wanted = new Set([basename(one), basename(other)]);
  if (wanted.size === 1) return false;
  for await (const { name } of Deno.readDir(dirname(one))) wanted.delete(name);
  return wanted.size === 0;
}
