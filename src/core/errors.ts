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
  taken_over: 423,
  too_many_requests: 429,
  internal: 500,
  unsupported: 501,
  unavailable: 503,
  timed_out: 504,
} as const;

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
