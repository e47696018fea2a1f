/** Ends a process with everything that it started. */

import type { Context } from "../context.ts";

export async function terminateProcess(
  { session }: Context,
  { pid }: { readonly pid: number },
): Promise<void> {
  const process = session.shell.find(pid);
  process.remembered = true; // whoever ends it may want to read what it wrote
  await process.terminate();
}
