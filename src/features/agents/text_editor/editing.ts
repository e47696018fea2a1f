/** What viewing and editing of one file share. */

import { ServiceError } from "../../../core/errors.ts";
import type { Calls } from "../../call/calls.ts";
import type { Context } from "../../context.ts";

/** What editing needs of a context. */
export interface EditingContext extends Pick<Context, "config" | "signal"> {
  readonly calls: Pick<Calls, "prepare">;
}

/** A file by the path that the model knows, and by its path on this computer. */
export interface TextFile {
  readonly context: EditingContext;
  readonly shown: string;
  readonly path: string;
}

/** Calls one of our operations; gives its JSON. */
export async function call(
  { calls, signal }: EditingContext,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const result = await calls.prepare(name, input).run({ signal });
  return result.kind === "json" ? result.value : undefined;
}

export function hasCode(error: unknown, code: ServiceError["code"]): boolean {
  return error instanceof ServiceError && error.code === code;
}
