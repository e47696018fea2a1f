/** Where an open file has data and where holes, and copying of bytes without reading them. */

import type { Platform } from "./types/mod.ts";

/** A stretch of a file, in bytes. */
export interface Stretch {
  readonly start: number;
  /** The first byte behind it. */
  readonly end: number;
}

/** For the system's numbers of open files. */
export interface FileRanges {
  /** The next data from `at` on in a file of this size; `undefined` where nothing but a hole is left. */
  nextData(fd: number, at: number, size: number): Stretch | undefined;
  /** Copies within the system from and to the same offset; gives how many bytes, 0 where they must be read and written. */
  copy(fds: { readonly from: number; readonly to: number }, stretch: Stretch): Promise<number>;
}

let opened: Promise<FileRanges | undefined> | undefined;

/** The same one for every call; `undefined` on systems whose own call for copying files does all this. */
export function openFileRanges(system: Platform["system"]): Promise<FileRanges | undefined> {
  return opened ??= open(system);
}

async function open(system: Platform["system"]): Promise<FileRanges | undefined> {
  if (system !== "linux") return undefined;
  return (await import("./linux/files/ranges.ts")).openLinuxFileRanges();
}
