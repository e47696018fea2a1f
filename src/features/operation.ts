/**
 * An operation is data: HTTP, OpenAPI, the docs page and later interfaces are each generated from
 * the list of operations.
 */

import type { z } from "zod";
import type { Group } from "../core/groups.ts";
import type { Context } from "./context.ts";
import type { Answer, DeclaredErrors, OneOf, ResultOf } from "./outcomes.ts";

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
