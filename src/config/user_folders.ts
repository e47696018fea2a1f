/** Finds the user's home and the state folder of the service. */

import { homedir } from "node:os";
import { posix, resolve, win32 } from "node:path";
import { variableOf } from "./environment.ts";

export interface UserFolders {
  readonly home: string;
  readonly stateDir: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const NAME = "computer-control";

/**
 * Finds both folders by the conventions of the system; `stateDir` is the value of `--state-dir`.
 */
export function findUserFolders(os: string, env: Env, stateDir: string | undefined): UserFolders {
  const home = findHome(os, env);
  return { home, stateDir: stateDir ?? findStateDir(os, env, home) };
}

/** For the commands that take no other flag of the service. */
const STATE_DIR = variableOf("state-dir");

function findHome(os: string, env: Env): string {
  const given = os === "windows" ? env["USERPROFILE"] : env["HOME"];
  // a service that was started without a login has no HOME, but its user has a home
  return given || homedir() || "/";
}

function findStateDir(os: string, env: Env, home: string): string {
  const given = env[STATE_DIR];
  if (given) return resolve(given);
  if (os === "windows") {
    const local = env["LOCALAPPDATA"] || win32.join(home, "AppData", "Local");
    return win32.join(local, NAME);
  }
  if (os === "darwin") return posix.join(home, "Library", "Application Support", NAME);
  return posix.join(xdgFolder(env, "XDG_STATE_HOME", posix.join(home, ".local", "state")), NAME);
}

/** The folder of a variable; the XDG specification requires that a relative path is ignored. */
export function xdgFolder(env: Env, variable: string, otherwise: string): string {
  const given = env[variable];
  return given?.startsWith("/") ? given : otherwise;
}
