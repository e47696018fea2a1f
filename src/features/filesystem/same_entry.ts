/** Determines whether two paths are one entry of one folder, or two names of one file. */

import { basename, dirname } from "node:path";
import { realEntryPath } from "./real_entry_path.ts";

/**
 * `alias`: one entry, seen through a mount or in another case; removing it under one path removes
 * both. `hard link`: two entries, one of which may be removed.
 */
export type Sameness = "different" | "same entry" | "alias" | "hard link";

export interface KnownEntry {
  readonly source: string;
  /** Of the entry that the source refers to. */
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

/** Whether the entries lie in different folders, or are both listed in their common folder. */
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
