/** An operation is data: HTTP, OpenAPI, the docs page and later doors are each made once from the list of operations. */

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
  /** Below the base address; parameters in braces: `/api/bash/process/{pid}/output`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether it changes nothing, so that `--read-only` leaves it. */
  readonly readOnly: boolean;
  /** Operations that exist without the computer's name only (`/healthz`). */
  readonly unnamed?: boolean;
  /** Whether it may take minutes: it is refused (503) while nearly all connections are in use, which keeps the rest for others. */
  readonly long?: boolean;
  /** Whether it is answered even when all connections are in use. */
  readonly urgent?: boolean;
  readonly body?: Shape;
  readonly query?: Shape;
  readonly params?: Shape;
  /** How it answers when all is well. */
  readonly answer: Answer | OneOf;
  /** What it can fail with besides what its fields refuse. */
  readonly errors?: DeclaredErrors;
  /** Returns the data of the answer or throws a ServiceError whose code is declared. */
  // deno-lint-ignore no-explicit-any -- the input is typed by defineOperation
  run(context: Context, input: any): unknown;
}

type Fields<T> = T extends z.ZodType ? z.output<T> : unknown;

/** Checks at compile time that `run` takes what the fields give (body, query and path, merged) and returns what the answer says. */
export function defineOperation<
  A extends Answer | OneOf,
  B extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  P extends Shape | undefined = undefined,
>(
  operation: Omit<Operation, "answer" | "body" | "query" | "params" | "run"> & {
    readonly answer: A;
    readonly body?: B;
    readonly query?: Q;
    readonly params?: P;
    run(
      context: Context,
      input: Fields<B> & Fields<Q> & Fields<P>,
    ): ResultOf<A> | Promise<ResultOf<A>>;
  },
): Operation {
  return operation as Operation;
}
