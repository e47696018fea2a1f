/** Ends every command and forgets it. */

import type { Context } from "../operation.ts";

export async function restartShell({ session }: Context): Promise<void> {
  await session.shell.restart();
}
