/** Checks whether an X server that was not named explicitly is the desktop of our user. */

import { socketPath } from "./display_number.ts";
import { isVirtualDisplay } from "./display_mark.ts";
import { X11Connection } from "./connection.ts";
import { XOpenError } from "./setup.ts";

/**
 * @param uid our user, or `null` on systems without numeric user ids
 * @throws XOpenError when there is no server, when it belongs to another user, when it refuses the
 *   connection, or when it is the virtual display of another instance
 */
export async function checkGuess(xDisplay: string, uid: number | null): Promise<void> {
  const owner = await findOwner(socketPath(Number(xDisplay.slice(1))));
  if (owner === undefined) {
    throw new XOpenError("absent", `no X server answers at "${xDisplay}"`);
  }
  if (owner !== uid) {
    throw new XOpenError("not_ours", `the X server at "${xDisplay}" is another user's`);
  }
  using connection = await X11Connection.open(xDisplay);
  if (!await isVirtualDisplay(connection)) return;
  throw new XOpenError(
    "not_ours",
    `the X server at "${xDisplay}" is the virtual display of another instance`,
  );
}

async function findOwner(path: string): Promise<number | undefined> {
  try {
    return (await Deno.lstat(path)).uid ?? undefined;
  } catch {
    return undefined;
  }
}
