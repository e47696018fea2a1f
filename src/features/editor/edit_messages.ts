/** What goes between the service and a worker that edits; errors keep their kind on the way. */

import { type ErrorCode, ServiceError, ValueFault } from "../../core/errors.ts";
import type { Platform } from "../../platform/types/mod.ts";
import type { JournalRecord } from "../filesystem/safe_write/journal.ts";
import type { EditOutcome, EditTask } from "./edit_task.ts";

/** To the worker: one edit, and answers to what it asks the journal. */
export type ToWorker =
  | {
    readonly task: EditTask;
    readonly system: Platform["system"];
    readonly journal: { readonly folder: string; readonly run: string };
    /** One number that both sides see: 1 when nobody waits for the edit any more. */
    readonly stop: Int32Array;
  }
  | { readonly key: number; readonly id: number }
  | { readonly key: number; readonly failed: Failure };

/** From the worker: what the journal shall note, and the end of the edit. */
export type FromWorker =
  | { readonly begin: JournalRecord; readonly key: number }
  | { readonly replace: JournalRecord; readonly id: number; readonly key: number }
  | { readonly end: number }
  | { readonly done: EditOutcome }
  | { readonly failed: Failure };

/** An error as plain data. */
export type Failure =
  | { readonly kind: "fault"; readonly field: ValueFault["field"]; readonly message: string }
  | { readonly kind: "service"; readonly code: ErrorCode; readonly message: string }
  | {
    readonly kind: "other";
    readonly name: string;
    readonly message: string;
    readonly code: string | undefined;
  };

/** Nobody waits for the edit any more. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

export function failureOf(error: unknown): Failure {
  const { message } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof ValueFault) return { kind: "fault", field: error.field, message };
  if (error instanceof ServiceError) return { kind: "service", code: error.code, message };
  const { name, code } = error as Error & { code?: string };
  return { kind: "other", name, message, code };
}

export function errorOf(failure: Failure): Error {
  if (failure.kind === "fault") return new ValueFault(failure.field, failure.message);
  if (failure.kind === "service") return new ServiceError(failure.code, failure.message);
  const { name, message, code } = failure;
  const error = Object.assign(new Error(message), { name });
  return code === undefined ? error : Object.assign(error, { code });
}
