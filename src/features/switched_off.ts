/** Operations that the operator has switched off. */

import type { Config } from "../config/config.ts";
import { ServiceError } from "../core/errors.ts";
import type { Group } from "../core/groups.ts";
import type { Actor } from "./actor.ts";
import { requireScope, SCOPE_WITHIN } from "./control/scopes.ts";
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
 * For what does what another group offers, so that it bypasses neither `--disable` nor scopes.
 * @throws ServiceError `forbidden` when that group is switched off, or out of the caller's reach
 */
export function requireGroup(
  { actor, config }: {
    readonly actor: Pick<Actor, "scopes">;
    readonly config: Pick<Config, "disabled">;
  },
  group: Group,
): void {
  if (config.disabled.has(group)) throw refusal(group);
  const scope = SCOPE_WITHIN[group];
  if (scope !== undefined) requireScope(actor, scope, `The group "${group}"`);
}

function refusal(group: Group): ServiceError {
  return new ServiceError("forbidden", `The group "${group}" is disabled by --disable`);
}
