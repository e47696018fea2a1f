/** Finds the program file of `--shell`, so that it is the same from every folder. */

import { isAbsolute, resolve } from "node:path";
import { ConfigError } from "../config/config_error.ts";
import type { Host } from "../platform/host.ts";

/**
 * @param shell a name, found on PATH as a shell does, or a path, relative to `cwd`
 * @throws ConfigError when there is no such program
 */
export function findShell(shell: string, host: Pick<Host, "which">, cwd: string): string {
  const isPath = /[\\/]/.test(shell);
  const found = host.which(isPath && !isAbsolute(shell) ? resolve(cwd, shell) : shell);
  if (found !== undefined) return resolve(cwd, found);
  const what = isPath ? "no program that can be started" : "no such program on PATH";
  throw new ConfigError(`--shell "${shell}": there is ${what}: give the path of a shell`);
}
