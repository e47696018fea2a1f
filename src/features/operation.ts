/**
 * An operation is data: HTTP, OpenAPI, the docs page and later interfaces are each generated from
 * the list of operations.
 */

import type { z } from "zod";
import type { Group } from "../core/groups.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { Context } from "./context.ts";
import type { FileStream, Streamed } from "./streamed.ts";

type Shape = z.ZodObject;

export interface Operation {
  /** The operation id in OpenAPI, camelCase: `moveMouse`. */
  readonly id: string;
  readonly group: Group;
  readonly method: "GET" | "POST" | "DELETE";
  /** Relative to the base address; parameters in braces: `/api/bash/process/{pid}/output`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether it changes nothing and so stays available with `--read-only`. */
  readonly readOnly: boolean;
  /**
   * Whether it only runs other operations by name, each of which is checked by itself: it stays
   * available with `--read-only`, refuses fields that it does not know even with
   * `--ignore-unknown-fields`, and cannot be a step of another one.
   */
  readonly runsOthers?: boolean;
  /** Whether it exists only without the computer's name in the path (`/healthz`). */
  readonly unnamed?: boolean;
  /**
   * Whether it may take minutes. Such operations are refused (503) while nearly all connections are
   * in use, which keeps the rest free for others.
   */
  readonly long?: boolean;
  /**
   * Whether its answer may have many megabytes: only so many of these are made and held at a time,
   * until their clients have read them.
   */
  readonly large?: boolean;
  /** Whether it is answered even while all connections are in use. */
  readonly urgent?: boolean;
  readonly body?: Shape;
  readonly query?: Shape;
  readonly params?: Shape;
  /**
   * The other groups that it uses with these fields: a path, a stored secret, a picture. It runs only
   * where none of them is disabled or out of reach of the caller, and waits for approval as they do.
   */
  // deno-lint-ignore no-explicit-any -- the input is typed by defineOperation
  uses?(input: any): readonly Group[];
  /** What to do instead of giving a field that it does not know but that callers expect. */
  readonly hints?: Readonly<Record<string, string>>;
  /** The answer on success. */
  readonly answer: Answer | OneOf;
  /** Possible errors besides those that its fields cause. */
  readonly errors?: DeclaredErrors;
  /** Returns the data of the answer, or throws a ServiceError with a declared code. */
  // deno-lint-ignore no-explicit-any -- the input is typed by defineOperation
  run(context: Context, input: any): unknown;
}

type Fields<T> = T extends z.ZodType ? z.output<T> : unknown;

/** What {@link defineOperation} checks against each other. */
interface Typed<A, B, Q, P> {
  readonly answer: A;
  readonly body?: B;
  readonly query?: Q;
  readonly params?: P;
  uses?(input: Fields<B> & Fields<Q> & Fields<P>): readonly Group[];
  run(
    context: Context,
    input: Fields<B> & Fields<Q> & Fields<P>,
  ): ResultOf<A> | Promise<ResultOf<A>>;
}

type Untyped = Omit<Operation, keyof Typed<unknown, unknown, unknown, unknown>>;

/** Gives {@link defineOperation} for operations that have `common` where they say nothing else. */
export function definingWith<C extends Partial<Operation>>(common: C) {
  return <
    A extends Answer | OneOf,
    B extends Shape | undefined = undefined,
    Q extends Shape | undefined = undefined,
    P extends Shape | undefined = undefined,
  >(
    operation: Omit<Untyped, keyof C> & Partial<Untyped> & Typed<A, B, Q, P>,
  ): Operation => ({ ...common, ...operation }) as unknown as Operation;
}

/**
 * Checks at compile time that `run` accepts the fields (body, query and path, merged) and returns
 * what the answer declares.
 */
export const defineOperation = definingWith({});

// All outcomes of an operation: HTTP statuses, the OpenAPI document and the handler's type derive
// from them.

/** Headers of an answer, each with a sentence that describes it. */
type HeaderTexts = Readonly<Record<string, string>>;

interface AnyAnswer {
  /** One sentence that is true when this answer is given. */
  readonly description: string;
  readonly headers?: HeaderTexts;
}

/** An answer without a body. */
interface EmptyAnswer extends AnyAnswer {
  readonly status: 204 | 304;
}

interface JsonAnswer<S extends z.ZodType = z.ZodType> extends AnyAnswer {
  readonly status: 200 | 503;
  readonly schema: S;
}

/** An answer that is a file, or a part of one, in one of several media types. */
export interface FileAnswer<M extends string = string> extends AnyAnswer {
  readonly status: 200 | 206;
  readonly mediaTypes: readonly M[];
  /** Whether the file is sent while it is read. */
  readonly streamed?: true;
}

