/** Refuses to open the computer to a network without a token, unless that is asked for in words. */

import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config_error.ts";
import { isLoopback } from "./hosts.ts";

/**
 * Checks, before the service listens, that its address and its protection fit together.
 * @throws ConfigError with the way out.
 */
export function checkBinding(config: Pick<Config, "host" | "token" | "noAuth">): void {
  if (isLoopback(config.host) || config.token !== undefined || config.noAuth) return;
  throw new ConfigError(
    `Refusing to listen on "${config.host}" without a token, for everybody who reaches it could control this computer: give --token-file, or --no-auth if that is meant`,
  );
}
