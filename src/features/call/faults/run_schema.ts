/**
 * Runs a schema and returns zod's raw issues; the only file that uses unpublished parts of zod.
 * `safeParse` formats a message for every issue, millions of them for a hostile body, and drops the
 * schema and the input that an issue refers to.
 */

import type { z } from "zod";

/** An issue of zod before it has a message. */
export type Issue = z.core.$ZodRawIssue;

const SYNC = { async: false } as const;

/** The value with defaults filled in, and every issue. */
export function runSchema(schema: z.core.$ZodType, value: unknown): z.core.ParsePayload {
  const result = schema._zod.run({ value, issues: [] }, SYNC);
  if (result instanceof Promise) {
    throw new TypeError("A schema of an operation must be synchronous");
  }
  return result;
}
