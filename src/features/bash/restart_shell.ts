/** Ends every command and forgets it. */

import type { Context } from "../context.ts";

export async function restartShell({ session }: Context): Promise<void> {
  await session.shell.restart();
}
