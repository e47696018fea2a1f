/** Whether any program has a file open for writing. */

/** For the system's number of a file that this process has opened for reading only. `false` where the system does not tell. */
export type HeldForWriting = (fd: number) => boolean;

let opened: Promise<HeldForWriting> | undefined;

/** The same one for every call. */
export function openHeldForWriting(): Promise<HeldForWriting> {
  return opened ??= import("./linux/files/held_for_writing.ts")
    .then((linux) => linux.openLinuxHeldForWriting());
}
