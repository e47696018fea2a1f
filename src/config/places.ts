/** The two folders that the service must know of its user: the home, and where state is kept. */

import { homedir } from "node:os";
import { posix, win32 } from "node:path";

export interface Places {
  readonly home: string;
  readonly stateDir: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const NAME = "computer-control";

/** Home and state folder by the customs of the system; `stateDir` is the one that `--state-dir` names. */
export function readPlaces(os: string, env: Env, stateDir: string | undefined): Places {
  const home = findHome(os, env);
  return { home, stateDir: stateDir ?? findStateDir(os, env, home) };
}

function findHome(os: string, env: Env): string {
  const given = os === "windows" ? env["USERPROFILE"] : env["HOME"];
  // a service that was started without a login has no variable, but its user has a home
  return given || homedir() || "/";
}

function findStateDir(os: string, env: Env, home: string): string {
  if (os === "windows") {
    const local = env["LOCALAPPDATA"] || win32.join(home, "AppData", "Local");
    return win32.join(local, NAME);
  }
  if (os === "darwin") return posix.join(home, "Library", "Application Support", NAME);
  const given = env["XDG_STATE_HOME"];
  // the specification says that a relative one is to be ignored
  const base = given?.startsWith("/") ? given : posix.join(home, ".local", "state");
  return posix.join(base, NAME);
}
