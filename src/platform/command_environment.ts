/** The environment of commands: the service's own environment without its secrets. */

import type { Environment } from "./environment.ts";

/** Prefix of the service's own settings, which include secrets: the token, the keychain key. */
const OWN_PREFIX = "COMPUTER_CONTROL_";

/** Variables for a command; a variable whose value is `token` is removed, whatever its name. */
export function commandEnvironment(
  env: Environment,
  { token }: { readonly token: string | undefined },
): Record<string, string> {
  const kept = Object.entries(env).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    if (value === undefined || name.toUpperCase().startsWith(OWN_PREFIX)) return false;
    return token === undefined || value !== token;
  });
  return Object.fromEntries(kept);
}
