/** Refuses to listen on a network without a token, unless the operator explicitly allows it. */

import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config_error.ts";
import { isLoopback } from "./hosts.ts";

/**
 * Checks, before the service listens, that its address and its protection are compatible.
 * @throws ConfigError that says what to change.
 */
export function checkBinding(config: Pick<Config, "host" | "token" | "noAuth">): void {
  if (isLoopback(config.host) || config.token !== undefined || config.noAuth) return;
  throw new ConfigError(
    `Refusing to listen on "${config.host}" without a token, for everybody who reaches it could control this computer: give --token-file, or --no-auth if that is meant`,
  );
}
