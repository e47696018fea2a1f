/** The number of a virtual display: from 99 on, so that none is taken for somebody's desktop. */

export const FIRST_NUMBER = 99;
const LAST_NUMBER = 9_999;

/** Another X server has the number already. */
export class NumberTakenError extends Error {
  override readonly name = "NumberTakenError";
}

/**
 * Starts a server on the first number that is free.
 * @param start throws {@link NumberTakenError} when another was faster
 * @param taken displays (`:99`) that are not to be tried
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

/** Whether somebody listens there, also one that hangs; a socket that a killed server has left is free. */
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
