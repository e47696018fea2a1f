/**
 * What the environment says: flags by its variables, of which each flag has one, for images and
 * manifests; the user's home, and the state folder.
 */

import { homedir } from "node:os";
import { posix, resolve, win32 } from "node:path";
import { editDistance } from "../core/texts.ts";
import { ConfigError, type Option } from "./option.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Table = Readonly<Record<string, Option<string, never>>>;

const PREFIX = "COMPUTER_CONTROL_";
/** What a Service named `computer-control` puts into every pod beside it, under the name of `--port`. */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//;
const YES = /^(?:1|true|yes|on)$/i;
const NO = /^(?:0|false|no|off)$/i;

/** `COMPUTER_CONTROL_READ_ONLY` for `read-only`. */
export function variableOf(flag: string): string {
  return PREFIX + flag.toUpperCase().replaceAll("-", "_");
}

/**
 * The value of a variable as the flag would have it; `undefined` for none, an empty one, and a switch
 * that is off.
 * @throws ConfigError for a switch that is neither on nor off
 */
export function flagFromEnvironment(
  { flag, placeholder, repeatable, separator }: Option<string, never>,
  env: Env,
): string | true | readonly string[] | undefined {
  const variable = variableOf(flag);
  const text = env[variable]?.trim() ?? "";
  if (text === "" || SERVICE_LINK.test(text)) return undefined;
  if (repeatable) {
    return text.split(separator ?? /[\n,]/).map((each) => each.trim()).filter((each) =>
      each !== ""
    );
  }
  const isSwitch = placeholder === undefined;
  if ((isSwitch || placeholder.startsWith("[")) && YES.test(text)) return true;
  if ((isSwitch || placeholder.startsWith("[")) && NO.test(text)) return undefined;
  if (!isSwitch) return text;
  throw new ConfigError(`${variable} ${JSON.stringify(text)}: must be 1 or 0`);
}

/**
 * Refuses a variable that is nearly the one of a flag: without it a service could be more open than
 * its operator believes. Others may be of another program, or of an orchestrator.
 * @throws ConfigError
 */
export function checkVariables(options: Table, env: Env): void {
  const known = Object.values(options).flatMap(({ flag, variable }) =>
    variable === undefined ? [variableOf(flag)] : [variableOf(flag), variable.name]
  );
  for (const name of Object.keys(env)) {
    if (!name.startsWith(PREFIX) || known.includes(name) || name.length < PREFIX.length + 5) {
      continue;
    }
    const nearest = known.find((each) => editDistance(name.slice(0, MAX_LENGTH), each) <= 2);
    if (nearest === undefined) continue;
    throw new ConfigError(`There is no variable ${name}: did you mean ${nearest}?`);
  }
}

const MAX_LENGTH = 80;

// The user's home, and the state folder of the service.

export interface UserFolders {
  readonly home: string;
  readonly stateDir: string;
}

const NAME = "computer-control";

/**
 * Finds both folders by the conventions of the system; `stateDir` is the value of `--state-dir`.
 */
export function findUserFolders(os: string, env: Env, stateDir: string | undefined): UserFolders {
  const home = findHome(os, env);
  return { home, stateDir: stateDir ?? findStateDir(os, env, home) };
}

function findHome(os: string, env: Env): string {
  const given = os === "windows" ? env["USERPROFILE"] : env["HOME"];
  // a service that was started without a login has no HOME, but its user has a home
  return given || homedir() || "/";
}

function findStateDir(os: string, env: Env, home: string): string {
  const given = env[variableOf("state-dir")];
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
