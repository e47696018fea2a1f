/** The flags of an installed service: as given, but true wherever it is started from, and without a secret. */

import { isAbsolute, resolve } from "node:path";
import { ConfigError } from "../../config/config_error.ts";
import type { Flags } from "../../config/flags.ts";
import { LIMIT_FLAGS } from "../../config/limit_flags.ts";
import type { Limits } from "../../core/limits.ts";

/** Flags whose values are paths. */
const PATHS = ["token-file", "state-dir", "keychain-key-file", "shell"];

type Env = Readonly<Record<string, string | undefined>>;

/**
 * One argument for each flag: `--name=value`, or `--name` for a switch. Relative paths become whole ones.
 * @throws ConfigError when the token is in the environment, which no service file may hold, or when a value
 *   has control characters, which XML cannot hold.
 */
export function serviceFlags(flags: Flags, env: Env, cwd: string): readonly string[] {
  if (env["COMPUTER_CONTROL_TOKEN"] && flags["token-file"] === undefined) {
    throw new ConfigError(
      "The token of COMPUTER_CONTROL_TOKEN is not written into a service file, which others may read: " +
        "put it into a file with mode 600 and name that with --token-file",
    );
  }
  refuseControls(flags);
  const { limits = {}, ...named } = flags;
  const ofLimits = Object.keys(LIMIT_FLAGS).map(flagOf);
  const all = [
    ...Object.entries(named).filter(([name]) => !ofLimits.includes(name)),
    ...Object.entries(limits).map(([name, value]) => [flagOf(name), value] as const),
  ];
  return all.flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const values = Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
    return values.map((each) => `--${name}=${PATHS.includes(name) ? wholePath(each, cwd) : each}`);
  });
}

/** XML cannot hold them, and nobody means them. */
function refuseControls(flags: Flags): void {
  const found = Object.entries(flags).find(([, value]) =>
    // deno-lint-ignore no-control-regex -- these are what is looked for
    /[\x00-\x1f\x7f]/.test(String(value))
  );
  if (found === undefined) return;
  throw new ConfigError(`--${found[0]}: a service file cannot hold control characters`);
}

function flagOf(limit: string): string {
  return LIMIT_FLAGS[limit as keyof Limits].flag;
}

function wholePath(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}
