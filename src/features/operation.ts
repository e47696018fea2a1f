/** An operation is data: HTTP, OpenAPI, the docs page and later doors are each made once from the list of operations. */

import type { z } from "zod";
import type { Group } from "../core/groups.ts";
import type { Context } from "./context.ts";

/** An answer with bytes instead of JSON. */
export class Binary {
  constructor(
    readonly bytes: Uint8Array<ArrayBuffer>,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** An answer with a status of its own (`/readyz` answers 503 with a body). */
export class WithStatus {
  constructor(readonly status: number, readonly body: unknown) {}
}

type Shape = z.ZodObject;

/** How an operation answers when all is well. */
export type Answer =
  | { readonly status: 204; readonly description: string }
  | { readonly status: 200; readonly description: string; readonly schema: z.ZodType }
  | { readonly status: 200; readonly description: string; readonly mediaTypes: readonly string[] };

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
  readonly answer: Answer;
  /** Other statuses without a body that mean that all is well: `{ 304: "Nothing has changed" }`. */
  readonly also?: Readonly<Record<number, string>>;
  /** Headers of these answers, with what they say: text, unless it can be read otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that it can answer with besides 422, with the case: `{ 503: "The display is not there" }`. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Returns the data of the answer (`undefined` for 204) or throws a ServiceError. */
  // deno-lint-ignore no-explicit-any -- the input is typed by defineOperation
  run(context: Context, input: any): unknown;
}

type Fields<T> = T extends z.ZodType ? z.output<T> : unknown;

/** Checks at compile time that `run` takes what the schemas give: body, query and path fields, merged. */
export function defineOperation<
  B extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  P extends Shape | undefined = undefined,
>(
  operation: Omit<Operation, "body" | "query" | "params" | "run"> & {
    readonly body?: B;
    readonly query?: Q;
    readonly params?: P;
    run(context: Context, input: Fields<B> & Fields<Q> & Fields<P>): unknown;
  },
): Operation {
  return operation as Operation;
}