export type Answer = EmptyAnswer | JsonAnswer | FileAnswer;

/** Several named answers, of which the handler chooses one. */
export interface OneOf<
  A extends Readonly<Record<string, Answer>> = Readonly<Record<string, Answer>>,
> {
  readonly oneOf: A;
}

/** Codes of the errors that a handler may throw, each with a description of the cases. */
export type DeclaredErrors = Readonly<Partial<Record<HandlerErrorCode, string>>>;

/** `invalid` follows from the operation's fields, and `internal` is never intended. */
type HandlerErrorCode = Exclude<ErrorCode, "invalid" | "internal">;

/** Success without anything to report. */
export function noContent(description: string): EmptyAnswer {
  return { status: 204, description };
}

export function json<S extends z.ZodType>(description: string, schema: S): JsonAnswer<S> {
  return { status: 200, description, schema };
}

/** The answers of an operation, one per status. */
export function listAnswers(answer: Answer | OneOf): readonly Answer[] {
  return "oneOf" in answer ? Object.values(answer.oneOf) : [answer];
}

/**
 * What a handler returns: the data of its only answer, or the data of one of several with its name
 * in `outcome`.
 */
export type ResultOf<A> = A extends OneOf<infer Answers>
  ? { [N in keyof Answers]: { readonly outcome: N } & NamedData<Answers[N]> }[keyof Answers]
  : A extends JsonAnswer<infer S> ? JsonData<S>
  : A extends FileAnswer ? FileData<A>
  : void;

/** `null` may be omitted. */
type JsonData<S extends z.ZodType> =
  | DeepReadonly<z.output<S>>
  | Streamed
  | (S extends z.ZodNull ? void : never);

type NamedData<A> = A extends JsonAnswer<infer S>
  ? { readonly body: DeepReadonly<z.output<S>> } & HeaderData<A>
  : A extends FileAnswer ? FileData<A>
  : HeaderData<A>;

type FileData<A extends FileAnswer> =
  & { readonly mediaType: A["mediaTypes"][number] }
  & (A extends { readonly streamed: true } ? { readonly file: FileStream }
    : { readonly bytes: Uint8Array<ArrayBuffer> })
  & HeaderData<A>;

type HeaderData<A> = A extends { readonly headers: infer H extends HeaderTexts }
  ? { readonly headers: { readonly [name in keyof H]?: string } }
  : unknown;

type DeepReadonly<T> = T extends readonly (infer I)[] ? readonly DeepReadonly<I>[]
  : T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
  : T;

/**
 * What a handler may return besides plain data, whatever the operation: a file, headers, or the name
 * of one of several answers.
 */
export interface DetailedResult {
  readonly outcome: string;
  readonly body?: unknown;
  readonly mediaType?: string;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly file?: FileStream;
  readonly headers?: Readonly<Record<string, string>>;
}

// Error cases that many operations share, by error code.

/** For operations that read a display. */
export const DISPLAY_ERRORS = {
  permission_denied: "The system does not allow the service to read the screen.",
  conflict: "The display was resized during the operation.",
  unsupported: "This system or this display does not support that; the message says why.",
  unavailable: "The display is not available now, or too many pictures are being taken.",
} as const satisfies DeclaredErrors;

/** For operations that send input. */
export const INPUT_ERRORS = {
  permission_denied: "The system does not allow the service to send input.",
  conflict: "`system/release-all` ended the operation, or an earlier click was not delivered.",
  unsupported: "This system does not support that input; the message says why.",
  unavailable: "The display is not available now, or too many input operations are waiting.",
} as const satisfies DeclaredErrors;

/** For operations that send input at a point or at an element. */
export const TARGET_ERRORS = {
  ...INPUT_ERRORS,
  conflict:
    `${INPUT_ERRORS.conflict} The element of \`ref\` is gone, has changed, is not visible, or is covered.`,
  timed_out: "The program of the element of `ref` does not respond.",
} as const satisfies DeclaredErrors;

/** For operations on existing files. */
export const FILE_ERRORS = {
  not_a_directory: "A component of the path is a file, not a folder.",
  is_a_directory: "The path is a folder where a file is expected.",
  not_a_file: "The path is a device, a socket, a pipe, or a loop of symbolic links.",
  permission_denied: "The user who runs the service lacks the permission.",
  not_found: "There is no such file or folder.",
  conflict: "The system is using the file, or another program has changed it in the meantime.",
  too_large: "The file is larger than the file system or a limit of the service allows.",
  unsupported: "The file system does not support that.",
  unavailable:
    "The disk is full or failing, too many operations are waiting, or too many files are open.",
  timed_out: "The file system did not respond in time.",
} as const satisfies DeclaredErrors;
