/**
 * Changes environment variables, from any thread; `host.ts` reads everything else of the system.
 */

export type Environment = Readonly<Record<string, string | undefined>>;

export function environment(): Environment {
  return Deno.env.toObject();
}

/** `undefined` removes a variable; programs that are started afterwards inherit the changes. */
export function changeEnvironment(changes: ReadonlyMap<string, string | undefined>): void {
  for (const [name, value] of changes) {
    if (value === undefined) Deno.env.delete(name);
    else Deno.env.set(name, value);
  }
}

const PROXIES = ["http_proxy", "https_proxy", "all_proxy"];

/** Removes the proxies of the environment for an address of this computer, which none reaches. */
export function bypassProxy({ hostname }: URL): void {
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) removeProxies();
}

/** Removes the proxies of the environment, before the first request: later ones keep what it found. */
export function removeProxies(): void {
  const names = PROXIES.flatMap((name) => [name, name.toUpperCase()]);
  changeEnvironment(new Map(names.map((name) => [name, undefined])));
}

// The environment of commands: the service's own environment without its secrets.

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
