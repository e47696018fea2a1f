/** Operations that the operator has switched off. */

import type { Config } from "../config/config.ts";
import { ServiceError } from "../core/errors.ts";
import type { Group } from "../core/groups.ts";
import type { Operation } from "./operation.ts";

/** The refusal of an operation that is switched off: `forbidden`, naming the flag. */
export function findSwitch(
  operation: Operation,
  config: Pick<Config, "disabled" | "readOnly">,
): ServiceError | undefined {
  if (operation.unnamed) return undefined;
  if (config.disabled.has(operation.group)) return refusal(operation.group);
  if (!config.readOnly || operation.readOnly || operation.runsOthers) return undefined;
  const message = `"${operation.id}" changes something, which --read-only forbids`;
  return new ServiceError("forbidden", message);
}

/**
 * For an operation that does what another group offers, so that it does not bypass `--disable`.
 * @throws ServiceError `forbidden` when that group is switched off
 */
export function requireGroup({ disabled }: Pick<Config, "disabled">, group: Group): void {
  if (disabled.has(group)) throw refusal(group);
}

function refusal(group: Group): ServiceError {
  return new ServiceError("forbidden", `The group "${group}" is disabled by --disable`);
}
