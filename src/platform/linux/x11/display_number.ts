/**
 * Chooses the number of a virtual display: 99 or higher, so that it is not mistaken for a user's
 * desktop.
 */

export const FIRST_NUMBER = 99;
const LAST_NUMBER = 9_999;

/** Another X server already uses the number. */
export class NumberTakenError extends Error {
  override readonly name = "NumberTakenError";
}

/**
 * Starts a server on the first free number.
 * @param start throws {@link NumberTakenError} when another server took the number first
 * @param taken displays (`:99`) to skip
 */
export async function startOnFreeNumber<T>(
  start: (display: string) => Promise<T>,
  taken: ReadonlySet<string>,
): Promise<T> {
  for (let number = FIRST_NUMBER; number <= LAST_NUMBER; number++) {
    const display = `:${number}`;
    if (taken.has(display) || await isServed(number)) continue;
    try {
      return await start(display);
    } catch (error) {
      if (!(error instanceof NumberTakenError)) throw error;
    }
  }
  throw new Error(`every display from :${FIRST_NUMBER} to :${LAST_NUMBER} is taken`);
}

export function socketPath(number: number): string {
  return `/tmp/.X11-unix/X${number}`;
}

/**
 * Whether a server listens there, even one that hangs; the socket left behind by a killed server
 * counts as free.
 */
async function isServed(number: number): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path: socketPath(number) })).close();
    return true;
  } catch (error) {
    const free = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.ConnectionRefused;
    return !free;
  }
}
