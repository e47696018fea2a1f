/** Waits until programs listen to the first mouse or keyboard of a seat: they miss what comes before. */

import { pause } from "../../../core/deadline.ts";
import { UnreadBytesReader } from "./unread_bytes.ts";

/** What a program that is not busy takes to listen, once it has read that there is a device. */
const LISTEN_MS = 300;
const POLL_INTERVAL_MS = 5;
/** A pause that took longer was late: the computer is busy, and so are the programs. */
const LATE_FACTOR = 2;
/** So many looks in a row find something unread by a busy program; one that shows a film reads sooner. */
const BUSY_LOOKS = 4;
/** Nobody waits longer for a program that does not read. */
const LONGEST_MS = 5_000;

/**
 * To be called when a device was added. A program asks for it when it reads that there is one, so
 * none must have been busy for a while, nor the compositor with what it says; a busy computer makes the
 * while longer.
 * @param socket of the compositor: its name, such as `wayland-1`, or its path
 */
export async function awaitListeners(
  socket: string,
  reader: Pick<UnreadBytesReader, "read"> = new UnreadBytesReader(socket),
): Promise<void> {
  const began = performance.now();
  let looks = new Map<number, number>();
  for (let quietMs = 0; quietMs < LISTEN_MS;) {
    const before = performance.now();
    await pause(POLL_INTERVAL_MS);
    const now = performance.now();
    if (now - began > LONGEST_MS) return;
    quietMs += Math.min(now - before, POLL_INTERVAL_MS * LATE_FACTOR);
    const unread = reader.read().entries().filter(([, bytes]) => bytes > 0);
    looks = new Map(unread.map(([inode]) => [inode, (looks.get(inode) ?? 0) + 1]));
    if (looks.values().some((count) => count >= BUSY_LOOKS)) quietMs = 0;
  }
}
