/** The flags of an installed service: those given, with absolute paths and without a secret. */

import { isAbsolute, resolve } from "node:path";
import type { Flags } from "../../config/config.ts";
import { ConfigError } from "../../config/config_error.ts";
import type { Option } from "../../config/option.ts";
import { OPTIONS, TOKEN_VARIABLE } from "../../config/options.ts";
import type { GivenFlags } from "../arguments.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * One argument for each flag: `--name=value`, or `--name` for a switch. Relative paths become absolute.
 * @throws ConfigError when the token is in the environment, which no service file may hold, or when a value
 *   has control characters, which XML cannot hold.
 */
export function serviceFlags(flags: Flags, env: Env, cwd: string): readonly string[] {
  if (env[TOKEN_VARIABLE] && flags["token-file"] === undefined) {
    throw new ConfigError(
      `The token of ${TOKEN_VARIABLE} is not written into a service file, which others may read: ` +
        `put it into a file with mode 600 and name that with --token-file`,
    );
  }
  const given: GivenFlags = flags;
  return Object.values(OPTIONS).flatMap(({ flag, isPath }: Option<string, never>) => {
    const value = given[flag];
    if (value === undefined) return [];
    if (value === true) return [`--${flag}`];
    refuseControls(flag, String(value));
    return [value].flat().map((each) => `--${flag}=${isPath ? absolutePath(each, cwd) : each}`);
  });
}

/** XML cannot hold them, and they are never meant. */
function refuseControls(flag: string, value: string): void {
  // deno-lint-ignore no-control-regex -- these are what is looked for
  if (!/[\x00-\x1f\x7f]/.test(value)) return;
  throw new ConfigError(`--${flag}: a service file cannot hold control characters`);
}

function absolutePath(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}
