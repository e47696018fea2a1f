/**
 * Refuses to install a program from the cache of a package runner, which can delete it at any time.
 */

import { ConfigError } from "../../config/config_error.ts";

/** `~/.npm/_npx/3f2a.../`, and the equivalents of pnpm, yarn and bun. */
const CACHES = /[\\/](?:_npx|_cacache|dlx-[^\\/]+|dlx|bunx-[^\\/]+)[\\/]/;

/** @throws ConfigError with what to do instead. */
export function refuseNpmCache(command: readonly string[]): void {
  const cached = command.find((each) => CACHES.test(each));
  if (cached === undefined) return;
  throw new ConfigError(
    `A service cannot be started from a cache that is emptied at any time ("${cached}"): ` +
      'install the program first ("npm install --global deno", or an executable made by ' +
      '"deno task compile"), and run install-service with that',
  );
}
