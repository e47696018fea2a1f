/** Operations that the operator has switched off. */

import type { Config } from "../../config/config.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Operation } from "../operation.ts";

/** The refusal of an operation that is switched off: `forbidden`, naming the flag. */
export function findSwitch(
  operation: Operation,
  config: Pick<Config, "disabled" | "readOnly">,
): ServiceError | undefined {
  if (operation.unnamed) return undefined;
  if (config.disabled.has(operation.group)) {
    const message = `The group "${operation.group}" is switched off by --disable`;
    return new ServiceError("forbidden", message);
  }
  if (!config.readOnly || operation.readOnly || operation.runsOthers) return undefined;
  const message = `"${operation.id}" changes something, which --read-only forbids`;
  return new ServiceError("forbidden", message);
}
