/** Ends a process with everything that it has started. */

import type { Context } from "../context.ts";

export async function terminateProcess(
  { session }: Context,
  { pid }: { readonly pid: number },
): Promise<void> {
  const process = session.shell.find(pid);
  process.remembered = true; // the caller may want to read its output
  await process.terminate();
}
