/** Programs of a desktop: started as its user, with its variables, and ended with it. */

import { type RealProcess, startProcess } from "../../real_programs/support/processes.ts";
import { isOnPath } from "../test_if.ts";
import { asDesktopUser, type UserOptions } from "./user.ts";

export interface StartOptions extends UserOptions {
  /** Added to the variables of the desktop; an empty one is taken away. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard output goes to this file. */
  readonly output?: string;
}

/** Starts a program and does not wait for it. */
export type StartProgram = (
  program: string,
  args: readonly string[],
  options?: StartOptions,
) => RealProcess;

/** Starts programs that have `home` as their home, by which they are found at the end. */
export function programsOf(
  home: string,
  variables: () => Readonly<Record<string, string>>,
): StartProgram {
  let count = 0;
  return (program, args, { env = {}, output, ...user } = {}) => {
    if (!isOnPath(program)) throw new Deno.errors.NotFound(`${program} is not installed`);
    const all = Object.entries({ ...variables(), ...env }).filter(([, value]) => value !== "");
    const name = program.split("/").at(-1);
    return startProcess("setpriv", {
      args: asDesktopUser(program, args, user),
      env: Object.fromEntries(all),
      log: `${home}/${++count}-${name}.log`,
      ...(output === undefined ? {} : { output }),
    });
  };
}
