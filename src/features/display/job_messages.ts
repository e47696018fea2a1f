/** What goes between the service and its picture workers; errors keep their kind on the way. */

import { type ErrorCode, ServiceError, ValueFault } from "../../core/errors.ts";
import type { Reading, ScreenAddress } from "../../platform/types/mod.ts";
import type { JobName, Jobs } from "./jobs.ts";

export interface Request {
  readonly id: number;
  readonly name: JobName;
  readonly screen: ScreenAddress;
  // deno-lint-ignore no-explicit-any -- the name says which
  readonly job: any;
}

export type Reply =
  & { readonly id: number; readonly reading: Reading | undefined }
  & ({ readonly result: Jobs[JobName]["out"] } | { readonly failure: Failure });

/** An error as plain data. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Of a ValueFault. */
  readonly field?: ValueFault["field"];
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ValueFault) {
    return { code: error.code, message: error.message, field: error.field };
  }
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.stack ?? error.message : String(error);
  return { code: "internal", message };
}

export function errorOf({ code, message, field }: Failure): Error {
  if (field !== undefined) return new ValueFault(field, message);
  return new ServiceError(code, message);
}
