/** The flags of an installed service: the given ones, with absolute paths and without secrets. */

import { isAbsolute, resolve } from "node:path";
import type { Flags } from "../../config/config.ts";
import { ConfigError } from "../../config/config_error.ts";
import type { Option } from "../../config/option.ts";
import { OPTIONS, TOKEN_VARIABLE } from "../../config/options.ts";
import type { GivenFlags } from "../arguments.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * One argument for each flag: `--name=value`, or `--name` without a value. Relative paths become
 * absolute.
 * @throws ConfigError when the token is in the environment, because a service file must not contain
 * it, or when a value has control characters, which XML cannot contain
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

/** XML cannot contain control characters, and no sensible value has them. */
function refuseControls(flag: string, value: string): void {
  // deno-lint-ignore no-control-regex -- these are the characters to find
  if (!/[\x00-\x1f\x7f]/.test(value)) return;
  throw new ConfigError(`--${flag}: a service file cannot hold control characters`);
}

function absolutePath(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}
