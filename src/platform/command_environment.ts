/** The environment that commands get: that of the service without the service's own secrets. */

export interface Environment {
  readonly [name: string]: string | undefined;
}

/** Settings of the service, secrets among them: the token, the key of the keychain. */
const OWN_PREFIX = "COMPUTER_CONTROL_";

/** Variables for a command; `token` is taken out under whatever name it is there. */
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
