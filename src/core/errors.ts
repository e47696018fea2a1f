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
  locked: 423,
  too_many_requests: 429,
  internal: 500,
  unsupported: 501,
  unavailable: 503,
  timed_out: 504,
} as const;

/** Error code -> what it means, for the OpenAPI document and docs/errors.md. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  already_exists: "The path already exists.",
  not_a_directory: "The path is a file, but a folder is required.",
  is_a_directory: "The path is a folder, but a file is required.",
  not_a_file: "The path is a device, a pipe or a socket, but a file is required.",
  not_empty: "The folder is not empty.",
  unauthorized: "The token is missing or wrong.",
  forbidden: "The Host or Origin check or a flag of the service forbids it.",
  permission_denied: "The user who runs the service lacks the permission.",
  not_found: "There is no such path, process, window, computer or address.",
  method_not_allowed: "The address supports other methods: `Allow` lists them.",
  request_timeout: "The body of the request did not arrive in time.",
  conflict: "The state has changed or does not allow it: read the state again, then decide.",
  too_large: "The request, the file or the answer is larger than the limit.",
  invalid: "The input is invalid: `detail` lists all validation errors.",
  locked: "Somebody else has control, or it is paused: `detail` says who.",
  too_many_requests:
    "Too many requests at once, or too many wrong attempts: wait for `Retry-After`.",
  internal: "A bug in the service: see its log for the request id.",
  unsupported: "This system does not support it: `detail` says why and what would help.",
  unavailable: "It is not possible at the moment: try again later.",
  timed_out: "It did not happen, or there was no response, in time.",
};

/** An error whose message is meant for the caller: one sentence, values in quotes, no secrets. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";

  constructor(readonly code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** Whatever comes, or is not finished in time, while the service stops: no failure of it. */
export class Stopping extends ServiceError {
  override readonly name = "Stopping";

  constructor() {
    super("unavailable", "The service is stopping: ask the one that takes its place");
  }
}

/** For input that came before everything was released. */
export function droppedInput(): ServiceError {
  return new ServiceError("conflict", "Dropped: all input was released in the meantime");
}

/** For a client that has left: nobody reads it. */
export function clientGone(): ServiceError {
  return new ServiceError("conflict", "Stopped: the client disconnected");
}

/** @throws the error of `work`; {@link clientGone} once the client has left */
export async function untilDisconnected<T>(
  { signal }: { readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? clientGone() : error;
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError;
}

export function hasCode(error: unknown, code: ErrorCode): error is ServiceError {
  return error instanceof ServiceError && error.code === code;
}

/** Lets `catch` resolve with `undefined` for what is expected; everything else is thrown on. */
export function throwUnless(
  isExpected: (error: unknown) => boolean,
): (error: unknown) => undefined {
  return (error) => {
    if (!isExpected(error)) throw error;
  };
}

/** Resolves with `undefined` where `work` fails with this code. */
export async function ignoreCode<T>(
  code: ErrorCode,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return await work().catch(throwUnless((error) => hasCode(error, code)));
}

/** What `work` gives; `undefined` where it fails, whatever the reason. */
export function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** One validation error of the input, in the format of pydantic: location, type, and a sentence. */
export interface ValidationError {
  /** `body`, `query`, `path` or `header`, then the field, then indexes. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Input that cannot be accepted: 422 with every error in `detail`. */
export class InputError extends ServiceError {
  override readonly name = "InputError";

  constructor(readonly errors: readonly ValidationError[], options?: ErrorOptions) {
    super("invalid", errors.map(({ msg }) => msg).join("; "), options);
  }
}

/**
 * A value of the right type that is impossible here (an unknown key name, a point off the screen).
 * Features throw it with the bare field name; the HTTP layer adds whether the field came from the
 * body, the query or the path.
 */
export class FieldError extends ServiceError {
  override readonly name = "FieldError";

  constructor(readonly field: string | readonly (string | number)[], message: string) {
    super("invalid", message);
  }
}

/** An error as plain data, which passes between threads with its class: the caller gets what was thrown. */
export type SentError =
  | { readonly kind: "field"; readonly field: FieldError["field"]; readonly message: string }
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
  if (error instanceof FieldError) return { kind: "field", field: error.field, message };
  if (error instanceof ServiceError) return { kind: "service", code: error.code, message };
  const shortage = shortageError(error);
  if (shortage !== undefined) return toSent(shortage);
  const { name, stack, code } = error as Error & { code?: string };
  return { kind: "other", name, message, code, stack };
}

export function fromSent(sent: SentError): Error {
  if (sent.kind === "field") return new FieldError(sent.field, sent.message);
  if (sent.kind === "service") return new ServiceError(sent.code, sent.message);
  const { name, message, code, stack } = sent;
  return Object.assign(new Error(message), {
    name,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack }),
  });
}

// A lack of descriptors: lets Deno survive it, and recognises it in whatever form Deno reports it.

/** The descriptors of this process, or of the whole system, are used up. */
const CODES = new Set<unknown>(["EMFILE", "ENFILE"]);
const TEXT = /too many open files/i;

/**
 * The error for the caller, who may try again later; `undefined` if `error` is another one. Without a
 * free descriptor every error is one of these: a module that cannot be opened, for one, is reported as
 * damaged or missing.
 */
export function shortageError(error: unknown): ServiceError | undefined {
  if (!isShortage(error) && hasFreeDescriptor()) return undefined;
  return shortage({ cause: error });
}

/** Deno opens one module after the other; others may take descriptors meanwhile. */
const IMPORT_DESCRIPTORS = 8;

/**
 * Imports modules only with a few free descriptors: Deno never tries an import again that has failed.
 * @throws ServiceError `unavailable`
 */
export async function importModules<T>(load: () => Promise<T>): Promise<T> {
  if (!hasFreeDescriptor(IMPORT_DESCRIPTORS)) throw shortage();
  return await load();
}

function shortage(options?: ErrorOptions): ServiceError {
  const text = "The service has too many open files and connections: try again";
  return new ServiceError("unavailable", text, options);
}

function isShortage(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return CODES.has(code) || TEXT.test(String(message));
}

/**
 * Lets stacks be read without a free descriptor; call it once in the main thread, early. Deno maps a
 * frame to its line in TypeScript by a file of its cache; where it cannot open that, it compiles the
 * module again, for which it measures the thread's stack by another file, and ends the program
 * without that. Such stacks have no frames.
 */
export function surviveStacksWithoutFiles(): void {
  Error.prepareStackTrace = (error, frames) =>
    hasFreeDescriptor() ? [error, ...frames].join("\n    at ") : String(error);
}

function hasFreeDescriptor(count = 1): boolean {
  const opened: Deno.FsFile[] = [];
  try {
    while (opened.length < count) opened.push(Deno.openSync("."));
    return true;
  } catch (error) {
    return !isShortage(error);
  } finally {
    for (const file of opened) file.close();
  }
}
