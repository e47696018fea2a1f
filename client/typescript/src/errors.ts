/** What goes wrong, as exceptions with a code. */

import type * as Types from "./generated/types.gen.ts";

/** HTTP status -> the code of an error that comes from something between us and the service. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  408: "request_timeout",
  409: "conflict",
  413: "too_large",
  422: "invalid",
  423: "locked",
  429: "too_many_requests",
  500: "internal",
  501: "unsupported",
  503: "unavailable",
  504: "timed_out",
};

/**
 * `unreachable`: no answer came; when the connection ended meanwhile, the operation may have been
 * performed. `other`: an answer that is none of the service.
 */
export type ErrorCode =
  | Types.Error["code"]
  | Types.HttpValidationError["code"]
  | "unreachable"
  | "other";

/** One validation error of the input. */
export interface ValidationError {
  /** `body`, `query` or `path`, then the field, then indexes. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

interface Details {
  readonly status?: number;
  readonly errors?: readonly ValidationError[];
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** The service refused or failed an operation, or did not answer. */
export class ComputerControlError extends Error {
  override readonly name: string = "ComputerControlError";
  /** The HTTP status; 0 where nothing answered. */
  readonly status: number;
  /** Of `invalid`: every error of the input. */
  readonly errors: readonly ValidationError[];
  /** The number under which the service's log has it. */
  readonly requestId: string | undefined;

  constructor(readonly code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status ?? 0;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
  }
}

/** What an answer that is not a success says. */
export async function readError(response: Response): Promise<ComputerControlError> {
  const { status } = response;
  const text = await response.text();
  const { detail, code, request_id } = readBody(text);
  const errors = Array.isArray(detail) ? detail as ValidationError[] : [];
  const message = errors.length > 0
    ? errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ")
    : typeof detail === "string"
    ? detail
    : `The service answered ${status}`;
  return new ComputerControlError(code ?? CODES[status] ?? "other", message, {
    status,
    errors,
    requestId: request_id ?? response.headers.get("x-request-id") ?? undefined,
  });
}

interface ErrorBody {
  readonly detail?: unknown;
  readonly code?: ErrorCode;
  readonly request_id?: string;
}

function readBody(text: string): ErrorBody {
  try {
    return (JSON.parse(text) as ErrorBody | null) ?? {};
  } catch {
    return {}; // something between us and the service has answered
  }
}
