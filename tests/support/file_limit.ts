/** How many files a running program may open: changed from outside, for a while. */

import { run } from "./desktop.ts";

/**
 * Leaves it about so many free descriptors; disposing gives the rest back. The limit is one on the numbers of descriptors, not on
 * their count: closing one with a higher number frees none, so a program with nothing left may not accept a connection
 * again before that.
 */
export async function leaveDescriptors(pid: number, count: number): Promise<AsyncDisposable> {
  const before = softLimit(pid);
  await limitFiles(pid, String(openFiles(pid) + count));
  return { [Symbol.asyncDispose]: () => limitFiles(pid, before) };
}

function openFiles(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

function softLimit(pid: number): string {
  const limits = Deno.readTextFileSync(`/proc/${pid}/limits`);
  return /^Max open files\s+(\d+)/m.exec(limits)![1]!;
}

/** Only the soft limit, which can be raised again. */
async function limitFiles(pid: number, limit: string): Promise<void> {
  await run("prlimit", ["--pid", String(pid), `--nofile=${limit}:`]);
}
