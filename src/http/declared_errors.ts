/**
 * Lists the errors that an operation may answer with: its own, and those of the HTTP layer around
 * it.
 */

import type { ErrorCode } from "../core/errors.ts";
import type { Operation } from "../features/operation.ts";

/** Error codes, each with a description of the cases. */
export type ErrorCases = Readonly<Partial<Record<ErrorCode, string>>>;

const ALWAYS: ErrorCases = {
  forbidden:
    "The request comes from a foreign host or web page, its group is disabled, or it would change something " +
    "while the service is read-only.",
  internal: "A bug in the service: its log says more under the request id.",
  unavailable: "The service is starting, or has too many connections.",
};
const WITH_TOKEN: ErrorCases = {
  unauthorized: "The token is missing or wrong.",
};
const WITH_BODY: ErrorCases = {
  request_timeout: "The request body did not arrive in time.",
  too_large: "The request body is too large.",
};
const WITH_INPUT: ErrorCases = { invalid: "The input is invalid: `detail` lists every fault." };

/** The errors with which the HTTP layer itself may answer a request for an operation. */
export function listCommonErrors(operation: Operation): ErrorCases {
  const { path, body } = operation;
  return {
    ...ALWAYS,
    ...(path === "/healthz" ? {} : WITH_TOKEN),
    ...(body === undefined ? {} : WITH_BODY),
    ...(operation.unnamed ? {} : WITH_INPUT),
  };
}
