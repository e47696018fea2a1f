/** The operations as the command line sees them: by name, with flat fields that flags can give. */

import { LIMITS, type Limits } from "../../config/limits.ts";
import { callName, otherNames } from "../../features/call/call_names.ts";
import { allOperations } from "../../features/mod.ts";
import type { Operation } from "../../features/operation.ts";

/** The largest limits that a service can have: what exceeds them, no service takes. */
export function widestLimits(): Limits {
  const entries = Object.entries(LIMITS)
    .map(([name, limit]) => [name, limit.read(String(limit.bounds.max))]);
  return Object.fromEntries(entries) as Limits;
}

/** Name (`mouse.left-click`) -> operation, in the order of the list. */
export function operationsByName(limits: Limits): ReadonlyMap<string, Operation> {
  return new Map(allOperations(limits).map((operation) => [callName(operation), operation]));
}

/** By its name, its path (`mouse/left-click`) or its OpenAPI id (`leftClick`). */
export function findOperation(
  operations: ReadonlyMap<string, Operation>,
  name: string,
): Operation | undefined {
  return operations.get(name) ??
    [...operations.values()].find((operation) => otherNames(operation).includes(name));
}
