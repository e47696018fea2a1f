/** Reports errors that an operation does not declare. */

import { ServiceError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { Operation } from "../operation.ts";

/**
 * Logs an error that a handler threw without its operation declaring it; that log line makes tests
 * fail.
 */
export function reportUndeclared(
  operation: Operation,
  error: unknown,
  log: Pick<Log, "error">,
): void {
  if (!(error instanceof ServiceError) || error.code === "internal") return;
  const isDeclared = error.code === "invalid"
    ? takesFields(operation)
    : error.code in (operation.errors ?? {});
  if (isDeclared) return;
  log.error("undeclared error", { operation: operation.id, code: error.code });
}

/** Whether an operation has any fields, which can be wrong. */
export function takesFields({ body, query, params }: Operation): boolean {
  return (body ?? query ?? params) !== undefined;
}
