/** Whose desktop it is: compositors refuse to run as root, so tests that root runs start them as another user. */

/** `nobody`, who exists on every system. */
const NOBODY = 65_534;

export const IS_ROOT = Deno.build.os === "linux" && Deno.uid() === 0;

export interface UserOptions {
  /**
   * Whether it must see which program each of its clients is, as it does where all have one user: a
   * test that root runs is such a client.
   */
  readonly seesPrograms?: boolean;
}

/**
 * The arguments of `setpriv` for a program of the desktop's user, which is killed when the thread that
 * started it ends: a test that is killed itself leaves none behind.
 */
export function asDesktopUser(
  program: string,
  args: readonly string[],
  { seesPrograms = false }: UserOptions = {},
): string[] {
  const user = IS_ROOT ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];
  const capabilities = IS_ROOT && seesPrograms
    ? ["--inh-caps=+sys_ptrace,+dac_read_search", "--ambient-caps=+sys_ptrace,+dac_read_search"]
    : [];
  return [...user, ...capabilities, "--pdeathsig=KILL", "--", program, ...args];
}

/** Lets the user of the desktop own a file or a folder. */
export async function giveToDesktopUser(path: string): Promise<void> {
  if (IS_ROOT) await Deno.chown(path, NOBODY, NOBODY);
}
