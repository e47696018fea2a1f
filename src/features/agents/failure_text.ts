/** Says in words what went wrong, so that a model can do better. */

import { type Fault, InputError, ServiceError, ValueFault } from "../../core/errors.ts";
import { log } from "../../core/log.ts";

/** The fields of our operations, each with the vendor's name of it. */
export type FieldNames = Readonly<Record<string, string>>;

/** Longest text about a failure; a model needs no more. */
const MAX_LENGTH = 4_096;

/**
 * The text of anything that was thrown. Faults of our operations' fields are told by the vendor's
 * names; an unexpected error goes to the log, and its text says only that.
 */
export function failureText(error: unknown, names: FieldNames = {}): string {
  return describe(error, names).toWellFormed().slice(0, MAX_LENGTH);
}

function describe(error: unknown, names: FieldNames): string {
  if (error instanceof InputError) {
    return error.faults.map((fault) => describeFault(fault, names)).join("; ");
  }
  if (error instanceof ValueFault) {
    const path = [error.field].flat();
    return describeFault({ loc: ["action", ...path], msg: error.message, type: "" }, names);
  }
  if (error instanceof ServiceError && error.code !== "internal") return error.message;
  log.error("a model's action failed", {
    error: error instanceof Error ? error.stack ?? error.message : `thrown: ${typeof error}`,
  });
  return "Internal error: the log of the service has the details";
}

/** `scroll_amount: Input should be less than or equal to 1000` */
function describeFault({ loc, msg }: Fault, names: FieldNames): string {
  const [place, field, ...rest] = loc;
  if (field === undefined) return msg;
  const name = place === "input" ? names[String(field)] : undefined;
  const path = name === undefined ? [field, ...rest] : [name];
  return `${path.join(".")}: ${msg}`;
}
