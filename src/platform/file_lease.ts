/** Keeps a file to this process for a moment: other programs that open it wait meanwhile. */

/**
 * `held`: another program has the file open. `unavailable`: the system, the file system or the file's owner does not
 * allow it.
 */
export type Lease = Disposable | "held" | "unavailable";

/**
 * For the system's number of a file that this process has opened for writing, once and no other time: opening it again
 * would wait for the lease, too.
 */
export type TakeLease = (fd: number) => Lease;

let opened: Promise<TakeLease> | undefined;

/** The same one for every call. */
export function openFileLease(): Promise<TakeLease> {
  return opened ??= import("./linux/file_lease.ts").then((linux) => linux.openLinuxFileLease());
}
