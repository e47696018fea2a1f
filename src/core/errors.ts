/** The errors that a handler may throw, and the one table that turns them into HTTP statuses. */

/** What went wrong, in the service's own terms; {@link STATUS} gives the HTTP status. */
export type ErrorCode = keyof typeof STATUS;

/** Error code -> HTTP status: the only place that relates them. */
export const STATUS = {
  already_exists: 400,
  not_a_directory: 400,
  is_a_directory: 400,
  not_a_file: 400,
  not_empty: 400,
  unauthorized: 401,
  forbidden: 403,
  permission_denied: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  too_large: 413,
  invalid: 422,
  too_many_requests: 429,
  internal: 500,
  unsupported: 501,
  unavailable: 503,
  timed_out: 504,
} as const;

/** Error code -> what it means, for the OpenAPI document and docs/errors.md. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  already_exists: "There is something at this path already.",
  not_a_directory: "The path is a file, and a folder is needed.",
  is_a_directory: "The path is a folder, and a file is needed.",
  not_a_file: "The path is a device, a pipe or a socket, and a file is needed.",
  not_empty: "The folder is not empty.",
  unauthorized: "The token is missing or wrong.",
  forbidden: "The guard or a flag of the service refuses it.",
  permission_denied: "The system does not permit it to the user of the service.",
  not_found: "There is no such path, process, window, computer or address.",
  method_not_allowed: "The address takes other methods: `Allow` lists them.",
  request_timeout: "The body of the request did not arrive in time.",
  conflict: "The state has changed or contradicts it: look again, then decide.",
  too_large: "The request, the file or the answer is larger than the limit.",
  invalid: "The fields are wrong: `detail` lists every fault.",
  too_many_requests: "Too many at once, or too many wrong tries: wait for `Retry-After`.",
  internal: "A bug of the service: its log has more under the request id.",
  unsupported: "This system cannot do it: the sentence says why and what would help.",
  unavailable: "It cannot be done at the moment: try again later.",
  timed_out: "It did not happen, or nothing answered, in time.",
};

/** An error whose message is meant for the caller: one sentence, values in quotes, no secrets. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";

  constructor(readonly code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
  }

  /** The HTTP status of this error. */
  get status(): number {
    return STATUS[this.code];
  }
}

/** One fault of the input, in the format of pydantic: location, type, and a sentence. */
export interface Fault {
  /** `body`, `query`, `path` or `header`, then the field, then indexes. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Input that cannot be accepted: 422 with every fault in `detail`. */
export class InputError extends ServiceError {
  override readonly name = "InputError";

  constructor(readonly faults: readonly Fault[], options?: ErrorOptions) {
    super("invalid", faults.map((fault) => fault.msg).join("; "), options);
  }
}

/**
 * A value of the right type that is impossible here (an unknown key name, a point off the screen).
 * Features throw it with the bare field name; the HTTP layer adds whether the field came from the
 * body, the query or the path.
 */
export class ValueFault extends ServiceError {
  override readonly name = "ValueFault";

  constructor(readonly field: string | readonly (string | number)[], message: string) {
    super("invalid", message);
  }
}
