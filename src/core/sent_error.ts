/** Passes errors between threads with their class, so that the caller gets what was thrown. */

import { type ErrorCode, ServiceError, ValueFault } from "./errors.ts";
import { shortageError } from "./shortage.ts";

/** An error as plain data. */
export type SentError =
  | { readonly kind: "fault"; readonly field: ValueFault["field"]; readonly message: string }
  | { readonly kind: "service"; readonly code: ErrorCode; readonly message: string }
  | {
    readonly kind: "other";
    readonly name: string;
    readonly message: string;
    readonly code: string | undefined;
    readonly stack: string | undefined;
  };

export function toSent(error: unknown): SentError {
  if (!(error instanceof Error)) return toSent(new Error(String(error)));
  const { message } = error;
  if (error instanceof ValueFault) return { kind: "fault", field: error.field, message };
  if (error instanceof ServiceError) return { kind: "service", code: error.code, message };
  const shortage = shortageError(error);
  if (shortage !== undefined) return toSent(shortage);
  const { name, stack, code } = error as Error & { code?: string };
  return { kind: "other", name, message, code, stack };
}

export function fromSent(sent: SentError): Error {
  if (sent.kind === "fault") return new ValueFault(sent.field, sent.message);
  if (sent.kind === "service") return new ServiceError(sent.code, sent.message);
  const { name, message, code, stack } = sent;
  return Object.assign(new Error(message), {
    name,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack }),
  });
}
